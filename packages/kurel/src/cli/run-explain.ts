import { escapeControls } from '../diagnostics/index.ts';
import { isKubeObject } from '../model/index.ts';
import type { KubeObject } from '../model/index.ts';
import { findObject, formatObject, hideSecretValues, selectFields, writeJson } from '../index.ts';
import type { Explanation, RemovedObject } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ExplainFlags } from './commands/explain.ts';
import { answerFromBuild } from './explain/answer-from-build.ts';
import type { Answer } from './explain/answer-from-build.ts';
import { findPlaces } from './explain/find-places.ts';
import { formatChains } from './explain/format-chains.ts';
import { hideSecretTraces } from './explain/hide-secret-traces.ts';
import { formatOverview } from './explain/format-overview.ts';
import { tracesToJson } from './explain/traces-to-json.ts';
import { useColor } from './print-diagnostics.ts';

type Call = CommandCall<ExplainFlags>;

export async function runExplain(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const exitCode = await answerFromBuild(call, (explanation) => answerTo(call, explanation));
  const isForPeople = environment.stderrIsTerminal && (flags['message-format'] ?? 'text') === 'text';
  if (exitCode === 0 && positionals.length === 1 && isForPeople) {
    environment.writeStderr('name one of them to see where its fields come from: kurel explain PATH OBJECT\n');
  }
  return exitCode;
}

function answerTo({ positionals, flags, environment }: Call, explanation: Explanation): Answer {
  const { result, sources, traceOf } = explanation;
  const [path = '', words, field] = positionals;
  if (words === undefined) return { text: listObjects(result.objects, flags.format), diagnostics: [] };
  const found = findObject(result.objects, words, removalsOf(explanation));
  if ('problem' in found) return { diagnostics: [found.problem] };
  const { object } = found;
  const traces = traceOf(object);
  const selected = field === undefined ? { fields: traces } : selectFields(traces, { object, text: field });
  if ('problem' in selected) return { diagnostics: [selected.problem] };
  // What Secrets hold is taken out here, so that no format can show it.
  const fields = hideSecretTraces(selected.fields, object);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const options = { object: hideSecretValues(object), findPlace: findPlaces(fields, sources), color };
  if (flags.format === 'json') return { text: tracesToJson(fields, options), diagnostics: [] };
  const text = field === undefined ? formatOverview(fields, { ...options, path }) : formatChains(fields, options);
  return { text, diagnostics: [] };
}

/** As they can be asked for. */
function listObjects(objects: readonly KubeObject[], format: 'text' | 'json' | undefined): string {
  const names = objects.map(formatObject);
  if (format === 'json') return `${writeJson({ objects: names })}\n`;
  return names.map((name) => `${escapeControls(name)}\n`).join('');
}

/** Objects that were there until a patch took them out. */
function removalsOf({ result }: Explanation): readonly RemovedObject[] {
  const changes = [...(result.package?.changes ?? []), ...result.changes];
  return changes.flatMap(({ operation, before, location }) =>
    operation === 'enabled' && isKubeObject(before) ? [{ object: before, location }] : [],
  );
}
