import { quote } from '../diagnostics/index.ts';
import { checkDocument, createCatalog } from '../index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { fileProblemWithHint } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import type { Findings } from './print-diagnostics.ts';
import { checkLine } from './report/format-report.ts';
import { findGiven, UsageError } from './usage-error.ts';
import type { InputValidation } from './validate-input.ts';

export interface DocumentFlags {
  readonly 'capability-def': readonly string[];
  readonly strict: boolean;
}

export interface DocumentValidation extends InputValidation {
  readonly kind: string;
}

/** Validates a profile, policy or other kurel document by itself; `undefined` if the path is not such a file. */
export async function validateDocument(
  path: string,
  flags: DocumentFlags,
  environment: Environment,
): Promise<DocumentValidation | undefined> {
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
  const findings =
    kind === 'Fleet'
      ? await validateFleet(path, environment)
      : { diagnostics: found, sources: [source, ...definitions] };
  const diagnostics = flags.strict ? findings.diagnostics.map(makeStrict) : findings.diagnostics;
  return {
    kind,
    diagnostics,
    sources: findings.sources,
    subjects: [{ name: kind, file: path }],
    describe: (shown) => ({
      checks: [checkLine(`Valid ${kind}`, `Not a valid ${kind}`, shown)],
      objects: [],
      diagnostics: shown,
    }),
  };
}

/** The file with its targets, whose paths must exist and whose packages must be locked. */
async function validateFleet(path: string, environment: Environment): Promise<Findings> {
  const { openFleet } = await import('./fleet/open-fleet.ts');
  const { relocate } = await import('./fleet/run-fleet.ts');
  const { reportUnlocked } = await import('../fleet/index.ts');
  const opened = await openFleet(path, environment);
  const unlocked = opened.fleet === undefined ? [] : reportUnlocked(opened.fleet);
  return relocate({ ...opened, diagnostics: [...opened.diagnostics, ...unlocked] }, { opened, environment });
}

/** The build reports why a file cannot be read. */
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

/** Rejects flags that have no effect on a document. */
export function checkDocumentUsage(
  flags: Readonly<Record<string, unknown>>,
  { path, kind }: { readonly path: string; readonly kind: string },
): void {
  const stranger = findGiven(
    flags,
    Object.keys(flags).filter((name) => !used.has(name)),
  );
  if (stranger === undefined) return;
  throw new UsageError(
    `--${stranger} is only for builds`,
    `remove it: ${quote(path)} is a ${kind}, which is validated by itself`,
  );
}

function makeStrict(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic;
}
