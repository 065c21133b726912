import {
  createCatalog,
  createValuesSchema,
  examineApplication,
  loadApplication,
  markedDirectory,
  rememberTexts,
} from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { openDisk } from './open-disk.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { findGiven } from './find-given.ts';
import { checkMade, ofPatchPackages } from './schema-flags.ts';
import { UsageError } from './usage-error.ts';
import { writeSchemaText } from './write-schema-text.ts';

/** Prints the schema of the values of an application package, which its declarations say whole. */
export async function runSchemaValues({
  positionals,
  flags,
  environment,
}: CommandCall<SchemaFlags>): Promise<ExitCode> {
  checkMade(flags);
  const stranger = findGiven(flags, [...ofPatchPackages, 'crds', 'kubernetes-version']);
  if (stranger !== undefined) {
    const hint = stranger === 'write' ? 'name the file: -o FILE' : 'an application package declares its parameters';
    throw new UsageError(`--${stranger} is for patch packages`, hint);
  }
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const texts = rememberTexts(openDisk(environment), []);
  const path = markedDirectory(positionals[1]!);
  const limits = environment.limits?.package;
  const pkg = await loadApplication({ fileSystem: texts.fileSystem, path, profile: false, limits }, report);
  const options = { catalog: createCatalog(), layers: [], report };
  const examination = pkg === undefined ? undefined : examineApplication(pkg, options);
  const ok = examination !== undefined && found.every(({ severity }) => severity !== 'error');
  if (ok) {
    const schema = createValuesSchema(examination.declarations, { optional: examination.optional });
    for (const diagnostic of writeSchemaText(schema, flags.output, environment)) found.push(diagnostic);
  }
  const findings = { diagnostics: found, sources: await texts.sourcesOf(found) };
  await printDiagnostics(findings, { format: 'text', color: flags.color }, environment);
  return found.every(({ severity }) => severity !== 'error') ? 0 : 1;
}
