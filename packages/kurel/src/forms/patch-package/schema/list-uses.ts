import { reportExhaustion } from '../../../budget/index.ts';
import { createOriginTable } from '../../../engine/index.ts';
import { isJsonArray, isJsonObject, isKubeObject } from '../../../model/index.ts';
import type { Json, KubeObject, Location, Path, Report, Values } from '../../../model/index.ts';
import { createResourceSubstitution, referencesIn } from '../../../parameters/index.ts';
import { traceObject, traceReferences } from '../../../patch/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { decodeDefinitions } from '../render-package.ts';
import type { PackagePatch, PatchPackage } from '../patch-package.ts';
import { readResources } from '../read-resources.ts';
import type { ParameterUse } from './parameter-uses.ts';

export interface UsedParameter extends ParameterUse {
  readonly parameter: Path;
}

export interface UseOptions {
  readonly store: SchemaStore | undefined;
  /** Values of the package alone, with resolved references. */
  readonly values: Values;
  /** Values of the build. */
  readonly given: Values | undefined;
}

const silent: Report = () => undefined;

/** All references to parameters in a package: in resources, patches, patch metadata and parameters themselves. */
export function listUses(pkg: PatchPackage, { store, values, given = values }: UseOptions): readonly UsedParameter[] {
  const origins = createOriginTable();
  const { objects } = readResources(pkg, { parameters: undefined, origins, report: silent, store });
  const definitions = decodeDefinitions(pkg, objects, { report: silent });
  const known = store?.with([...definitions.keys()], (definition) => definitions.get(definition) ?? pkg.path);
  const inResources = objects.flatMap((object) => {
    const { source, document, path } = origins.get(object)!.text!;
    const location = { file: source.path, document, ...(path === undefined ? {} : { path }) };
    return traceObject(object, { store: known, location });
  });
  const inPatches = traceReferences(
    pkg.patches.map(({ file }) => file),
    { objects: fill(objects, values), store: known, variables: { scope: 'package', values } },
  );
  return [
    // In a manifest, only a name that starts with a parameter is a reference; others may be shell variables.
    ...inResources.filter(({ parameter: [first] }) => typeof first === 'string' && Object.hasOwn(given, first)),
    ...inPatches,
    ...pkg.patches.flatMap(besidePatch),
    ...pkg.layers.flatMap(({ source, data }) => inParameters(data, { file: source.path, document: 0, path: [] })),
  ];
}

function fill(objects: readonly KubeObject[], values: Values): readonly KubeObject[] {
  const substitution = createResourceSubstitution({ values }, { report: silent });
  return objects.flatMap((object) => {
    const filled = reportExhaustion(() => substitution.fillTree(object, { locate: () => ({ file: '' }) }).data, silent);
    return filled !== undefined && isKubeObject(filled) ? [filled] : [];
  });
}

function besidePatch({ id, sidecar }: PackagePatch): readonly UsedParameter[] {
  if (typeof sidecar?.enabled !== 'string') return [];
  const location = { file: sidecar.source.path, document: 0, path: ['enabled'] };
  return pathsIn(sidecar.enabled).map((parameter) => ({
    parameter,
    role: 'enabled',
    field: undefined,
    enables: id,
    location,
  }));
}

/** Has no effect on types: a parameter that refers to another passes on its own uses. */
function inParameters(data: Json, location: Location): readonly UsedParameter[] {
  if (typeof data === 'string') {
    return pathsIn(data).map((parameter) => ({ parameter, role: 'whole', field: undefined, location }));
  }
  const entries = isJsonArray(data) ? data.entries() : isJsonObject(data) ? Object.entries(data) : [];
  return Array.from(entries as Iterable<readonly [string | number, Json]>).flatMap(([step, value]) =>
    inParameters(value, { ...location, path: [...(location.path ?? []), step] }),
  );
}

function pathsIn(text: string): readonly Path[] {
  return referencesIn(text).flatMap(({ path }) => (path === undefined ? [] : [path]));
}
