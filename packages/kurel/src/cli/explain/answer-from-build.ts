import { build } from '../../index.ts';
import type { BuildRequest, BuildResult } from '../../index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { createStore } from '../create-store.ts';
import type { InputFlags } from '../input-flags.ts';
import type { messageFormatFlag } from '../message-format-flag.ts';
import { openInput } from '../open-input.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import type { Findings } from '../print-diagnostics.ts';
import { readRequest } from '../read-request.ts';
import { isWrongUsage } from '../usage-error.ts';

type Call = CommandCall<InputFlags & typeof messageFormatFlag>;

export interface Answer {
  /** Absent when there is none, and the diagnostics say why. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Builds what the first argument names, and prints the answer to a question about it, or why there is none. */
export async function answerFromBuild(call: Call, answerTo: (result: BuildResult) => Answer): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const input = await openInput(positionals[0]!, flags, environment);
  const given = await readRequest(input, flags, environment);
  const print = ({ diagnostics, sources }: Findings): Promise<void> =>
    printDiagnostics(
      { diagnostics: [...given.diagnostics, ...diagnostics], sources: [...given.sources, ...sources] },
      { format: flags['message-format'], color: flags.color },
      environment,
    );
  if (!given.ok) {
    await print({ diagnostics: [], sources: [] });
    return given.diagnostics.some(({ code }) => code === 'set-syntax') ? 2 : 1;
  }
  const result = await build(withStore(given.request));
  const answer = result.ok ? answerTo(result) : { diagnostics: [] };
  if (answer.text !== undefined) environment.writeStdout(answer.text);
  const { diagnostics, sources } = result;
  await print({
    // What a build has to say by the way is not what was asked for.
    diagnostics: [...diagnostics.filter(({ severity }) => severity !== 'note'), ...answer.diagnostics],
    sources: [...sources, ...result.rendering.provenance.texts()],
  });
  if (answer.text !== undefined) return 0;
  return isWrongUsage(diagnostics) ? 2 : 1;
}

/** Patches want to know the types of fields. */
function withStore(request: BuildRequest): BuildRequest {
  const store = createStore(undefined);
  const patches = request.patches === undefined ? undefined : { ...request.patches, store };
  return { ...request, patches, store: () => store };
}
