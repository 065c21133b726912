import { getOrAdd, reportExhaustion } from '../../../budget/index.ts';
import { createOriginTable } from '../../../engine/index.ts';
import { locateObject } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, isKubeObject, stepInto } from '../../../model/index.ts';
import type { Json, KubeObject, Location, Path, Report, Values } from '../../../model/index.ts';
import {
  createResourceSubstitution,
  formatReferencePath,
  locateInValues,
  parseTemplate,
  referencesIn,
  wholeReference,
} from '../../../parameters/index.ts';
import { enterField, nameOfField, traceObject, traceReferences } from '../../../patch/index.ts';
import type { TracedReference } from '../../../patch/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import type { PatchPackage } from '../patch-package.ts';
import { readResources } from '../read-resources.ts';
import { addDefinitions } from '../render-package.ts';

/** A use of a parameter, or of something inside it. */
export interface ParameterUse extends Pick<TracedReference, 'role' | 'field' | 'location'> {
  /** The patch that the parameter enables. */
  readonly enables?: string | undefined;
  /** The field is a key of the parameter's own value, such as one of its labels, so its presence says nothing. */
  readonly isEntry?: boolean | undefined;
}

export interface UsedParameter extends ParameterUse {
  readonly parameter: Path;
}

interface UseOptions {
  readonly store: SchemaStore | undefined;
  /** Values of the package alone, with resolved references. */
  readonly values: Values;
  /** Values of the build; defaults to those of the package. */
  readonly buildValues?: Values | undefined;
}

const silent: Report = () => undefined;

/** All references to parameters in a package: in resources, patches, patch metadata and parameters themselves. */
export function listUses(
  pkg: PatchPackage,
  { store, values, buildValues = values }: UseOptions,
): readonly UsedParameter[] {
  const origins = createOriginTable();
  const { objects } = readResources(pkg, { parameters: undefined, origins, report: silent, store });
  const ownStore = addDefinitions(store, { package: pkg, base: objects }, { report: silent });
  const inResources = objects.flatMap((object) =>
    traceObject(object, { store: ownStore, location: locateObject(object, origins)! }),
  );
  const inPatches = traceReferences(
    pkg.patches.map(({ file }) => file),
    { objects: fill(objects, values), store: ownStore, variables: { scope: 'package', values } },
  );
  return [
    // In a manifest, only a name that starts with a parameter is a reference; others may be shell variables.
    ...inResources.filter(({ parameter: [first] }) => typeof first === 'string' && Object.hasOwn(buildValues, first)),
    ...inPatches,
    ...pkg.patches.flatMap(({ id, sidecar }) => {
      if (typeof sidecar?.enabled !== 'string') return [];
      const location = { file: sidecar.source.path, document: 0, path: ['enabled'] };
      return usesIn(sidecar.enabled, { role: 'enabled', field: undefined, enables: id, location });
    }),
    ...pkg.layers.flatMap(({ source, data }) => inParameters(data, locateInValues(source, []))),
  ];
}

function fill(objects: readonly KubeObject[], values: Values): readonly KubeObject[] {
  const substitution = createResourceSubstitution({ values }, { report: silent });
  return objects.flatMap((object) => {
    const filled = reportExhaustion(() => substitution.fillTree(object, { locate: () => ({ file: '' }) }).data, silent);
    return filled !== undefined && isKubeObject(filled) ? [filled] : [];
  });
}

/** Has no effect on types: a parameter that refers to another passes on its own uses. */
function inParameters(data: Json, location: Location): readonly UsedParameter[] {
  if (typeof data === 'string') return usesIn(data, { role: 'whole', field: undefined, location });
  const entries = isJsonArray(data) ? data.entries() : isJsonObject(data) ? Object.entries(data) : [];
  return Array.from(entries as Iterable<readonly [string | number, Json]>).flatMap(([step, value]) =>
    inParameters(value, { ...location, path: [...(location.path ?? []), step] }),
  );
}

function usesIn(text: string, use: ParameterUse): readonly UsedParameter[] {
  return referencesIn(text).flatMap(({ path }) => (path === undefined ? [] : [{ ...use, parameter: path }]));
}

export type UsesOf = (path: Path) => readonly ParameterUse[];

// More add no information; an object of labels is used by every object of a package.
const mostUses = 50;
const mostHops = 50;
// Each use of a list counts for all its items; real packages have far fewer.
const mostInAll = 100_000;

/**
 * Uses of all parameters: a use of an object is a use of everything in it, and a parameter that is a single reference passes its
 * uses on.
 */
export function collectUses(used: readonly UsedParameter[], values: Values): UsesOf {
  const usesOf = new Map<string, Map<string, ParameterUse>>();
  let left = mostInAll;
  for (const { parameter, ...use } of used) spread(parameter, use, 0);
  return (path) => [...(usesOf.get(formatReferencePath(path))?.values() ?? [])];

  function spread(path: Path, use: ParameterUse, hops: number): void {
    let value: Json | undefined = values;
    for (const [index, step] of path.entries()) {
      if (typeof value === 'string') return follow(value, path.slice(index), { use, hops });
      value = stepInto(value, step);
      if (value === undefined) return;
    }
    if (!remember(path, use)) return;
    if (typeof value === 'string') return follow(value, [], { use, hops });
    const { role, field } = use;
    if (role !== 'whole' || field === undefined || typeof value !== 'object' || value === null) return;
    const steps = isJsonArray(value) ? value.keys() : Object.keys(value);
    const isEntry = use.isEntry === true || field.node?.values?.type === 'string';
    for (const step of steps) spread([...path, step], { ...use, isEntry, field: enterField(field, step) }, hops);
  }

  /** Follows the references in the value of a parameter. */
  function follow(
    text: string,
    rest: Path,
    { use, hops }: { readonly use: ParameterUse; readonly hops: number },
  ): void {
    if (!text.includes('${') || hops >= mostHops) return;
    const template = parseTemplate(text);
    const whole = wholeReference(template);
    for (const part of template.parts) {
      if (typeof part === 'string' || part.path === undefined) continue;
      const { field, location } = use;
      if (part === whole) spread([...part.path, ...rest], use, hops + 1);
      else if (rest.length === 0) spread(part.path, { role: 'part', field, location }, hops + 1);
    }
  }

  /** Whether the use is new. */
  function remember(path: Path, use: ParameterUse): boolean {
    if (left === 0) return false;
    const name = formatReferencePath(path);
    const uses = getOrAdd(usesOf, name, () => new Map<string, ParameterUse>());
    const field = use.field === undefined ? '' : `${nameOfField(use.field)} ${use.field.node?.type ?? ''}`;
    const key = `${use.role} ${field} ${use.enables ?? ''} ${use.location.file}`;
    if (uses.has(key) || uses.size >= mostUses) return false;
    left -= 1;
    uses.set(key, use);
    return true;
  }
}
