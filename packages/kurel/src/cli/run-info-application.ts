import {
  createCatalog,
  examineApplication,
  loadApplication,
  markedDirectory,
  rememberTexts,
  writeJson,
  writeYaml,
} from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { InfoFlags } from './commands/info.ts';
import { findGiven } from './find-given.ts';
import { openDisk } from './open-disk.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { applicationLayers } from './read-application-flags.ts';
import { readValueFlags } from './read-value-flags.ts';
import { describeApplication, formatApplication } from './report/describe-application.ts';
import { UsageError } from './usage-error.ts';

/** What an application package takes and is made of; nothing is built. */
export async function runInfoApplication({
  positionals,
  flags,
  environment,
}: CommandCall<InfoFlags>): Promise<ExitCode> {
  checkUsage(flags);
  const values = await readValueFlags(flags, openDisk(environment, { pipes: true }), { reading: 'declared' });
  const found: Diagnostic[] = [...values.diagnostics];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const texts = rememberTexts(openDisk(environment), values.sources);
  const path = markedDirectory(positionals[0]!);
  const limits = environment.limits?.package;
  const isRead = found.length === 0;
  const pkg = isRead
    ? await loadApplication({ fileSystem: texts.fileSystem, path, profile: false, limits }, report)
    : undefined;
  const options = { catalog: createCatalog(), layers: applicationLayers(values.given), report };
  const examination = pkg === undefined ? undefined : examineApplication(pkg, options);
  const ok = examination !== undefined && found.every(({ severity }) => severity !== 'error');
  if (ok) {
    const data = describeApplication(examination);
    const { format = 'text' } = flags;
    environment.writeStdout(
      format === 'json' ? `${writeJson(data)}\n` : format === 'yaml' ? writeYaml(data) : formatApplication(examination),
    );
  }
  const sources = [...values.sources, ...(await texts.sourcesOf(found))];
  await printDiagnostics({ diagnostics: found, sources }, { format: 'text', color: flags.color }, environment);
  return ok ? 0 : found.some(({ code }) => code === 'set-syntax') ? 2 : 1;
}

function checkUsage(flags: CommandCall<InfoFlags>['flags']): void {
  const stranger = findGiven(flags, ['all', 'local', 'no-local', 'enable', 'max-depth', 'max-resources']);
  if (stranger !== undefined)
    throw new UsageError(`--${stranger} is for patch packages`, 'PKG is an application package');
}
