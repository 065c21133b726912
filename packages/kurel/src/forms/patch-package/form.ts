import { isKubeObject } from '../../model/index.ts';
import type { KubeObject, Origin, OriginTable, RenderContext } from '../../model/index.ts';
import { parseReferencePath } from '../../parameters/index.ts';
import {
  beginProvenance,
  causesOfText,
  createFindParameter,
  groupBy,
  once,
  placeOf,
  removalsIn,
  stageOfPatches,
  traceParameters,
} from '../../provenance/index.ts';
import type { CausesOf, FindParameter, ObjectHistory, Provenance, Rendering } from '../../provenance/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { InputRequest } from '../form.ts';
import { placeInNamespace } from '../put-in-namespace.ts';
import { renderPatchPackage } from './patch-package-renderer.ts';
import type { PackageParameters, PackageRendering } from './patch-package.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, store, namespace, values = {} } = request;
  const result = await renderPatchPackage({ fileSystem, path, store, namespace, ...request.package }, values, context);
  const { parameters, excluded } = result;
  const rendering: Rendering = {
    objects: result.objects,
    provenance: packageProvenance(result, { origins: context.origins, store }),
    facts: {
      ...result.facts,
      name: result.package.metadata.name,
      isPhased: true,
      createsNamespaces: true,
      namespacesElsewhere: excluded,
      parameters: { values: parameters.values, writtenAt: parameters.writtenAt, find: findInPackage(parameters) },
    },
  };
  return placeInNamespace(rendering, { namespace, which: 'all' }, context);
}

interface Known {
  readonly origins: OriginTable;
  /** Source of types and merge keys for the patches. */
  readonly store: (() => SchemaStore) | undefined;
}

/** Provenance of the objects of a patch package: texts with parameters, then patches. */
function packageProvenance(result: PackageRendering, { origins, store }: Known): Provenance {
  const { package: pkg, base, generated, references, changes, plan, parameters } = result;
  const findParameter = findInPackage(parameters);
  const patches = stageOfPatches({
    origins,
    objects: [...base, ...generated],
    changes,
    files: plan.enabled.map(({ patch }) => patch.file),
    findParameter,
    store: () => store?.().with([...base, ...definitionsOf(result)], () => pkg.path),
  });
  const startOf = once(() => new Map([...base, ...generated].map((object) => [origins.get(object), object])));
  const made = new Set(generated);
  const referencesOf = once(() => groupBy(references, ({ object }) => object));

  function beginningOf(origin: Origin, start: KubeObject): Omit<ObjectHistory, 'events'> {
    if (made.has(start)) return { start, causesOf: causesOfNamespace(findParameter) };
    const fills = (referencesOf().get(start) ?? []).flatMap(({ path, parameter }) => {
      const steps = parseReferencePath(parameter);
      return steps === undefined ? [] : [{ path, parameter: steps }];
    });
    const parsed = origin.text?.parsed ?? start;
    return { start, causesOf: causesOfText({ ...placeOf(origin), parsed, filled: start, fills, findParameter }) };
  }

  return beginProvenance({
    origins,
    objects: result.objects,
    historyOf(origin) {
      const start = startOf().get(origin);
      return start === undefined ? undefined : { ...beginningOf(origin, start), events: patches.eventsOf(origin) };
    },
    texts: () => [...patches.texts!(), ...parameters.layers.map(({ source }) => source)],
    removed: () => removalsIn(changes),
  });
}

function definitionsOf({ package: { definitions } }: PackageRendering): readonly KubeObject[] {
  return definitions.flatMap((file) =>
    readYaml(file).documents.flatMap(({ data }) => (isKubeObject(data) ? [data] : [])),
  );
}

/** In the patches of a package, `values.x` and `features.x` are aliases of `x`. */
function findInPackage(parameters: PackageParameters): FindParameter {
  const find = createFindParameter(parameters);
  return (path) => {
    const [first] = path;
    const isAlias = (first === 'values' || first === 'features') && !Object.hasOwn(parameters.values, first);
    return find(isAlias ? path.slice(1) : path);
  };
}

const createSetting = ['global', 'namespaces', 'create'];

/** A generated Namespace has the global labels and annotations. */
function causesOfNamespace(find: FindParameter): CausesOf {
  return (path) => {
    const [field, group, key] = path;
    const isShared = field === 'metadata' && path.length === 3;
    const shared = isShared ? traceParameters([['global', group!, key!]], find) : [];
    const parameters = shared.length > 0 ? shared : traceParameters([createSetting], find);
    return [{ kind: 'generated', words: 'created for the objects in it', parameters, isExplicit: true }];
  };
}
