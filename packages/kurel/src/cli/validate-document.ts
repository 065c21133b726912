import { checkDocument, createCatalog, readPatchFile } from '../index.ts';
import type { Diagnostic, Report, SourceFile } from '../model/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { fileProblemWithHint } from './file-problem.ts';
import type { InputFlags } from './input-flags.ts';
import { openDisk } from './open-world.ts';
import { checkLine } from './report/format-report.ts';
import { asErrors } from './sourced-findings.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { isPatchFile } from './validate-input.ts';
import type { DocumentValidation } from './validate-input.ts';

/** Validates a file that is read for a build, but not built, by itself; `undefined` if it is not such a file. */
export async function validateDocument(
  source: SourceFile,
  flags: Pick<FlagValues<InputFlags>, 'capability-def' | 'strict'>,
  environment: Environment,
): Promise<DocumentValidation | undefined> {
  const fileSystem = openDisk(environment);
  const { path } = source;
  const problems: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void problems.push(diagnostic);
  const definitions: SourceFile[] = [];
  for (const definition of flags['capability-def']) {
    try {
      definitions.push({ path: definition, text: await fileSystem.readText(definition) });
    } catch (error) {
      report(await fileProblemWithHint(error, fileSystem));
    }
  }
  const kind = isPatchFile(path)
    ? checkPatchFile(source, report)
    : checkDocument(source, { catalog: createCatalog(), definitions, report });
  if (kind === undefined) return undefined;
  const findings: SourcedFindings =
    kind === 'Fleet'
      ? await validateFleet(path, environment)
      : { diagnostics: problems, sources: [source, ...definitions] };
  const diagnostics = flags.strict ? asErrors(findings.diagnostics) : findings.diagnostics;
  return {
    kind,
    diagnostics,
    sources: findings.sources,
    subjects: [{ name: kind, file: path }],
    describe: (shown) => ({
      checks: [checkLine({ passed: `Valid ${kind}`, topic: kind[0]!.toUpperCase() + kind.slice(1) }, shown)],
      objects: [],
      diagnostics: shown,
    }),
  };
}

/** The file with its targets, whose paths must exist and whose packages must be locked. */
async function validateFleet(path: string, environment: Environment): Promise<SourcedFindings> {
  const { openFleet, relocate } = await import('./fleet/open-fleet.ts');
  const { problemsOf, reportUnlocked } = await import('../fleet/index.ts');
  const opened = await openFleet(path, environment);
  const { fleet } = opened;
  const ofTargets = fleet === undefined ? [] : [...problemsOf(fleet.targets), ...reportUnlocked(fleet)];
  return relocate({ ...opened, diagnostics: [...opened.diagnostics, ...ofTargets] }, { opened, environment });
}

/** Only its syntax: its targets and parameters belong to a package. */
function checkPatchFile(source: SourceFile, report: Report): string {
  readPatchFile(source, report);
  return 'patch file';
}
