import { findParameterOrigin, traceReferences } from '../index.ts';
import type { BuildResult, PackageRendering } from '../index.ts';
import type { Diagnostic, KubeObject, Path } from '../model/index.ts';

/**
 * Findings without those about a field whose value is a parameter that was refused already: one mistake is told once, where
 * it was made.
 */
export function dropConsequences(
  { diagnostics, package: rendering, origins }: BuildResult,
  refused: readonly Path[],
): readonly Diagnostic[] {
  if (rendering === undefined || refused.length === 0) return diagnostics;
  const fields = new Set(
    fieldsOf(rendering, refused).flatMap(({ object, path }) => {
      const text = origins.get(object)?.text;
      return text === undefined ? [] : [keyOf(text.source.path, text.document, [...(text.path ?? []), ...path])];
    }),
  );
  const uses = new Set(usesOf(rendering, refused));
  const { layers } = rendering.parameters;
  const given = new Set(refused.map((path) => JSON.stringify(findParameterOrigin(layers, path)?.location)));
  return diagnostics.filter(({ code, location, related = [] }) => {
    if (related.some((note) => given.has(JSON.stringify(note.location)))) return false;
    if (location?.path === undefined || location.document === undefined) {
      return code !== 'type-mismatch' || !uses.has(JSON.stringify(location));
    }
    const { file, document, path } = location;
    return !path.some((_, index) => fields.has(keyOf(file, document, path.slice(0, index + 1))));
  });
}

interface Field {
  readonly object: KubeObject;
  readonly path: Path;
}

/** Where the refused parameters end, in the objects as they were before patches. */
function fieldsOf(
  { base, generated, changes, references }: PackageRendering,
  refused: readonly Path[],
): readonly Field[] {
  const objects = [...base, ...generated];
  const patched = changes.flatMap(({ index, path, variables }) =>
    variables.flatMap((variable) => restsOf(variable, refused).map((rest) => ({ index, path: [...path, ...rest] }))),
  );
  const filled = references.flatMap(({ object, path, parameter }) =>
    restsOf(parameter, refused).map((rest) => ({ object, path: [...path, ...rest] })),
  );
  return [...patched.map(({ index, path }) => ({ object: objects[index]!, path })), ...filled];
}

/** Of a mapping that is put somewhere whole, only a part may be refused. */
function restsOf(variable: string, refused: readonly Path[]): readonly Path[] {
  const steps = variable.split('.');
  return refused.flatMap((path) =>
    steps.every((step, index) => path[index] === step) ? [path.slice(steps.length)] : [],
  );
}

/** Where patches say a refused parameter. */
function usesOf({ plan, parameters }: PackageRendering, refused: readonly Path[]): readonly string[] {
  const names = new Set(refused.map((path) => path.join('.')));
  const files = plan.enabled.map(({ patch }) => patch.file);
  const variables = { scope: 'package', values: parameters.values } as const;
  return traceReferences(files, { objects: [], store: undefined, variables })
    .filter(({ parameter }) => names.has(parameter.join('.')))
    .map(({ location }) => JSON.stringify(location));
}

function keyOf(file: string, document: number, path: Path): string {
  return JSON.stringify([file, document, path]);
}
