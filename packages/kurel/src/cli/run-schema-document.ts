import { quote } from '../diagnostics/index.ts';
import { createDocumentSchema } from '../index.ts';
import type { DocumentName } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { createStore } from './create-store.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { findGiven } from './find-given.ts';
import { checkMade, ofPatchPackages } from './schema-flags.ts';
import { UsageError } from './usage-error.ts';
import { writeSchemaText } from './write-schema-text.ts';

/** Prints the schema of a document that kurel defines. */
export async function runSchemaDocument(
  name: DocumentName,
  { positionals, flags, environment }: CommandCall<SchemaFlags>,
): Promise<ExitCode> {
  checkMade(flags);
  const [, subject] = positionals;
  if (subject !== undefined) {
    throw new UsageError(
      `schema ${name} takes no SUBJECT, but got ${quote(subject)}`,
      'the schema is the same for all',
    );
  }
  const stranger = findGiven(flags, ofPatchPackages);
  if (stranger !== undefined)
    throw new UsageError(`--${stranger} is for kurel schema generate`, 'the schema is the same for all values');
  const crds = await readDefinitions(flags.crds, environment);
  const store = createStore(flags['kubernetes-version'], true).with(crds.definitions, crds.sourceOf);
  const unwritten = crds.ok ? writeSchemaText(createDocumentSchema(name, { store }), flags.output, environment) : [];
  const diagnostics = [...crds.diagnostics, ...unwritten];
  const { sources } = crds;
  await printDiagnostics({ diagnostics, sources }, { format: 'text', color: flags.color }, environment);
  return crds.ok && unwritten.length === 0 ? 0 : 1;
}
