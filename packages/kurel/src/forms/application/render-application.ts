import { createBudget, limitFindings } from '../../budget/index.ts';
import { quote, sentence, setting, withTexts } from '../../diagnostics/index.ts';
import { objectNameOf, textAt } from '../../kube/index.ts';
import { isPathBelow, valueAt } from '../../model/index.ts';
import type {
  Budget,
  Diagnostic,
  KubeObject,
  Location,
  Memory,
  OriginTable,
  Path,
  Report,
  SourceFile,
} from '../../model/index.ts';
import { readLexeme } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import type { Change } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { findUnknownSources } from '../../validate/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createFindCauses } from './causes/find-causes.ts';
import type { CausesOf } from './causes/find-causes.ts';
import { createLocateField } from './causes/locate-field.ts';
import { createFindField, createKubernetesCheck } from './check-kubernetes.ts';
import { composeApplication } from './compose/compose-application.ts';
import type { ComposedObject, Composition, CompositionInput } from './compose/composition.ts';
import { inspectObject } from './compose/inspect-objects.ts';
import { checkHeader, readOneDocument } from '../../documents/index.ts';
import type { LocatedData } from '../../documents/index.ts';
import { checkAnyOn, checkPartsOff } from './application-parts.ts';
import type { ApplicationPackage } from './load-application.ts';
import { locateInBlock } from './manifests/locate-in-block.ts';
import { patchComposed } from './patch-composed.ts';
import { applicationProblems } from './problems.ts';
import { resolveApplication } from './resolve-application.ts';
import type { ResolvedApplication } from './resolve-application.ts';
import { readLock } from './sources/lock.ts';
import type { Lock } from './sources/lock.ts';
import { sourceProblems } from './sources/problems.ts';
import { keyOfRequest } from './sources/source-request.ts';
import type { LoadedSource, RequestedSource, SourceAccess } from './sources/source-request.ts';

export interface ApplicationOptions {
  readonly report: Report;
  readonly origins: OriginTable;
  readonly catalog: Catalog;
  /** `--values` and `--set`, later ones win. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Overrides the namespace of the application. */
  readonly namespace?: string | undefined;
  /** Schemas of Kubernetes fields, created on first use. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Namespace for Flux objects; overrides the profile. */
  readonly fluxNamespace?: string | undefined;
  /** Where remote sources may be fetched from. */
  readonly openSources: () => Promise<SourceAccess>;
  /** Called for each fetched text, because findings can point into it. */
  readonly onText?: ((source: SourceFile) => void) | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  readonly budget?: Budget | undefined;
}

/** The result of rendering an application package. */
export interface ApplicationRendering extends Pick<
  Composition,
  'name' | 'namespace' | 'deliveryNamespace' | 'kustomizationParts'
> {
  readonly package: ApplicationPackage;
  readonly resolved: ResolvedApplication;
  readonly input: CompositionInput;
  /** The remote sources the package has locked, checked or not. */
  readonly lock: Lock | undefined;
  /** Before patches. */
  readonly made: readonly ComposedObject[];
  /** Where parameter values came from. */
  readonly layers: readonly ParameterLayer[];
  /** `index` is the position in `made`. */
  readonly changes: readonly Change[];
  readonly objects: readonly KubeObject[];
  readonly causesOf: CausesOf;
  /** Checks objects changed by patches and flags against the policy. */
  readonly enforcePolicy: (objects: readonly KubeObject[], report: Report) => void;
}

