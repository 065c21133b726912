import { basename } from 'node:path';

import { escapeControls, escapeControlsInJson, toJson } from '../../diagnostics/index.ts';
import { examinedPackageOf, shortName } from '../../index.ts';
import type {
  BuildResult,
  DisabledPatch,
  EnabledPatch,
  ExaminedPackage,
  PackagePatch,
  PatchPackage,
  PatchPlan,
} from '../../index.ts';
import type { Diagnostic, KubeObject, Severity } from '../../model/index.ts';
import { groupBy } from '../../provenance/index.ts';
import { hasErrors } from '../usage-error.ts';
import { checkLine, countKinds, isAboutAcceptance, reservationOf } from './format-report.ts';
import type { CheckWording, Report } from './format-report.ts';

/** The checks of a package, in the order of the report. */
const checkNames = [
  'structure',
  'parameters',
  'variables',
  'naming',
  'namespaces',
  'references',
  'dependencies',
  'resources',
] as const;

export type CheckName = (typeof checkNames)[number];

/** What the build of a patch package gave; each finding about it belongs to a check. */
export interface PackageReport extends Pick<ExaminedPackage, 'package' | 'plan'> {
  /** False if the flags are wrong, so that nothing could be checked. */
  readonly isBuilt: boolean;
  /** The generated resources; absent if they were not validated. */
  readonly objects?: readonly KubeObject[] | undefined;
  /** Those whose fields were not checked, because their kinds have no schema. */
  readonly unchecked?: ReadonlySet<KubeObject>;
  readonly completed: ReadonlySet<CheckName>;
}

/** `plan` and `output` are shown in the lists of patches and resources; `call` is about flags and acceptances. */
const otherChecks = ['plan', 'output', 'call'] as const;

type Check = CheckName | (typeof otherChecks)[number];

export function packageReportOf(result: BuildResult | undefined): PackageReport {
  if (result === undefined) return { isBuilt: false, completed: new Set() };
  const { isChecked, rendering, withoutSchema: unchecked } = result;
  const { package: pkg, plan, refused } = examinedPackageOf(rendering.facts) ?? {};
  const checks: readonly (readonly [CheckName, boolean])[] = [
    ['structure', pkg !== undefined],
    ['parameters', refused !== undefined],
    ['variables', plan !== undefined],
    ['naming', isChecked],
    ['namespaces', isChecked],
    ['references', isChecked],
    ['dependencies', plan !== undefined],
    // Consequences of wrong parameters are not reported again, so this check cannot be ticked.
    ['resources', isChecked && (refused ?? []).length === 0],
  ];
  const completed = new Set(checks.flatMap(([check, isCompleted]) => (isCompleted ? [check] : [])));
  return {
    isBuilt: true,
    package: pkg,
    plan,
    objects: isChecked ? rendering.objects : undefined,
    unchecked,
    completed,
  };
}

/** The findings in the order of the report. */
export function sortByCheck(report: PackageReport, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...checkNames, ...otherChecks].flatMap((check) => findingsOf(check, report, diagnostics));
}

function findingsOf(
  check: Check,
  { isBuilt }: PackageReport,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.filter((diagnostic) => checkOf(diagnostic, isBuilt) === check);
}

const byCode: Readonly<Record<string, Check>> = {
  'patches-exclude': 'plan',
  'namespaces-several': 'output',
  'kinds-not-checked': 'output',
  'namespaces-invalid': 'parameters',
  'object-duplicate': 'naming',
  'namespace-missing': 'namespaces',
  'namespace-not-used': 'namespaces',
  'reference-missing': 'references',
  'port-missing': 'references',
  'selector-without-pods': 'references',
};

/** References of patches and resources; those of parameters.yaml belong to the check of the parameters. */
const variableCodes: ReadonlySet<string> = new Set([
  'reference-in-key',
  'reference-key-twice',
  'reference-not-scalar',
  'reference-syntax',
  'reference-unclosed',
  'reference-undefined',
  'reference-unsafe',
  'resource-reference-near',
]);

/** Without a build, findings are about flags. */
function checkOf(diagnostic: Diagnostic, isBuilt: boolean): Check {
  const { code, check } = diagnostic;
  if (isAboutAcceptance(diagnostic) || code.startsWith('input-')) return 'call';
  if (Object.hasOwn(byCode, code)) return byCode[code]!;
  if (variableCodes.has(code) && check !== 'parameters') return 'variables';
  if (check === 'policy') return 'resources';
  if (check !== undefined) return check as CheckName;
  if (!isBuilt) return /^(?:set|values?|parameter|yaml)-/.test(code) ? 'parameters' : 'call';
  // Resources are read when the package is built, but are a part of its structure.
  return /^(?:yaml|resource|object)-/.test(code) ? 'structure' : 'resources';
}

const wordings: Readonly<Record<CheckName, CheckWording>> = {
  structure: { passed: 'Package structure valid', topic: 'Package structure' },
  parameters: { passed: 'Parameters schema validation passed', topic: 'Parameters schema validation' },
  variables: { passed: 'All patch variables resolved', topic: 'Patch variables' },
  naming: { passed: 'No naming conflicts within namespaces', topic: 'Naming within namespaces' },
  namespaces: { passed: 'Resources reference consistent namespaces', topic: 'Namespaces of resources' },
  references: {
    passed: 'Cross-namespace Service→Deployment references look valid',
    topic: 'References between resources',
  },
  dependencies: { passed: 'Patch dependencies and conflicts checked', topic: 'Patch dependencies and conflicts' },
  resources: { passed: 'Generated Kubernetes resources valid', topic: 'Generated Kubernetes resources' },
};

