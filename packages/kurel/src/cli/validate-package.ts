import { createBudget, limitFindings } from '../budget/index.ts';
import { diagnosticsOf } from '../diagnostics/index.ts';
import {
  build,
  checkPhases,
  createPlaceFinding,
  createUndefinedReference,
  examinedPackageOf,
  findParameterOrigin,
  openAcceptor,
  traceReferences,
  walkValues,
} from '../index.ts';
import type { Acceptor, AppliedPackage, BuildRequest, BuildResult, ExaminedPackage } from '../index.ts';
import type { AcceptedFinding, Budget, Diagnostic, Path, Report, SourceFile } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import { checkParameters } from './check-parameters.ts';
import type { ParameterCheck, ParameterChecked } from './check-parameters.ts';
import type { SourcedFindings } from './print-diagnostics.ts';
import { placeFinding, sortFindings } from './report/package-report.ts';
import type { CheckName, PackageReport, PlacedFinding, Step } from './report/package-report.ts';
import { hasErrors } from './usage-error.ts';

interface PackageValidation {
  readonly report: PackageReport;
  readonly sources: readonly SourceFile[];
  readonly result: BuildResult | undefined;
  readonly accepted: readonly AcceptedFinding[];
}

interface ValidationRequest extends Omit<ParameterCheck, 'examined'> {
  readonly request: BuildRequest;
  /** Findings about the flags. */
  readonly flags: SourcedFindings;
}

/** Builds a package and adds the findings that only its report has: those about parameters and about patches that were not applied. */
export async function validatePackage(validation: ValidationRequest): Promise<PackageValidation> {
  const { flags, store } = validation;
  const texts = recordReads(validation.request);
  const request = { ...validation.request, fileSystem: texts.fileSystem };
  const wrong: Diagnostic[] = [];
  const acceptor = await readAcceptances(request, (diagnostic) => void wrong.push(diagnostic));
  // Warnings become errors only at the end: as errors they would prevent later checks.
  const lenient = { ...request, strict: false, acceptor };
  const result = await build({ ...lenient, validation: { store } });
  const examined = examinedPackageOf(result.rendering.facts) ?? nothingExamined;
  const schema = await checkParameters({ ...validation, examined, budget: request.budget });
  const steps: Readonly<Record<Step, readonly Diagnostic[]>> = {
    flags: [...flags.diagnostics, ...wrong],
    ...examined.found,
    plan: dropConsequences(examined.found.plan, schema.refused, examined),
    references: checkReferences(examined, request.budget),
    schema: schema.diagnostics,
    build: [...dropConsequences(result.diagnostics, schema.refused, examined), ...findWrongPhases(result)],
  };
  const findings = placeAll(steps, acceptor, request);
  const sources = await texts.sourcesOf(findings.map(({ diagnostic }) => diagnostic));
  return {
    report: {
      package: examined.package,
      plan: examined.plan,
      objects: result.isChecked ? result.rendering.objects : undefined,
      completed: completedChecks(examined, result, schema),
      findings,
    },
    sources: [...flags.sources, ...schema.sources, ...sources, ...result.sources],
    result,
    accepted: acceptor.accepted(),
  };
}

const nothingExamined: AppliedPackage = { found: { load: [], parameters: [], plan: [] }, applied: [] };

/** Nothing can be checked with wrong flags. */
export function reportFlags({ diagnostics, sources }: SourcedFindings): PackageValidation {
  const findings = diagnostics.map((diagnostic) => placeFinding('flags', diagnostic));
  return { report: { completed: new Set(), findings }, sources, result: undefined, accepted: [] };
}

/** A build with other errors writes no files, but wrong phases can be reported anyway. */
function findWrongPhases({ isChecked, rendering, diagnostics: reportedByBuild }: BuildResult): readonly Diagnostic[] {
  // An annotation that is not a string has already been reported.
  const mistyped = reportedByBuild.filter(({ code }) => code === 'field-type');
  const reported = new Set(mistyped.map(({ location }) => JSON.stringify(location)));
  const diagnostics: Diagnostic[] = [];
  const place = createPlaceFinding(rendering.provenance);
  if (isChecked) checkPhases(rendering.objects, (finding) => void diagnostics.push(place(finding)!));
  return diagnostics.filter(({ location }) => !reported.has(JSON.stringify(location)));
}

/** Each finding once, in its first step: a build reports the findings of all steps. Accepted in one step is accepted in all. */
function placeAll(
  steps: Readonly<Record<Step, readonly Diagnostic[]>>,
  acceptor: Acceptor,
  request: BuildRequest,
): readonly PlacedFinding[] {
  const keyOf = ({ code, message, location }: Diagnostic): string => JSON.stringify([code, message, location]);
  const seen = new Set(acceptor.accepted().map(({ diagnostic }) => keyOf(diagnostic)));
  const isNew = (diagnostic: Diagnostic): boolean => {
    const key = keyOf(diagnostic);
    if (seen.has(key)) return false;
    seen.add(key);
    return !acceptor.accepts(diagnostic);
  };
  const place = (step: Step, diagnostic: Diagnostic): PlacedFinding => {
    const severity = request.strict === true && diagnostic.severity === 'warning' ? 'error' : diagnostic.severity;
    return placeFinding(step, { ...diagnostic, severity });
  };
  const findings = Object.entries(steps).flatMap(([step, diagnostics]) =>
    diagnostics.filter(isNew).map((diagnostic) => place(step as Step, diagnostic)),
  );
  const isComplete = (request.filters ?? []).length === 0 && !hasErrors(findings.map(({ diagnostic }) => diagnostic));
  const unused = isComplete ? acceptor.unused() : [];
  return limitPlaced(sortFindings([...findings, ...unused.map((diagnostic) => place('flags', diagnostic))]), request);
}