/** Parameters → composition → patches. `undefined` after an error; reports all problems. */
export async function renderApplication(
  pkg: ApplicationPackage,
  options: ApplicationOptions,
): Promise<ApplicationRendering | undefined> {
  let failed = false;
  let resolved: ResolvedApplication | undefined;
  const report = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    const isAboutApplication = diagnostic.location?.file === pkg.application.path;
    options.report(
      resolved !== undefined && isAboutApplication
        ? relateValues(nameComponent(diagnostic, resolved), resolved)
        : adviseFlag(diagnostic),
    );
  };
  const { layers = [], catalog, namespace, fluxNamespace, store, budget, origins } = options;
  const findField = store === undefined ? undefined : createFindField(store);
  resolved = resolveApplication(pkg, layers, { report, budget, catalog, findField });
  // Problems in disabled parts must not prevent the others from being checked.
  let isValidElsewhere = true;
  if (resolved !== undefined) {
    checkPartsOff(resolved, catalog, report);
    isValidElsewhere = !failed;
    failed = false;
  }
  const platform = readPlatform(pkg, report, budget?.memory);
  if (resolved === undefined || failed) return undefined;
  const { writtenAt, locateText } = createReaders(pkg, layers);
  const asked: CompositionInput = {
    application: { ...resolved.application, writtenAt },
    ...platform,
    namespace,
    isNamespaceChosen: isNamespaceChosen(resolved, namespace),
    fluxNamespace,
    catalog,
    report,
    memory: budget?.memory,
    locateText,
    checkKubernetes: findField && createKubernetesCheck(findField),
    kubernetesMinor: store && (() => Number(store().kubernetesVersion.split('.')[1])),
    isAllOff: checkAnyOn(resolved, report),
  };
  const lock = pkg.lock === undefined ? undefined : readLock(pkg.lock, report, budget?.memory);
  if (failed) return undefined;
  let sources: ReturnType<ApplicationOptions['openSources']> | undefined;
  const { composition, input } = await composeWithSources(asked, async (requested) => {
    const { loadSources } = await import('./sources/load-sources.ts');
    const loaded = await loadSources(requested, { ...(await (sources ??= options.openSources())), lock, report });
    loaded.forEach(({ name, text }) => options.onText?.({ path: name, text }));
    return loaded;
  });
  if (composition === undefined) return undefined;
  const causesOf = createFindCauses(input);
  const locateField = createLocateField(input, causesOf);
  const limit = limitFindings(budget ?? createBudget());
  for (const { composed, path, diagnostic, isAboutMaker } of composition.findings) {
    // Locating a finding is slow, so findings over the limit are only counted.
    if (!limit.takes(diagnostic)) {
      report(diagnostic);
      continue;
    }
    const place = locateField(composed, path);
    const maker = resolved.application.locate(composed.path);
    const isInMaker = place.file === maker.file && isPathBelow(place.path ?? [], maker.path ?? []);
    const isOfMaker = isAboutMaker === true && composed.locate === undefined && !isInMaker;
    report({ ...diagnostic, object: objectNameOf(composed.object), location: isOfMaker ? maker : place });
  }
  if (failed || !isValidElsewhere) return undefined;
  for (const composed of composition.objects) {
    const locate = (path: Path, at?: Location['at']): Location => locateField(composed, path, at);
    const { written } = composed;
    const origin = { renderer: 'application', source: pkg.path, file: pkg.application.path, locate };
    origins.set(composed.object, written === undefined ? origin : { ...origin, written });
  }
  const { objects, changes } = await patchComposed(composition.objects, { ...options, report, pkg, resolved, input });
  if (failed) return undefined;
  const enforcePolicy: ApplicationRendering['enforcePolicy'] = (changed, reportFinding) =>
    inspectPatched(changed, { composition, origins, report: reportFinding });
  const patched = { made: composition.objects, changes, objects };
  return { ...composition, package: pkg, resolved, input, lock, layers, ...patched, causesOf, enforcePolicy };
}

function isNamespaceChosen({ authored }: ResolvedApplication, namespace: string | undefined): boolean {
  const own = valueAt(authored.data, ['metadata', 'namespace']);
  const isParameter = typeof own === 'string' && own.includes('${');
  return isParameter || (namespace !== undefined && namespace !== own);
}

