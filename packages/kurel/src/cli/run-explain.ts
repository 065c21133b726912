import { isKubeObject } from '../model/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { explain, findObject, parseAssignment, readValues, selectFields } from '../index.ts';
import type { BuildRequest, Explanation, ParameterLayer, RemovedObject } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ExplainFlags } from './commands/explain.ts';
import { createStore } from './create-store.ts';
import { findPlaces } from './explain/find-places.ts';
import { formatChains } from './explain/format-chains.ts';
import { formatOverview } from './explain/format-overview.ts';
import { readSteps } from './explain/read-steps.ts';
import { tracesToJson } from './explain/traces-to-json.ts';
import { printDiagnostics, useColor } from './print-diagnostics.ts';
import type { Findings } from './print-diagnostics.ts';
import { readLayers } from './read-layers.ts';
import type { GivenValues } from './read-value-flags.ts';
import { readRequest } from './read-request.ts';

type Call = CommandCall<ExplainFlags>;

export async function runExplain(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const given = await readRequest(positionals[0]!, flags, environment);
  const tell = ({ diagnostics, sources }: Findings): Promise<void> =>
    printDiagnostics(
      { diagnostics: [...given.diagnostics, ...diagnostics], sources: [...given.sources, ...sources] },
      { format: flags['message-format'], color: flags.color },
      environment,
    );
  if (!given.ok) {
    await tell({ diagnostics: [], sources: [] });
    return given.diagnostics.some(({ code }) => code === 'set-syntax') ? 2 : 1;
  }
  const layers = await layersOf(given, flags);
  const explanation = await explain({ ...withStore(given.request), transformers: readSteps(flags), layers });
  const answer = explanation.result.ok ? answerTo(call, explanation) : { diagnostics: [] };
  if (answer.text !== undefined) environment.writeStdout(answer.text);
  const { diagnostics, sources } = explanation.result;
  await tell({
    // What a build has to say by the way is not what was asked for.
    diagnostics: [...diagnostics.filter(({ severity }) => severity !== 'note'), ...answer.diagnostics],
    sources: [...sources, ...explanation.sources],
  });
  return answer.text === undefined ? 1 : 0;
}

/** Patches want to know the types of fields. */
function withStore(request: BuildRequest): Omit<BuildRequest, 'transformers'> {
  const store = createStore(undefined);
  const patches = request.patches === undefined ? undefined : { ...request.patches, store };
  return { ...request, patches, store: () => store };
}

/** Where the values that `--patch` may use come from: the texts that the flags name are read already. */
async function layersOf({ sources }: Findings, flags: Call['flags']): Promise<readonly ParameterLayer[]> {
  const files = new Set(flags.values);
  const given = sources.flatMap((source): GivenValues[] => {
    if (source.path.startsWith('--set[')) return [parseAssignment(source, 'typed')];
    if (source.path.startsWith('--set-string[')) return [parseAssignment(source, 'text')];
    const data = files.has(source.path) ? readValues(source, () => undefined) : undefined;
    return data === undefined ? [] : [{ source, data }];
  });
  const { layers } = await readLayers(given, async () => ({}));
  return layers;
}

interface Answer {
  /** Absent when there is none, and the diagnostics say why. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

function answerTo({ positionals, flags, environment }: Call, explanation: Explanation): Answer {
  const { result, sources, traceOf } = explanation;
  const [path = '', words = '', field] = positionals;
  const found = findObject(result.objects, words, removalsOf(explanation));
  if ('problem' in found) return { diagnostics: [found.problem] };
  const { object } = found;
  const traces = traceOf(object);
  const selected = field === undefined ? { fields: traces } : selectFields(traces, { object, text: field });
  if ('problem' in selected) return { diagnostics: [selected.problem] };
  const { fields } = selected;
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const options = { object, findPlace: findPlaces(fields, sources), color };
  if (flags.format === 'json') return { text: tracesToJson(fields, options), diagnostics: [] };
  const text = field === undefined ? formatOverview(fields, { ...options, path }) : formatChains(fields, options);
  return { text, diagnostics: [] };
}

/** Objects that were there until a patch took them out. */
function removalsOf({ result }: Explanation): readonly RemovedObject[] {
  const changes = [...(result.package?.changes ?? []), ...result.changes];
  return changes.flatMap(({ operation, before, location }) =>
    operation === 'enabled' && isKubeObject(before) ? [{ object: before, location }] : [],
  );
}
