import { decodeObjects, nameOf } from '../../kube/index.ts';
import type { Budget, Diagnostic, KubeObject, OriginTable, Report } from '../../model/index.ts';
import { applyPatches } from '../../patch/index.ts';
import type { Change, Patch, PatchFile, PatchOptions, PatchResult } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { controlNamespaces } from './control-namespaces.ts';
import type {
  EnabledPatch,
  ExaminedPackage,
  PackageParameters,
  PackagePatch,
  PackageRendering,
  PatchPackage,
} from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { readResources } from './read-resources.ts';

export interface PackageOptions {
  readonly report: Report;
  readonly origins: OriginTable;
  /** Types and merge keys for patches; the CRDs of the package are added. */
  readonly store?: SchemaStore | undefined;
  /** Namespace for all objects afterwards, whatever they set. */
  readonly namespace?: string | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  /** Budget of the run. */
  readonly budget?: Budget | undefined;
}

export interface RenderedPackage {
  /** `undefined` after an error other than a conflict between patches. */
  readonly rendering: PackageRendering | undefined;
  /** Patches that were applied, so that all mistakes in their variables are reported. */
  readonly applied: readonly PackagePatch[];
}

/** Resources → patches → namespaces of a package that was examined. All problems are reported, except those of the examination. */
export function renderPackage(examined: ExaminedPackage, options: PackageOptions): RenderedPackage {
  const { package: pkg, parameters, applicable: plan } = examined;
  if (pkg === undefined) return { rendering: undefined, applied: [] };
  let failed = Object.values(examined.found).flat().some(isFatal);
  const report = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    options.report(diagnostic);
  };
  const { origins, budget } = options;
  const { objects: base, references } = readResources(pkg, {
    parameters,
    origins,
    report,
    store: options.store,
    budget,
  });
  if (failed || parameters === undefined || plan === undefined) return { rendering: undefined, applied: [] };
  const applied = plan.enabled.map(({ patch }) => patch);
  for (const enabled of plan.enabled) reportRequired(enabled, { ...options, report });
  const files = plan.enabled.map(({ patch }) => patch.file);
  const patching = patchingOf(base, { ...options, report, pkg, parameters });
  const found: Diagnostic[] = [];
  const patched = applyPatches(base, files, {
    ...patching,
    report(diagnostic) {
      // Without resources, which is reported once, no patch has a target.
      if (base.length > 0 || !isMiss(diagnostic)) found.push(diagnostic);
    },
  });
  const { objects, generated, excluded } = controlNamespaces(patched.objects, {
    parameters,
    decided: decisionsOf(patched, base),
    namespace: options.namespace,
    report,
  });
  const file = pkg.layers[0]!.source.path;
  for (const object of generated) origins.set(object, { renderer: 'patch-package', source: pkg.path, file });
  const made = patchNamespaces(generated, { files, options: patching, found, report: patching.report });
  if (failed) return { rendering: undefined, applied };
  const late = made.changes.map((change) => ({ ...change, index: base.length + change.index }));
  const rendering: PackageRendering = {
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
  return { rendering, applied };
}

function isFatal(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error' && !isConflict(diagnostic);
}

/** Whether two enabled patches exclude one another: the rest of the package can still be checked. */
export function isConflict({ code }: Diagnostic): boolean {
  return code === 'patches-exclude';
}

/** A patch that is enabled by another changes the output even if its own condition is false. */
function reportRequired({ patch, reason }: EnabledPatch, { report, trace }: PackageOptions): void {
  if (reason.type !== 'required') return;
  const { by } = reason;
  trace?.(`patch enabled: ${patch.id} is required by ${by.id}`);
  const location = by.sidecar?.requires.find(({ id }) => id === patch.id)?.location;
  report(packageProblems.create('patch-required', { id: patch.id, by: by.id }, { location }));
}

interface Applying extends PackageOptions {
  readonly pkg: PatchPackage;
  readonly parameters: PackageParameters;
}

function patchingOf(base: readonly KubeObject[], applying: Applying): PatchOptions {
  const { pkg, parameters, store, origins, report, trace, budget } = applying;
  const definitions = decodeDefinitions(pkg, base, { report, budget });
  const local = new Set(pkg.patches.filter(({ owner }) => owner === 'local').map(({ file }) => file.source.path));
  return {
    report(diagnostic) {
      // Disabled objects are a normal feature of packages, and not worth a note on every build.
      if (diagnostic.code !== 'object-left-out') report(diagnostic);
    },
    origins,
    store: store?.with([...definitions.keys()], (definition) => definitions.get(definition) ?? pkg.path),
    variables: { scope: 'package', values: parameters.values, writtenAt: parameters.writtenAt },
    trace,
    // A local extension is meant to override the package.
    mayOverride: (earlier, later) => !local.has(earlier) && local.has(later),
    // A patch that sets an unchanged value still determines the field.
    unchanged: true,
    budget,
  };
}

/** Values of `enabled` on Namespaces, by name. */
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
  /** Findings of applying the same files to the objects of the package. */
  readonly found: readonly Diagnostic[];
  readonly report: Report;
}

/**
 * Missing Namespaces are known only after the patches, so generated ones are patched separately: by patches for all objects and
 * those that name a Namespace. Reports findings that remain after both.
 */
function patchNamespaces(
  generated: readonly KubeObject[],
  { files, options, found, report }: GeneratedPatching,
): { readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] } {
  const named = generated.length === 0 ? [] : files.map(onlyForNamespaces).filter(({ patches }) => patches.length > 0);
  const late: Diagnostic[] = [];
  const patched = applyPatches(generated, named, { ...options, report: (diagnostic) => late.push(diagnostic) });
  const targets = new Set(named.flatMap(({ patches }) => patches.map(({ target }) => targetOf(target))));
  const missedAgain = new Set(late.filter(isMiss).map(({ location }) => JSON.stringify(location)));
  // A target that exists in either of the two is not missing.
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

function onlyForNamespaces(file: PatchFile): PatchFile {
  return { ...file, patches: file.patches.filter(isForNamespaces) };
}

function isForNamespaces({ target }: Patch): boolean {
  if (target.type === 'all') return true;
  if (target.type === 'header') return /^(?:\*|namespaces?|ns)$/i.test(target.kind.text);
  return target.type === 'text' && /^(?:namespaces?|ns)\./i.test(target.text.text);
}

function targetOf(target: Patch['target']): string | undefined {
  return 'location' in target ? JSON.stringify(target.location) : undefined;
}

function isMiss({ code }: Diagnostic): boolean {
  return code === 'patch-target-not-found' || code === 'patch-no-match';
}

/** CustomResourceDefinitions from `schemas/crds/` and from the resources of a package, each with its file. */
export function decodeDefinitions(
  { definitions, path }: PatchPackage,
  base: readonly KubeObject[],
  { report, budget }: { readonly report: Report; readonly budget?: Budget | undefined },
): ReadonlyMap<KubeObject, string> {
  const found = new Map<KubeObject, string>();
  for (const source of definitions) {
    const { documents, diagnostics } = readYaml(source, { budget });
    for (const diagnostic of diagnostics) report(diagnostic);
    for (const { object } of decodeObjects(documents, { file: source.path, report })) found.set(object, source.path);
  }
  for (const object of base) if (object.kind === 'CustomResourceDefinition') found.set(object, path);
  return found;
}