/** Functions that look up values in the texts they were written in. */
function createReaders(
  { application, declaration, profile, policy, definitions }: ApplicationPackage,
  layers: readonly ParameterLayer[],
): Pick<CompositionInput, 'locateText'> & Pick<LocatedData, 'writtenAt'> {
  const ofLayers = layers.map(({ source }) => source);
  const sources = [application, declaration, ...ofLayers, profile, policy, ...definitions];
  const sourceOf = ({ file }: Location): SourceFile | undefined => sources.find((source) => source?.path === file);
  return {
    writtenAt(location, value) {
      const source = sourceOf(location);
      return source === undefined ? undefined : readLexeme(source, location, value);
    },
    locateText(text, place) {
      const file = sourceOf(place);
      return file === undefined ? () => place : locateInBlock(text, { file, place });
    },
  };
}

function readPlatform(
  { profile, policy, definitions }: ApplicationPackage,
  report: Report,
  memory: Memory | undefined,
): Pick<CompositionInput, 'profile' | 'policy' | 'definitions'> {
  // A file of the wrong kind is reported first, because other findings may only follow from it.
  const readOf = (kind: string, source: SourceFile | undefined): LocatedData | undefined => {
    const located = source === undefined ? undefined : readOneDocument(source, report, memory);
    return located === undefined || checkHeader(located.data, kind, { ...located, report }) ? located : undefined;
  };
  return {
    profile: readOf('ClusterProfile', profile),
    policy: readOf('Policy', policy),
    definitions: definitions.flatMap((source) => {
      const located = readOneDocument(source, report, memory);
      if (located === undefined) return [];
      const kind = textAt(located.data, 'kind');
      if (kind === 'CapabilityDefinition') return [located];
      report(applicationProblems.create('definition-kind', { kind }, { location: { file: source.path } }));
      return [];
    }),
  };
}

/** Names the component in findings about it, so that they can be accepted as `component/web`. */
function nameComponent(diagnostic: Diagnostic, { authored }: ResolvedApplication): Diagnostic {
  const path = diagnostic.location?.path ?? [];
  if (diagnostic.object !== undefined || !isPathBelow(path, ['spec', 'components'])) return diagnostic;
  const isInComponent = typeof path[2] === 'number';
  const name = isInComponent ? textAt(valueAt(authored.data, path.slice(0, 3)), 'name') : undefined;
  if (name === undefined) return diagnostic;
  return { ...diagnostic, object: { group: '', kind: 'Component', namespace: '', name } };
}

/** Checks objects that patches or flags changed after composition: the policy applies to them too. */
function inspectPatched(
  objects: readonly KubeObject[],
  { composition, origins, report }: { composition: Composition; origins: OriginTable; report: Report },
): void {
  const { rules, objects: all, findings } = composition;
  if (objects.length <= all.length && objects.every((object, index) => object === all[index]!.object)) return;
  const unchanged = new Set(all.map(({ object }) => object));
  if (objects.every((object) => unchanged.has(object))) return;
  // A replacement object has the origin of the object it replaces.
  const composedOf = new Map(all.map((composed) => [origins.get(composed.object), composed]));
  const keyOf = ({ code }: Diagnostic, path: Path): string => JSON.stringify([code, path]);
  const reported = new Map(all.map((composed) => [composed, new Set<string>()]));
  for (const { composed, diagnostic, path } of findings) reported.get(composed)?.add(keyOf(diagnostic, path));
  const unknownSources = findUnknownSources(objects, rules.layers);
  for (const object of objects) {
    if (unchanged.has(object)) continue;
    const composed = composedOf.get(origins.get(object));
    const reportAt = (diagnostic: Diagnostic, path: Path): void => {
      if (composed !== undefined && reported.get(composed)!.has(keyOf(diagnostic, path))) return;
      report({ ...diagnostic, subject: { object, path } });
    };
    inspectObject(object, { rules, composed, objects, report: reportAt });
    for (const source of unknownSources) if (source.object === object) reportAt(source.diagnostic, source.path);
  }
}

