import { nameOf } from '../../kube/index.ts';
import type { Budget, Diagnostic, KubeObject, OriginTable, Report } from '../../model/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { applyPatches } from '../../patch/index.ts';
import type { Change, Patch, PatchFile, PatchOptions, PatchResult } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { controlNamespaces } from './control-namespaces.ts';
import { decodeDefinitions } from './decode-definitions.ts';
import type { PackageParameters, PackageRendering, PatchPackage } from './patch-package.ts';
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
  readonly trace?: ((line: string) => void) | undefined;
  /** Of the run that the package is rendered for. */
  readonly budget?: Budget | undefined;
}

/** Parameters → plan → resources → patches → namespaces. `undefined` after an error; everything that is wrong is told. */
export function renderPackage(pkg: PatchPackage, options: PackageOptions): PackageRendering | undefined {
  let failed = false;
  const report = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    options.report(diagnostic);
  };
  const { origins, layers = [], maxDepth, force, budget } = options;
  const parameters = resolvePackageParameters(pkg, layers, { report, maxDepth, budget });
  const plan = parameters === undefined ? undefined : planPatches(pkg, parameters, { report, force });
  const { objects: base, references } = readResources(pkg, {
    parameters,
    origins,
    report,
    store: options.store,
    budget,
  });
  if (failed || parameters === undefined || plan === undefined) return undefined;
  for (const { patch, reason } of plan.enabled) {
    if (reason.type === 'required') options.trace?.(`patch enabled: ${patch.id} is required by ${reason.by.id}`);
  }
  const files = plan.enabled.map(({ patch }) => patch.file);
  const patching = patchingOf(base, { ...options, report, pkg, parameters });
  const found: Diagnostic[] = [];
  const patched = applyPatches(base, files, { ...patching, report: (diagnostic) => found.push(diagnostic) });
  const { objects, generated, excluded } = controlNamespaces(patched.objects, {
    parameters,
    decided: decisionsOf(patched, base),
    report,
  });
  const file = pkg.layers[0]!.source.path;
  for (const object of generated) origins.set(object, { renderer: 'patch-package', source: pkg.path, file });
  const made = patchNamespaces(generated, { files, options: patching, found, report: patching.report });
  if (failed) return undefined;
  const late = made.changes.map((change) => ({ ...change, index: base.length + change.index }));
  return {
    package: pkg,
    parameters,
    plan,
    base,
    references,
    changes: late.length === 0 ? patched.changes : [...patched.changes, ...late],
    objects: [...made.objects, ...objects],
    generated,
    excluded,
  };
}

interface Applying extends PackageOptions {
  readonly pkg: PatchPackage;
  readonly parameters: PackageParameters;
}

function patchingOf(base: readonly KubeObject[], applying: Applying): PatchOptions {
  const { pkg, parameters, store, origins, report, trace, budget } = applying;
  const definitions = decodeDefinitions(pkg, base, { report, budget });
  return {
    report(diagnostic) {
      // Parts that are off are the point of a package, and nothing to be told on every build.
      if (diagnostic.code !== 'object-left-out') report(diagnostic);
    },
    origins,
    store: store?.with([...definitions.keys()], (definition) => definitions.get(definition) ?? pkg.path),
    variables: { scope: 'package', values: parameters.values, writtenAt: parameters.writtenAt },
    trace,
    // A patch decides a field also where the value was the same before.
    unchanged: true,
    budget,
  };
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

interface GeneratedPatching {
  readonly files: readonly PatchFile[];
  readonly options: PatchOptions;
  /** What was found when the same files were applied to the objects of the package. */
  readonly found: readonly Diagnostic[];
  readonly report: Report;
}

/**
 * Which Namespaces are missing is known only behind the patches, so those that are made are patched on their own: by the
 * patches that name a Namespace. Tells what is left to tell of both.
 */
function patchNamespaces(
  generated: readonly KubeObject[],
  { files, options, found, report }: GeneratedPatching,
): { readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] } {
  const named = generated.length === 0 ? [] : files.map(onlyNamespaces).filter(({ patches }) => patches.length > 0);
  const late: Diagnostic[] = [];
  const patched = applyPatches(generated, named, { ...options, report: (diagnostic) => late.push(diagnostic) });
  const targets = new Set(named.flatMap(({ patches }) => patches.map(({ target }) => targetOf(target))));
  const missedAgain = new Set(late.filter(isMiss).map(({ location }) => JSON.stringify(location)));
  // What one of the two has is there.
  const isHit = (diagnostic: Diagnostic): boolean => {
    const target = JSON.stringify(diagnostic.location);
    return isMiss(diagnostic) && targets.has(target) && !missedAgain.has(target);
  };
  const left = found.filter((diagnostic) => !isHit(diagnostic));
  const reported = new Set(left.map((diagnostic) => JSON.stringify(diagnostic)));
  for (const diagnostic of left) report(diagnostic);
  for (const diagnostic of late) {
    if (!isMiss(diagnostic) && !reported.has(JSON.stringify(diagnostic))) report(diagnostic);
  }
  return patched;
}

function onlyNamespaces(file: PatchFile): PatchFile {
  return { ...file, patches: file.patches.filter(namesNamespace) };
}

function namesNamespace({ target }: Patch): boolean {
  if (target.type === 'header') return /^(?:namespaces?|ns)$/i.test(target.kind.text);
  return target.type === 'text' && /^(?:namespaces?|ns)\./i.test(target.text.text);
}

function targetOf(target: Patch['target']): string | undefined {
  return 'location' in target ? JSON.stringify(target.location) : undefined;
}

function isMiss({ code }: Diagnostic): boolean {
  return code === 'patch-target-not-found' || code === 'patch-no-match';
}
