import { createBudget, limitFindings } from '../budget/index.ts';
import { diagnosticsOf } from '../diagnostics/index.ts';
import {
  build,
  castValues,
  checkPhases,
  createPlaceFinding,
  createUndefinedReference,
  findParameterOrigin,
  openAcceptor,
  readParameterSchema,
  reportMissingInSchema,
  traceReferences,
  validateValues,
  walkValues,
} from '../index.ts';
import type { Acceptor, BuildRequest, BuildResult, PackagePatch, SchemaStore } from '../index.ts';
import type { AcceptedFinding, Budget, Diagnostic, JsonObject, Path, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { examinePackage, findUnusedParameters } from './examine-package.ts';
import type { Examination } from './examine-package.ts';
import { fileProblem } from './file-problem.ts';
import { hideFiles } from './hide-files.ts';
import { openDisk } from './open-world.ts';
import { makeParameterSchema } from './parameter-schema.ts';
import type { Findings } from './print-diagnostics.ts';
import { placeFinding, sortFindings } from './report/package-report.ts';
import type { CheckName, PackageReport, PlacedFinding, Step } from './report/package-report.ts';

export interface PackageValidation {
  readonly report: PackageReport;
  readonly sources: readonly SourceFile[];
  readonly result: BuildResult | undefined;
  readonly accepted: readonly AcceptedFinding[];
}

export interface ValidationRequest extends Omit<ParameterCheck, 'examination'> {
  readonly request: BuildRequest;
  /** What the flags themselves gave rise to. */
  readonly flags: Findings;
}

/** Checks a package on all levels; what cannot be checked because of errors before it is left out. */
export async function validatePackage(given: ValidationRequest): Promise<PackageValidation> {
  const { request, flags, store } = given;
  const { path } = request;
  const asked = { ...request.package, path, fileSystem: request.fileSystem, laidOver: request.patches?.files };
  const examination = await examinePackage(asked);
  const unused = await findUnusedParameters(examination, asked);
  const isLoaded = examination.package !== undefined;
  const { acceptor, wrong } = await readAcceptances(request);
  const result = isLoaded
    ? await buildForReport({ ...withoutExcluded(request, examination), acceptor: acceptor ?? acceptNothing }, store)
    : undefined;
  const schema = await checkParameters({ ...given, examination, budget: request.budget });
  const phases = result === undefined ? [] : findWrongPhases(result);
  // A build without the patches that are excluded takes their parameters for unused.
  const found = result?.diagnostics.filter(({ code }) => code !== 'parameter-unused') ?? [];
  const steps: Readonly<Record<Step, readonly Diagnostic[]>> = {
    flags: [...flags.diagnostics, ...wrong],
    ...examination.found,
    parameters: [...examination.found.parameters, ...unused],
    plan: dropConsequences(examination.found.plan, schema.refused, examination),
    references: checkReferences(examination, {
      applied: appliedPatches(examination, result),
      budget: request.budget,
    }),
    schema: schema.diagnostics,
    build: result === undefined ? [] : [...dropConsequences(found, schema.refused, examination), ...phases],
  };
  const findings = placeAll(steps, { isStrict: request.strict === true, acceptor, request });
  const diagnostics = findings.map(({ diagnostic }) => diagnostic);
  const texts = await examination.sourcesOf(diagnostics);
  return {
    report: {
      package: examination.package,
      parameters: examination.parameters,
      plan: examination.plan,
      objects: result?.isChecked === true ? result.rendering.objects : undefined,
      made: checksMade(examination, { result, schema }),
      findings,
    },
    sources: [...flags.sources, ...schema.sources, ...texts, ...(result?.sources ?? [])],
    result,
    accepted: acceptor?.accepted() ?? [],
  };
}

export interface GivenParameters extends Pick<ParameterCheck, 'store' | 'environment'> {
  readonly request: Pick<BuildRequest, 'path' | 'fileSystem' | 'package' | 'patches' | 'strict' | 'budget'>;
}

/** Given parameters that a build refuses: warnings for commands that only answer a question, and errors with --strict. */
export async function findRefusedParameters({ request, store, environment }: GivenParameters): Promise<Findings> {
  const { path, fileSystem, package: settings, patches, strict, budget } = request;
  if ((settings?.layers ?? []).length === 0) return { diagnostics: [], sources: [] };
  const examination = await examinePackage({ ...settings, path, fileSystem, laidOver: patches?.files });
  const check = { examination, store, environment, isCached: false, schemaFile: undefined, budget };
  const { diagnostics } = await checkParameters(check);
  const severity = strict === true ? 'error' : 'warning';
  const refused = diagnostics.filter(isError).map((diagnostic) => withSeverity(diagnostic, severity));
  return { diagnostics: refused, sources: await examination.sourcesOf(refused) };
}

function withSeverity(diagnostic: Diagnostic, severity: Diagnostic['severity']): Diagnostic {
  return { ...diagnostic, severity };
}

/**
 * Checks the rest of a package in which two patches conflict, without the patch that declares the conflict. Only if nothing
 * else is wrong, and no patch requires it.
 */
function withoutExcluded(request: BuildRequest, { found, plan, package: pkg }: Examination): BuildRequest {
  const excluded = (plan?.enabled ?? []).flatMap(({ patch, conflict }) => (conflict === undefined ? [] : [patch]));
  const errors = Object.values(found).flat().filter(isError);
  const required = new Set(pkg?.patches.flatMap(({ sidecar }) => sidecar?.requires.map(({ id }) => id) ?? []));
  const isAlone =
    errors.every(({ code }) => code === 'patches-exclude') && !excluded.some(({ id }) => required.has(id));
  if (excluded.length === 0 || !isAlone) return request;
  const hidden = excluded.flatMap(({ file, sidecar }) => [file.source.path, sidecar?.source.path ?? file.source.path]);
  return { ...request, fileSystem: hideFiles(request.fileSystem, hidden) };
}

/** Nothing can be checked with wrong flags. */
export function refuseFlags({ diagnostics, sources }: Findings): PackageValidation {
  const findings = diagnostics.map((diagnostic) => placeFinding('flags', diagnostic));
  const nothing = { package: undefined, parameters: undefined, plan: undefined, objects: undefined };
  return { report: { ...nothing, made: new Set(), findings }, sources, result: undefined, accepted: [] };
}

/** Warnings become errors only at the end: as errors they would prevent later checks. */
function buildForReport(request: BuildRequest, store: SchemaStore): Promise<BuildResult> {
  return build({ ...request, strict: false, validation: { store } });
}

/** A build with other errors writes no files, but wrong phases can be reported anyway. */
function findWrongPhases({ isChecked, rendering, diagnostics: found }: BuildResult): readonly Diagnostic[] {
  // An annotation that is not a string has already been reported.
  const mistyped = found.flatMap(({ code, location }) => (code === 'field-type' ? [JSON.stringify(location)] : []));
  const reported = new Set(mistyped);
  const diagnostics: Diagnostic[] = [];
  const place = createPlaceFinding(rendering.provenance);
  if (isChecked) checkPhases(rendering.objects, (finding) => void diagnostics.push(place(finding)!));
  return diagnostics.filter(({ location }) => !reported.has(JSON.stringify(location)));
}

/** Whether the package gave objects, whatever is wrong with them. */
function isRendered(result: BuildResult | undefined): boolean {
  return result?.rendering.facts.name !== undefined;
}

/** The patches that a build has tried to apply, so that it has told what is wrong with their variables. */
function appliedPatches(
  { found, package: pkg, plan }: Examination,
  result: BuildResult | undefined,
): ReadonlySet<PackagePatch> {
  const read = new Set(pkg?.resources.map(({ path }) => path));
  const isStopped = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some(isError);
  const unread = result?.diagnostics.filter(({ location }) => location !== undefined && read.has(location.file)) ?? [];
  const others = Object.values(found)
    .flat()
    .filter(({ code }) => code !== 'patches-exclude');
  const isBuilt = isRendered(result);
  if (!isBuilt && (result === undefined || isStopped(others) || isStopped(unread))) return new Set();
  return new Set(plan?.enabled.flatMap(({ patch, conflict }) => (conflict === undefined ? [patch] : [])));
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

interface Judging {
  readonly isStrict: boolean;
  readonly acceptor: Acceptor | undefined;
  readonly request: BuildRequest;
}

/** Each finding once: a build goes through the same steps again. What was accepted in one step is accepted in all. */
function placeAll(
  steps: Readonly<Record<Step, readonly Diagnostic[]>>,
  { isStrict, acceptor, request }: Judging,
): readonly PlacedFinding[] {
  const keyOf = ({ code, message, location }: Diagnostic): string => JSON.stringify([code, message, location]);
  const seen = new Set(acceptor?.accepted().map(({ diagnostic }) => keyOf(diagnostic)));
  const isNew = (diagnostic: Diagnostic): boolean => {
    const key = keyOf(diagnostic);
    if (seen.has(key)) return false;
    seen.add(key);
    return acceptor?.accepts(diagnostic) !== true;
  };
  const place = (step: Step, diagnostic: Diagnostic): PlacedFinding => {
    const severity = isStrict && diagnostic.severity === 'warning' ? 'error' : diagnostic.severity;
    return placeFinding(step, { ...diagnostic, severity });
  };
  const findings = Object.entries(steps).flatMap(([step, diagnostics]) =>
    diagnostics.filter(isNew).map((diagnostic) => place(step as Step, diagnostic)),
  );
  const isComplete = (request.filters ?? []).length === 0 && findings.every(({ diagnostic }) => !isError(diagnostic));
  const unused = isComplete ? (acceptor?.unused() ?? []) : [];
  return limitPlaced(sortFindings([...findings, ...unused.map((diagnostic) => place('flags', diagnostic))]), request);
}

/** The first findings of each code. Steps that stop at a limit of their own say how many they left out; others list all. */
function limitPlaced(findings: readonly PlacedFinding[], { budget }: BuildRequest): readonly PlacedFinding[] {
  const limit = limitFindings(budget ?? createBudget());
  const kept = findings.filter(({ diagnostic }) => diagnostic.omitted === undefined && limit.takes(diagnostic));
  const omitted = new Map<string, Diagnostic>();
  for (const diagnostic of [...findings.map((finding) => finding.diagnostic), ...limit.omitted()]) {
    if (diagnostic.omitted === undefined) continue;
    const key = `${diagnostic.severity} ${diagnostic.omitted.code}`;
    if ((omitted.get(key)?.omitted?.count ?? 0) < diagnostic.omitted.count) omitted.set(key, diagnostic);
  }
  return [...kept, ...Array.from(omitted.values(), (diagnostic) => placeFinding('build', diagnostic))];
}

const acceptNothing: Acceptor = { namesObjects: false, accepts: () => false, accepted: () => [], unused: () => [] };

/** The acceptances of a package, or what is wrong with them. */
async function readAcceptances(
  request: BuildRequest,
): Promise<{ readonly acceptor: Acceptor | undefined; readonly wrong: readonly Diagnostic[] }> {
  const wrong: Diagnostic[] = [];
  try {
    const report = (diagnostic: Diagnostic): void => void wrong.push(diagnostic);
    return { acceptor: await openAcceptor(request, { fileSystem: request.fileSystem, report }), wrong };
  } catch (error) {
    const found = diagnosticsOf(error);
    if (found === undefined) throw error;
    return { acceptor: undefined, wrong: found };
  }
}

interface Progress {
  readonly result: BuildResult | undefined;
  readonly schema: ParameterChecked;
}

function checksMade({ package: pkg, plan }: Examination, { result, schema }: Progress): ReadonlySet<CheckName> {
  const isBuilt = isRendered(result);
  const made: readonly (readonly [CheckName, boolean])[] = [
    ['structure', pkg !== undefined],
    ['parameters', schema.isChecked],
    ['variables', plan !== undefined],
    ['naming', isBuilt],
    ['namespaces', isBuilt],
    ['references', isBuilt],
    ['dependencies', plan !== undefined],
    // Consequences of wrong parameters are not reported again, so this check cannot be ticked.
    ['resources', isBuilt && schema.refused.length === 0],
  ];
  return new Set(made.flatMap(([check, isMade]) => (isMade ? [check] : [])));
}

/**
 * Findings without those about a field whose value is a parameter that was refused already: one mistake is reported once, where
 * it was made. A finding about a field notes where the parameters in it were given.
 */
function dropConsequences(
  diagnostics: readonly Diagnostic[],
  refused: readonly Path[],
  examination: Examination,
): readonly Diagnostic[] {
  const { parameters } = examination;
  if (parameters === undefined || refused.length === 0) return diagnostics;
  const uses = new Set(usesOf(examination, refused));
  const given = new Set(refused.map((path) => JSON.stringify(findParameterOrigin(parameters.layers, path)?.location)));
  return diagnostics.filter(({ code, location, related = [] }) => {
    if (related.some((note) => given.has(JSON.stringify(note.location)))) return false;
    if (code === 'namespaces-invalid' && given.has(JSON.stringify(location))) return false;
    return code !== 'type-mismatch' || !uses.has(JSON.stringify(location));
  });
}

/** Where patches say a refused parameter. */
function usesOf({ plan, parameters }: Examination, refused: readonly Path[]): readonly string[] {
  const names = new Set(refused.map((path) => path.join('.')));
  const files = (plan?.enabled ?? []).map(({ patch }) => patch.file);
  const variables = { scope: 'package', values: parameters?.values ?? {} } as const;
  return traceReferences(files, { objects: [], store: undefined, variables })
    .filter(({ parameter }) => names.has(parameter.join('.')))
    .map(({ location }) => JSON.stringify(location));
}

/** Variables of patches that were not applied, so that nobody has looked for their parameters: those that have none. */
function checkReferences(
  { package: pkg, parameters }: Examination,
  { applied, budget = createBudget() }: ReferenceCheck,
): readonly Diagnostic[] {
  if (pkg === undefined || parameters === undefined) return [];
  const reported = new Set<string>();
  const limit = limitFindings(budget);
  const found = pkg.patches.flatMap((patch) => {
    if (applied.has(patch)) return [];
    const variables = { scope: 'package', values: parameters.values } as const;
    const uses = traceReferences([patch.file], { objects: [], store: undefined, variables });
    return uses.flatMap(({ parameter, location }) => {
      const key = JSON.stringify([parameter, location]);
      const walked = walkValues(parameters.values, parameter);
      if (reported.has(key) || 'value' in walked) return [];
      reported.add(key);
      // Before a name is guessed, which takes a look at all parameters.
      if (!limit.takesNext('reference-undefined', 'error')) return [];
      const missing = { ...walked, path: parameter, advice: 'give it a value in parameters.yaml' };
      return [{ ...createUndefinedReference(parameter.join('.'), missing), location }];
    });
  });
  return [...found, ...limit.omitted()];
}

interface ReferenceCheck {
  /** Patches that a build has looked at. */
  readonly applied: ReadonlySet<PackagePatch>;
  readonly budget?: Budget | undefined;
}

interface ParameterCheck {
  readonly examination: Examination;
  readonly store: SchemaStore;
  readonly environment: Environment;
  readonly isCached: boolean;
  /** A schema that takes the place of the generated one. */
  readonly schemaFile: string | undefined;
  readonly budget?: Budget | undefined;
}

interface ParameterChecked {
  /** Whether there was a schema, and values to hold against it. */
  readonly isChecked: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Parameters that were reported. */
  readonly refused: readonly Path[];
  readonly sources: readonly SourceFile[];
}

/** Checks the parameters that a package is built with against their schema. */
async function checkParameters(check: ParameterCheck): Promise<ParameterChecked> {
  const { package: pkg, parameters, plan } = check.examination;
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const refused: Path[] = [];
  let schema: JsonObject | undefined;
  if (check.schemaFile !== undefined) {
    schema = await readSchemaFile(check.schemaFile);
    if (schema !== undefined && pkg !== undefined && parameters !== undefined) {
      const given = { schema, file: check.schemaFile };
      reportMissingInSchema({ package: pkg, parameters, store: check.store }, given, report);
    }
  } else if (pkg !== undefined && parameters !== undefined) {
    const made = makeParameterSchema({ ...check, package: pkg, parameters, plan });
    for (const diagnostic of made.diagnostics) diagnostics.push(diagnostic);
    ({ schema } = made);
  }
  if (schema === undefined || parameters === undefined) return { isChecked: false, diagnostics, refused, sources };
  validateValues(castValues(parameters.values, schema), schema, {
    report,
    budget: check.budget,
    locate(path) {
      refused.push(path);
      return findParameterOrigin(parameters.layers, path)?.location;
    },
  });
  return { isChecked: true, diagnostics, refused, sources };

  function report(diagnostic: Diagnostic): void {
    diagnostics.push(diagnostic);
  }

  async function readSchemaFile(path: string): Promise<JsonObject | undefined> {
    try {
      const source = { path, text: await openDisk(check.environment, { pipes: true }).readText(path) };
      sources.push(source);
      return readParameterSchema(source, report);
    } catch (error) {
      report(fileProblem(error));
      return undefined;
    }
  }
}
