import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Budget, Json, Report, SourceFile, Values } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import type { YamlWords } from '../yaml/index.ts';
import { parameterProblems } from './problems.ts';

interface ReadValuesOptions {
  /** `core` for package parameters and patch variables; defaults to `kubernetes`, which is how helm reads its values. */
  readonly words?: YamlWords;
  /** The budget of the run. */
  readonly budget?: Budget | undefined;
  /** How findings call the file; defaults to `a values file`. */
  readonly file?: string;
}

/** One values file → values; an empty file has none. `undefined` when something was reported. */
export function readValues(
  source: SourceFile,
  report: Report,
  { words = 'kubernetes', budget, file }: ReadValuesOptions = {},
): Values | undefined {
  const { documents, diagnostics } = readYaml(source, { words, budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  const [first, second] = filled;
  if (first === undefined) return {};
  if (second === undefined && isJsonObject(first.data)) return first.data;
  const found = second === undefined ? describe(first.data!) : `${filled.length} documents`;
  const location = { file: source.path, document: (second ?? first).index, path: [] };
  const text = second === undefined && typeof first.data === 'string' ? first.data : undefined;
  report(parameterProblems.create('values-not-a-mapping', { file, found, text }, { location }));
  return undefined;
}

function describe(data: Json): string {
  if (isJsonArray(data)) return 'a list';
  if (typeof data === 'string') return 'a string';
  return typeof data === 'boolean' ? 'a boolean' : 'a number';
}
