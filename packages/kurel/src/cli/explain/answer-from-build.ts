import { explain, parseAssignment, readValues } from '../../index.ts';
import type { BuildRequest, Explanation, ParameterLayer } from '../../index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { createStore } from '../create-store.ts';
import type { InputFlags } from '../input-flags.ts';
import type { messageFormatFlag } from '../message-format-flag.ts';
import { isApplicationPath, isPackagePath } from '../package-path.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import type { Findings } from '../print-diagnostics.ts';
import { readLayers } from '../read-layers.ts';
import { readRequest } from '../read-request.ts';
import type { GivenValues } from '../read-value-flags.ts';
import { isWrongUsage } from '../usage-error.ts';
import { readSteps } from './read-steps.ts';

type Call = CommandCall<InputFlags & typeof messageFormatFlag>;

export interface Answer {
  /** Absent when there is none, and the diagnostics say why. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Builds what the first argument names, and prints the answer to a question about it, or why there is none. */
export async function answerFromBuild(call: Call, answerTo: (explanation: Explanation) => Answer): Promise<ExitCode> {
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
  // Only patches from outside use them; packages know where their own values come from.
  const layers = given.request.patches === undefined ? [] : await layersOf(given, call);
  const explanation = await explain({
    ...withStore(given.request),
    transformers: readSteps(flags, environment),
    layers,
  });
  const answer = explanation.result.ok ? answerTo(explanation) : { diagnostics: [] };
  if (answer.text !== undefined) environment.writeStdout(answer.text);
  const { diagnostics, sources } = explanation.result;
  await tell({
    // What a build has to say by the way is not what was asked for.
    diagnostics: [...diagnostics.filter(({ severity }) => severity !== 'note'), ...answer.diagnostics],
    sources: [...sources, ...explanation.sources],
  });
  if (answer.text !== undefined) return 0;
  return isWrongUsage(diagnostics) ? 2 : 1;
}

/** Patches want to know the types of fields. */
function withStore(request: BuildRequest): Omit<BuildRequest, 'transformers'> {
  const store = createStore(undefined);
  const patches = request.patches === undefined ? undefined : { ...request.patches, store };
  return { ...request, patches, store: () => store };
}

/** Where the values that `--patch` may use come from: the texts that the flags name are read already. */
async function layersOf(
  { sources }: Findings,
  { flags, positionals, environment }: Call,
): Promise<readonly ParameterLayer[]> {
  const input = { path: positionals[0]!, as: flags.as };
  const isOurs = isPackagePath(input, environment) || isApplicationPath(input, environment);
  const words = isOurs ? 'core' : 'kubernetes';
  const files = new Set(flags.values);
  const given = sources.flatMap((source): GivenValues[] => {
    if (source.path.startsWith('--set[')) return [parseAssignment(source, 'typed')];
    if (source.path.startsWith('--set-string[')) return [parseAssignment(source, 'text')];
    const data = files.has(source.path) ? readValues(source, () => undefined, { words }) : undefined;
    return data === undefined ? [] : [{ source, data }];
  });
  const { layers } = await readLayers(given, async () => ({}));
  return layers;
}