/** The first findings of each code. Steps with a limit of their own report how many they omitted; others list all. */
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

/** The acceptances of a package; without them, or if they are wrong, nothing is accepted. */
async function readAcceptances(request: BuildRequest, report: Report): Promise<Acceptor> {
  try {
    return (await openAcceptor(request, { fileSystem: request.fileSystem, report })) ?? acceptNothing;
  } catch (error) {
    const diagnostics = diagnosticsOf(error);
    if (diagnostics === undefined) throw error;
    diagnostics.forEach(report);
    return acceptNothing;
  }
}

function completedChecks(
  { package: pkg, plan }: ExaminedPackage,
  { isChecked }: BuildResult,
  schema: ParameterChecked,
): ReadonlySet<CheckName> {
  const checks: readonly (readonly [CheckName, boolean])[] = [
    ['structure', pkg !== undefined],
    ['parameters', schema.isChecked],
    ['variables', plan !== undefined],
    ['naming', isChecked],
    ['namespaces', isChecked],
    ['references', isChecked],
    ['dependencies', plan !== undefined],
    // Consequences of wrong parameters are not reported again, so this check cannot be ticked.
    ['resources', isChecked && schema.refused.length === 0],
  ];
  return new Set(checks.flatMap(([check, isCompleted]) => (isCompleted ? [check] : [])));
}

/**
 * Findings without those about fields whose value comes from a refused parameter: a mistake is reported once, at its cause. Findings
 * about a field note where its parameters are set.
 */
function dropConsequences(
  diagnostics: readonly Diagnostic[],
  refused: readonly Path[],
  examined: ExaminedPackage,
): readonly Diagnostic[] {
  const { parameters } = examined;
  if (parameters === undefined || refused.length === 0) return diagnostics;
  const uses = new Set(usesOf(examined, refused));
  const origins = new Set(
    refused.map((path) => JSON.stringify(findParameterOrigin(parameters.layers, path)?.location)),
  );
  return diagnostics.filter(({ code, location, related = [] }) => {
    if (related.some((note) => origins.has(JSON.stringify(note.location)))) return false;
    if (code === 'namespaces-invalid' && origins.has(JSON.stringify(location))) return false;
    return !consequences.has(code) || !uses.has(JSON.stringify(location));
  });
}

/** Findings of a patch that has the value of a refused parameter. */
const consequences: ReadonlySet<string> = new Set(['type-mismatch', 'enabled-not-boolean', 'delete-nothing']);

/** Where patches use the value of a refused parameter: the reference, and the entry around it. */
function usesOf({ plan, parameters }: ExaminedPackage, refused: readonly Path[]): readonly string[] {
  const names = new Set(refused.map((path) => path.join('.')));
  const variables = { scope: 'package', values: parameters?.values ?? {} } as const;
  return (plan?.enabled ?? []).flatMap(({ patch: { file } }) =>
    file.patches.flatMap((entry) => {
      const alone = { ...file, patches: [entry] };
      return traceReferences([alone], { objects: [], store: undefined, variables })
        .filter(({ parameter, role }) => role !== 'name' && names.has(parameter.join('.')))
        .flatMap(({ location }) => [JSON.stringify(location), JSON.stringify(entry.location)]);
    }),
  );
}

/** Undefined variables of patches that were not applied: applying a patch reports its own. */
function checkReferences(
  { package: pkg, parameters, applied }: AppliedPackage,
  budget: Budget = createBudget(),
): readonly Diagnostic[] {
  if (pkg === undefined || parameters === undefined) return [];
  const reported = new Set<string>();
  const limit = limitFindings(budget);
  const undefinedReferences = pkg.patches.flatMap((patch) => {
    if (applied.includes(patch)) return [];
    const variables = { scope: 'package', values: parameters.values } as const;
    const uses = traceReferences([patch.file], { objects: [], store: undefined, variables });
    return uses.flatMap(({ parameter, location }) => {
      const key = JSON.stringify([parameter, location]);
      const walked = walkValues(parameters.values, parameter);
      if (reported.has(key) || 'value' in walked) return [];
      reported.add(key);
      // Before a similar name is searched, which compares all parameters.
      if (!limit.takesNext('reference-undefined', 'error')) return [];
      const missing = { ...walked, path: parameter, advice: 'give it a value in parameters.yaml' };
      return [{ ...createUndefinedReference(parameter.join('.'), missing), location }];
    });
  });
  return [...undefinedReferences, ...limit.omitted()];
}
