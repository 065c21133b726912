import { escapeControls, quote, summarise } from '../diagnostics/index.ts';
import { checkDocument, createCatalog } from '../index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { fileProblemWithHint } from './file-problem.ts';
import { findGiven } from './find-given.ts';
import { openDisk } from './open-disk.ts';
import { printFindings } from './run-validate.ts';
import { UsageError } from './usage-error.ts';

type Call = CommandCall<ValidateFlags>;

/** Checks a profile, a policy or the like by itself; `undefined` when the path names no file that holds one. */
export async function runValidateDocument(call: Call): Promise<ExitCode | undefined> {
  const { positionals, flags, environment } = call;
  const path = positionals[0]!;
  const fileSystem = openDisk(environment);
  const source = await readDocument(path, fileSystem);
  if (source === undefined) return undefined;
  const found: Diagnostic[] = [];
  const definitions = await readDefinitions(flags['capability-def'], fileSystem, found);
  const kind = checkDocument(source, {
    catalog: createCatalog(),
    definitions,
    report: (diagnostic) => void found.push(diagnostic),
  });
  if (kind === undefined) return undefined;
  checkUsage(call, kind);
  const diagnostics = flags.strict ? found.map(makeStrict) : found;
  const verdict = summarise(diagnostics);
  const named = escapeControls(path);
  await printFindings({ diagnostics, sources: [source, ...definitions] }, [{ name: kind, file: path }], {
    ...call,
    summary: verdict === '' ? `${named} is a good ${kind}` : `${named} (${kind}): ${verdict}`,
  });
  return diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** A file that cannot be read is left to the build, which says why. */
async function readDocument(path: string, fileSystem: FileSystem): Promise<SourceFile | undefined> {
  try {
    if (path === '-' || (await fileSystem.kindOf(path)) !== 'file') return undefined;
    const text = await fileSystem.readText(path);
    return text.includes('launcher.gokure.dev/') ? { path, text } : undefined;
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    return undefined;
  }
}

async function readDefinitions(
  paths: readonly string[],
  fileSystem: FileSystem,
  found: Diagnostic[],
): Promise<readonly SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const path of paths) {
    try {
      sources.push({ path, text: await fileSystem.readText(path) });
    } catch (error) {
      found.push(await fileProblemWithHint(error, fileSystem));
    }
  }
  return sources;
}

const used: ReadonlySet<string> = new Set([
  'capability-def',
  'strict',
  'max-file-size',
  'format',
  'watch',
  'color',
  'help',
]);

function checkUsage({ positionals, flags }: Call, kind: string): void {
  const stranger = findGiven(
    flags,
    Object.keys(flags).filter((name) => !used.has(name)),
  );
  if (stranger === undefined) return;
  throw new UsageError(
    `--${stranger} is for what can be built`,
    `${quote(positionals[0]!)} is a ${kind}, which is checked by itself`,
  );
}

function makeStrict(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic;
}
