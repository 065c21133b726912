import { DiagnosticError } from '../diagnostics/index.ts';
import { applyAssignment, deepMerge, parseAssignment, readValues } from '../index.ts';
import type { Assignment, Form } from '../index.ts';
import type { Budget, Diagnostic, FileSystem, SourceFile, Values } from '../model/index.ts';
import { fileProblemWithHint } from './file-problem.ts';
import { cliProblems } from './problems.ts';

export interface ValueFlags {
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly 'set-string': readonly string[];
}

export interface ValuesReading {
  /** All of them together; of layered ones only those from files. */
  readonly values: Values;
  /** One by one, later ones win. */
  readonly given: readonly GivenValues[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
}

/** A values file, or one assignment. */
export type GivenValues = { readonly source: SourceFile; readonly data: Values } | Assignment;

export interface ValueOptions {
  /**
   * `layered` values go over the parameters of a package, so assignments alone need not fit together; the declarations of
   * `declared` ones say what a string means. Those of other inputs may be for a chart, which reads YAML as Kubernetes does.
   */
  readonly reading?: Form['values'] | 'core';
  readonly budget?: Budget | undefined;
}

/** Layers, later wins: each `--values` in order, each `--set`, each `--set-string`. All problems of all of them are found. */
export async function readValueFlags(
  flags: ValueFlags,
  fileSystem: FileSystem,
  { reading = 'core', budget }: ValueOptions = {},
): Promise<ValuesReading> {
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const given: GivenValues[] = [];
  let values: Values = {};
  for (const path of flags.values) {
    try {
      const source = { path, text: await fileSystem.readText(path) };
      sources.push(source);
      const words = reading === 'plain' ? 'kubernetes' : 'core';
      const data = readValues(source, (diagnostic) => diagnostics.push(diagnostic), { words, budget });
      if (data === undefined) continue;
      const misplaced = findDocument(source, data);
      if (misplaced !== undefined) {
        diagnostics.push(misplaced);
        continue;
      }
      given.push({ source, data });
      values = deepMerge(values, data);
    } catch (error) {
      diagnostics.push(await fileProblemWithHint(error, fileSystem));
    }
  }
  const assignments = [
    ...flags.set.map((text, index) => ({ text, path: `--set[${index}]`, type: 'typed' as const })),
    ...flags['set-string'].map((text, index) => ({ text, path: `--set-string[${index}]`, type: 'text' as const })),
  ];
  for (const { type, ...source } of assignments) {
    try {
      sources.push(source);
      const assignment = parseAssignment(source, reading === 'declared' ? 'text' : type);
      given.push(assignment);
      if (reading === 'plain' || reading === 'core') values = applyAssignment(values, assignment);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      for (const diagnostic of error.diagnostics) diagnostics.push(diagnostic);
    }
  }
  return { values, given, diagnostics, sources };
}

/** Each of its keys would be unknown; one finding says what the file is. */
function findDocument({ path }: SourceFile, { apiVersion, kind }: Values): Diagnostic | undefined {
  const isDocument = typeof apiVersion === 'string' && apiVersion.startsWith('launcher.gokure.dev/');
  if (!isDocument || typeof kind !== 'string') return undefined;
  return cliProblems.create('values-document', { path, kind }, { location: { file: path, path: ['kind'] } });
}