/** The key is wrong whatever its value, so only a parameter that supplies the surrounding object can be the cause. */
function isAboutKey({ code, location }: Diagnostic): boolean {
  return code === 'field-deprecated' || code === 'field-unknown' || (code === 'field-format' && location?.at === 'key');
}

/** No value of the declared type could fix it, so the package is wrong and not the values. */
function isOfPackage(diagnostic: Diagnostic): boolean {
  return diagnostic.code === 'field-type' || isAboutKey(diagnostic);
}

/** On the command line, quotes would be part of the value. */
function adviseFlag(diagnostic: Diagnostic): Diagnostic {
  const { hint, location } = diagnostic;
  if (hint !== 'quote it' || location?.file.startsWith('--set[') !== true) return diagnostic;
  return withTexts(diagnostic, { hint: sentence`pass it as a string, with ${setting('setString')}` });
}

/**
 * Points findings at the value rather than at its use: in a values file, because that is the file a team edits and reviews.
 * A value from `--set` has no file and is only mentioned as a related location.
 */
function relateValues(diagnostic: Diagnostic, { givenAt, application }: ResolvedApplication): Diagnostic {
  const { location, related = [] } = diagnostic;
  if (location?.path === undefined) return diagnostic;
  const path = isAboutKey(diagnostic) ? location.path.slice(0, -1) : location.path;
  const values = givenAt(path).filter(({ from }) => from !== 'package');
  if (values.length === 0) return diagnostic;
  const [value] = values;
  if (value?.isInFile === true && !isOfPackage(diagnostic) && application.isMixedAt?.(path) !== true) {
    const use = { message: `parameter ${quote(value.name)} is used here`, location };
    return { ...diagnostic, location: value.location, related: [use, ...related] };
  }
  const notes = values.map(({ name, from, location: place }) => ({
    message: `parameter ${quote(name)} ${from === 'default' ? 'gets its default' : 'is set'} here`,
    location: place,
  }));
  return { ...diagnostic, related: [...related, ...notes] };
}

type LoadSources = (requested: readonly RequestedSource[]) => Promise<ReadonlyMap<string, LoadedSource>>;

interface ComposedWithSources {
  readonly composition: Composition | undefined;
  /** Includes everything that was loaded. */
  readonly input: CompositionInput;
}

// A chart could reference a source that references another, but no built-in component goes deeper.
const mostRounds = 3;

/**
 * Composes, loads the sources that components requested, and composes again. The composition stays a pure function: it
 * reports missing sources, and the caller loads them.
 */
async function composeWithSources(asked: CompositionInput, load: LoadSources): Promise<ComposedWithSources> {
  let sources: ReadonlyMap<string, LoadedSource> = new Map();
  const tried = new Set<string>();
  for (let round = 1; ; round += 1) {
    const requested: RequestedSource[] = [];
    const diagnostics: Diagnostic[] = [];
    const input = {
      ...asked,
      sources,
      onRequest: (source: RequestedSource) => void requested.push(source),
      report: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic),
    };
    const composition = composeApplication(input);
    const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
    // A source that failed to load was already reported.
    const untried = requested.filter(({ request }) => !tried.has(keyOfRequest(request)));
    if (untried.length > 0 && !hasErrors && round < mostRounds) {
      for (const { request } of untried) tried.add(keyOfRequest(request));
      sources = new Map([...sources, ...(await load(untried))]);
      continue;
    }
    for (const diagnostic of diagnostics) asked.report(diagnostic);
    const [next] = hasErrors ? [] : untried;
    if (next !== undefined) asked.report(sourceProblems.create('sources-nested', {}, { location: next.location }));
    return { composition: requested.length > 0 ? undefined : composition, input: { ...asked, sources } };
  }
}