const always: readonly CheckName[] = ['structure', 'parameters', 'variables'];

/** The report of a patch package; `verbose` lists all checks, not only the first three and those with findings. */
export function reportOfPackage(report: PackageReport, diagnostics: readonly Diagnostic[], verbose: boolean): Report {
  const { completed, plan, package: pkg, objects = [], unchecked } = report;
  const checks = checkNames.flatMap((check) => {
    // The list of patches marks conflicts; only a tick that would deny them needs another line.
    const ofPlan = verbose && check === 'dependencies' ? findingsOf('plan', report, diagnostics) : [];
    const findings = [...findingsOf(check, report, diagnostics), ...ofPlan];
    const problems = findings.filter(({ severity }) => severity !== 'note');
    if (problems.length === 0 && !verbose && !always.includes(check)) return [];
    const { passed, topic } = wordings[check];
    const reservation = check === 'resources' ? reservationOf(unchecked) : '';
    return [checkLine({ passed: `${passed}${reservation}`, topic, isChecked: completed.has(check) }, problems)];
  });
  return {
    checks,
    patches: plan === undefined || pkg === undefined ? [] : patchLines(plan.enabled, pkg),
    objects,
    unchecked,
    isPartial: !completed.has('resources'),
    ofResources: objects.length === 0 ? [] : findingsOf('output', report, diagnostics),
    diagnostics,
  };
}

/** Paths start at the root of the package, those of the local extension with its directory. */
function patchLines(enabled: readonly EnabledPatch[], { localPath = '' }: PatchPackage): readonly string[] {
  return nestRequired(enabled).map((entry) => {
    const { mark, patch, reason } = describeEnabled(entry);
    const directory = patch.owner === 'package' ? '' : `${basename(localPath)}/`;
    return escapeControls(`  ${mark} ${directory}patches/${patch.id} (${reason})`);
  });
}

/** The report for other programs. */
export function reportToJson(
  { plan, objects }: PackageReport,
  diagnostics: readonly Diagnostic[],
  places: Parameters<typeof toJson>[1],
): string {
  const listed = (severity: Severity): string =>
    toJson(
      diagnostics.filter((diagnostic) => diagnostic.severity === severity),
      places,
    );
  return joinJson({
    valid: String(!hasErrors(diagnostics)),
    errors: listed('error'),
    warnings: listed('warning'),
    notes: listed('note'),
    patches: print(plan === undefined ? [] : patchesToJson(plan)),
    resources: print(countKinds(objects ?? [])),
  });
}

function print(value: unknown): string {
  return escapeControlsInJson(JSON.stringify(value, undefined, 2));
}

/** Joins fields that are already JSON, so that their escapes are kept. */
function joinJson(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, text]) => `  "${name}": ${text.trimEnd().replaceAll('\n', '\n  ')}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Enabled patches in apply order, then disabled ones, for JSON.stringify, which leaves out undefined fields. */
export function patchesToJson({ enabled, disabled }: PatchPlan): readonly object[] {
  const identify = ({ id, owner, sidecar }: PackagePatch) => ({ id, owner, description: sidecar?.description });
  return [
    ...enabled.map(({ patch, reason, conflict }) => ({
      ...identify(patch),
      enabled: true,
      reason: reason.type,
      variable: reason.type === 'condition' ? reason.variable : undefined,
      requiredBy: reason.type === 'required' ? reason.by.id : undefined,
      conflictsWith: conflict?.id,
    })),
    ...disabled.map(({ patch, variable }) => ({ ...identify(patch), enabled: false, variable })),
  ];
}

/** A patch is applied, applied because another one requires it, refused because of a conflict, or disabled. */
type PatchMark = '✓' | '→' | '✗' | '-';

export interface PatchDescription {
  readonly mark: PatchMark;
  readonly patch: PackagePatch;
  /** Printed after it in parentheses. */
  readonly reason: string;
}

export function describeEnabled({ patch, reason, conflict }: EnabledPatch): PatchDescription {
  if (conflict !== undefined) return { mark: '✗', patch, reason: `conflicts with ${shortName(conflict.id)}` };
  if (reason.type === 'required') return { mark: '→', patch, reason: `required by ${shortName(reason.by.id)}` };
  if (reason.type === 'forced') return { mark: '✓', patch, reason: 'enabled by name' };
  const variable = reason.type === 'condition' ? reason.variable : undefined;
  return { mark: '✓', patch, reason: variable === undefined ? 'always enabled' : `${variable}=true` };
}

export function describeDisabled({ patch, variable }: DisabledPatch): PatchDescription {
  return { mark: '-', patch, reason: variable === undefined ? 'disabled' : `disabled: ${variable}=false` };
}

/** In apply order, but with required patches right after the patch that requires them. */
export function nestRequired(enabled: readonly EnabledPatch[]): readonly EnabledPatch[] {
  const brought = groupBy(enabled, ({ reason }) => (reason.type === 'required' ? reason.by : undefined));
  const listBelow = (by: PackagePatch | undefined): readonly EnabledPatch[] =>
    (brought.get(by) ?? []).flatMap((entry) => [entry].concat(listBelow(entry.patch)));
  return listBelow(undefined);
}
