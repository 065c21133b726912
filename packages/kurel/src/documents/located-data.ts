import { watchErrors } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, stepInto, valueAt } from '../model/index.ts';
import type { Json, Location, Memory, Path, Report, SourceFile } from '../model/index.ts';
import { readLexeme } from '../parameters/index.ts';
import { readYaml } from '../yaml/index.ts';
import type { ReadingOptions } from './document-findings.ts';
import { documentProblems } from './problems.ts';

/** Data and where its author wrote it. */
export interface LocatedData extends Pick<ReadingOptions, 'locate' | 'writtenAt' | 'referencesAt' | 'isMixedAt'> {
  readonly data: Json;
}

/** The single document of a kurel file; `undefined` if it is unreadable or there are several, which is reported. */
export function readOneDocument(source: SourceFile, report: Report, memory?: Memory): LocatedData | undefined {
  const watched = watchErrors(report);
  const { documents, diagnostics } = readYaml(source, { words: 'core', memory });
  for (const diagnostic of diagnostics) watched.report(diagnostic);
  const filled = documents.filter(({ data }) => data !== undefined);
  const [first, second] = filled;
  if (second !== undefined) {
    const location = { file: source.path, document: second.index };
    watched.report(documentProblems.create('document-several', { count: filled.length }, { location }));
  }
  if (watched.hasErrors()) return undefined;
  const locate = (path: Path): Location => ({ file: source.path, document: first?.index ?? 0, path });
  return {
    data: first?.data ?? null,
    locate,
    writtenAt: (location, scalar) => readLexeme(source, location, scalar),
  };
}

export function holds(data: Json | undefined, path: Path): boolean {
  return valueAt(data, path) !== undefined;
}

/** The location of the last step of the path that exists. */
export function locateNearest({ data, locate }: LocatedData, path: Path): Location {
  let value: Json | undefined = data;
  for (const [depth, step] of path.entries()) {
    value = stepInto(value, step);
    if (value === undefined) return locate(path.slice(0, depth));
  }
  return locate(path);
}

/** The items of the list at a path; none if there is no list. */
export function itemsAt(data: Json, path: Path): readonly Json[] {
  const value = valueAt(data, path);
  return isJsonArray(value) ? value : [];
}

/** The keys of the object at a path; none if there is no object. */
export function keysAt(data: Json, path: Path): readonly string[] {
  const value = valueAt(data, path);
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Calls `onText` for each string that may contain references. */
export function visitTemplates(value: Json | undefined, path: Path, onText: (text: string, path: Path) => void): void {
  const steps = [...path];
  function walk(inner: Json | undefined): void {
    if (typeof inner === 'string') {
      if (inner.includes('${')) onText(inner, [...steps]);
    } else if (isJsonArray(inner)) {
      for (let index = 0; index < inner.length; index += 1) step(index, inner[index]);
    } else if (isJsonObject(inner)) {
      for (const key of Object.keys(inner)) step(key, inner[key]);
    }
  }
  function step(to: string | number, inner: Json | undefined): void {
    steps.push(to);
    walk(inner);
    steps.pop();
  }
  walk(value);
}
