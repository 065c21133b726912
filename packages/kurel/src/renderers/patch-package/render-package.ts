import { nameOf } from '../../kube/index.ts';
import type { Diagnostic, KubeObject, OriginTable, Report } from '../../model/index.ts';
import { findParameterOrigin } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { applyPatches } from '../../patch/index.ts';
import type { PatchResult } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { decodeDefinitions } from './decode-definitions.ts';
import { controlNamespaces } from './control-namespaces.ts';
import type { PackageParameters, PackageRendering, PatchPackage, PatchPlan } from './patch-package.ts';
import { planPatches } from './plan-patches.ts';
import { readResources } from './read-resources.ts';
import { resolvePackageParameters } from './resolve-package-parameters.ts';

export interface PackageOptions {
  readonly report: Report;
  readonly origins: OriginTable;
  /** `--values` and `--set`, later ones win; they outrank the local extension. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Types and merge keys for patches; the CRDs of the package are added. */
  readonly store?: SchemaStore | undefined;
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  readonly maxDepth?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  /** Also records what patches say and was so already. */
  readonly unchanged?: boolean | undefined;
}

/** Parameters → plan → resources → patches → namespaces. `undefined` after an error; everything that is wrong is told. */
export function renderPackage(pkg: PatchPackage, options: PackageOptions): PackageRendering | undefined {
  let failed = false;
  const report = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error' || (options.strict === true && diagnostic.severity === 'warning');
    options.report(diagnostic);
  };
  const { origins, layers = [], maxDepth, force } = options;
  const parameters = resolvePackageParameters(pkg, layers, { report, maxDepth });
  const plan = parameters === undefined ? undefined : planPatches(pkg, parameters, { report, force });
  const { objects: base, references } = readResources(pkg, {
    values: parameters?.values,
    origins,
    report,
    store: options.store,
  });
  if (failed || parameters === undefined || plan === undefined) return undefined;
  const patched = applyPlan(base, { ...options, report, pkg, plan, parameters });
  const { objects, generated, excluded } = controlNamespaces(patched.objects, {
    values: parameters.values,
    decided: decisionsOf(patched, base),
    locate: (path) => findParameterOrigin(parameters.layers, path)?.location,
    report,
  });
  if (failed) return undefined;
  const file = pkg.layers[0]!.source.path;
  for (const object of generated) origins.set(object, { renderer: 'patch-package', source: pkg.path, file });
  return { package: pkg, parameters, plan, base, references, changes: patched.changes, objects, generated, excluded };
}

interface Applying extends PackageOptions {
  readonly pkg: PatchPackage;
  readonly plan: PatchPlan;
  readonly parameters: PackageParameters;
}

function applyPlan(base: readonly KubeObject[], applying: Applying): PatchResult {
  const { pkg, plan, parameters, store, origins, report, strict, trace, unchanged } = applying;
  const definitions = decodeDefinitions(pkg, base, report);
  const files = plan.enabled.map(({ patch }) => patch.file);
  return applyPatches(base, files, {
    // Parts that are off are the point of a package, and nothing to be told on every build.
    report: (diagnostic) => (diagnostic.code === 'object-left-out' ? undefined : report(diagnostic)),
    origins,
    store: store?.with([...definitions.keys()], (definition) => definitions.get(definition) ?? pkg.path),
    variables: { scope: 'package', values: parameters.values },
    missingTarget: strict === true ? 'error' : 'warning',
    trace,
    unchanged,
  });
}

/** What patches say about Namespaces by `enabled`, by the name of the Namespace. */
function decisionsOf({ enabled }: PatchResult, base: readonly KubeObject[]): ReadonlyMap<string, boolean> {
  return new Map(
    [...enabled].flatMap(([index, value]): [string, boolean][] => {
      const object = base[index]!;
      return object.kind === 'Namespace' ? [[nameOf(object), value]] : [];
    }),
  );
}
