import { positionAt } from '../../diagnostics/index.ts';
import { locateInYaml } from '../../index.ts';
import type { FieldTrace, ParameterTrace } from '../../index.ts';
import type { Location, SourceFile } from '../../model/index.ts';

export interface Place {
  readonly file: string;
  /** Absent when the location is a file as such. */
  readonly line?: number;
  readonly column?: number;
}

/** Finds the lines of all places in traces, file by file, so that each text is gone through once. */
export function findPlaces(
  traces: readonly FieldTrace[],
  sources: readonly SourceFile[],
): (location: Location) => Place {
  const steps = traces.flatMap((trace) => trace.steps);
  const parameters = steps.flatMap((step) => withReferences(step.parameters));
  const locations = [...steps, ...parameters].flatMap(({ location }) => location ?? []);
  const texts = new Map(sources.map((source) => [source.path, source]));
  const found = new Map<Location, Place>();
  for (const location of locations.toSorted(byFile)) {
    const source = texts.get(location.file);
    found.set(location, source === undefined ? { file: location.file } : look(source, location));
  }
  return (location) => found.get(location) ?? { file: location.file };
}

function byFile(a: Location, b: Location): number {
  return a.file < b.file ? -1 : Number(a.file > b.file);
}

function withReferences(parameters: readonly ParameterTrace[]): readonly ParameterTrace[] {
  return parameters.flatMap((parameter) => [parameter, ...withReferences(parameter.refersTo)]);
}

function look(source: SourceFile, location: Location): Place {
  const { file, document, path } = location;
  const isWhole = document === undefined && path === undefined && location.range === undefined;
  const range = isWhole ? undefined : locateInYaml(source, location);
  return range === undefined ? { file } : { file, ...positionAt(source.text, range.start) };
}
