import { join, resolve } from 'node:path';

import { writeJson } from '../index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import { writeOutputFile } from '../host/index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { createStore } from './create-store.ts';
import { openPackage } from './open-package.ts';
import { makeParameterSchema } from './parameter-schema.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { UsageError } from './usage-error.ts';

type Call = CommandCall<SchemaFlags>;

export async function runSchemaGenerate(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
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
    diagnostics.push(...made.diagnostics);
    const text = `${writeJson(made.schema)}\n`;
    const target = flags.write ? join(opened.request.path, 'schemas', 'parameters.schema.json') : flags.output;
    if (target === undefined || target === '-') environment.writeStdout(text);
    else write(target, text);
  }

  function write(target: string, text: string): void {
    const { workingDirectory } = environment;
    // Messages should say the path as it was written, which only works from the directory it was written in.
    const path = workingDirectory === process.cwd() ? target : resolve(workingDirectory, target);
    try {
      writeOutputFile(path, text);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      diagnostics.push(...error.diagnostics);
    }
  }
}

function checkUsage({ output, write, recursive, format }: Call['flags']): void {
  if (output === '') throw new UsageError('--output is empty', '--output FILE');
  if (output !== undefined && write)
    throw new UsageError('--output and --write cannot be combined', 'choose one of them');
  if (recursive) throw new UsageError('--recursive is for kurel schema show', 'a generated schema is always whole');
  if (format === 'text') throw new UsageError('a generated schema cannot be text', 'leave out --format: it is JSON');
}
