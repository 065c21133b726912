import { join } from 'node:path';

import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { createStore } from './create-store.ts';
import { openInput } from './open-input.ts';
import { openPackage } from './open-package.ts';
import { makeParameterSchema } from './parameter-schema.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { runSchemaValues } from './run-schema-values.ts';
import { checkMade } from './schema-flags.ts';
import { UsageError } from './usage-error.ts';
import { writeSchemaText } from './write-schema-text.ts';

type Call = CommandCall<SchemaFlags>;

export async function runSchemaGenerate(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const { form } = await openInput(positionals[1]!, {}, environment);
  if (form.values === 'declared') return runSchemaValues(call);
  checkUsage(flags);
  const plain = createStore(flags['kubernetes-version'], true);
  const opened = await openPackage(positionals[1]!, flags, environment);
  const definitions = await readDefinitions(flags.crds, environment);
  const diagnostics: Diagnostic[] = [...opened.diagnostics, ...definitions.diagnostics];
  const { examination } = opened;
  if (opened.ok && definitions.ok) generate();
  const isFine = diagnostics.every(({ severity }) => severity !== 'error');
  const sources = [...definitions.sources, ...(await opened.sourcesOf(diagnostics))];
  await printDiagnostics({ diagnostics, sources }, { format: 'text', color: flags.color }, environment);
  return isFine ? 0 : opened.failure;

  function generate(): void {
    const store = plain.with(definitions.definitions, definitions.sourceOf);
    const made = makeParameterSchema({
      package: examination!.package!,
      parameters: undefined,
      plan: examination!.plan,
      store,
      environment,
      isCached: !flags['no-cache'] && flags.crds.length === 0,
    });
    const target = flags.write ? join(opened.request.path, 'schemas', 'parameters.schema.json') : flags.output;
    const written = writeSchemaText(made.schema, target, environment);
    for (const diagnostic of [...made.diagnostics, ...written]) diagnostics.push(diagnostic);
  }
}

function checkUsage(flags: Call['flags']): void {
  checkMade(flags);
  if (flags.output !== undefined && flags.write)
    throw new UsageError('--output and --write cannot be combined', 'choose one of them');
}
