import { DiagnosticError } from '../diagnostics/index.ts';
import { applyAssignment, deepMerge, parseAssignment, readValues } from '../build-api.ts';
import type { Diagnostic, FileSystem, SourceFile, Values } from '../model/index.ts';
import { fileProblem } from './file-problem.ts';

export interface ValueFlags {
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly 'set-string': readonly string[];
}

export interface ValuesReading {
  readonly values: Values;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
}

/** Layers, later wins: each `--values` in order, each `--set`, each `--set-string`. All problems of all of them are found. */
export async function readValueFlags(flags: ValueFlags, fileSystem: FileSystem): Promise<ValuesReading> {
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  let values: Values = {};
  for (const path of flags.values) {
    try {
      const source = { path, text: await fileSystem.readText(path) };
      sources.push(source);
      const layer = readValues(source, (diagnostic) => diagnostics.push(diagnostic));
      if (layer !== undefined) values = deepMerge(values, layer);
    } catch (error) {
      diagnostics.push(fileProblem(error));
    }
  }
  const assignments = [
    ...flags.set.map((text, index) => ({ text, path: `--set[${index}]`, type: 'typed' as const })),
    ...flags['set-string'].map((text, index) => ({ text, path: `--set-string[${index}]`, type: 'text' as const })),
  ];
  for (const { type, ...source } of assignments) {
    try {
      sources.push(source);
      values = applyAssignment(values, parseAssignment(source, type));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      diagnostics.push(...error.diagnostics);
    }
  }
  return { values, diagnostics, sources };
}
