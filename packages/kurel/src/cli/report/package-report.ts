import { basename } from 'node:path';

import { countBySeverity, countNoun, escapeControls, escapeControlsInJson, toJson } from '../../diagnostics/index.ts';
import { examinedPackageOf, pluralOf, shortName, sortByApplyOrder } from '../../index.ts';
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
import { paint } from '../terminal.ts';
import { hasErrors } from '../usage-error.ts';

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
  readonly completed: ReadonlySet<CheckName>;
}

/** `plan` and `output` are shown in the lists of patches and resources. */
type Check = CheckName | 'plan' | 'output';

export function packageReportOf(result: BuildResult | undefined): PackageReport {
  if (result === undefined) return { isBuilt: false, completed: new Set() };
  const { isChecked, rendering } = result;
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
  return { isBuilt: true, package: pkg, plan, objects: isChecked ? rendering.objects : undefined, completed };
}

/** The findings in the order of the report. */
export function sortByCheck(report: PackageReport, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...checkNames, 'plan' as const, 'output' as const].flatMap((check) => findingsOf(check, report, diagnostics));
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

/** Without a build, findings are about flags, and those about parameters. */
function checkOf({ code, check }: Diagnostic, isBuilt: boolean): Check {
  if (Object.hasOwn(byCode, code)) return byCode[code]!;
  if (check !== undefined) return check as CheckName;
  if (!isBuilt) return 'parameters';
  // Resources are read when the package is built, but are a part of its structure.
  return /^(?:yaml|resource|object)-/.test(code) ? 'structure' : 'resources';
}

/** The report of `kurel validate`, the same for every input: checks, enabled patches, generated resources, summary. */
export interface Report {
  readonly checks: readonly string[];
  readonly patches?: readonly string[];
  readonly objects: readonly KubeObject[];
  /** Findings that are shown with the resources. */
  readonly ofResources?: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
  /** Printed after the numbers of the summary. */
  readonly note?: string;
}

export function formatReport(report: Report, color: boolean): string {
  const { checks, patches = [], objects, ofResources = [], diagnostics, note = '' } = report;
  const resources = [
    ...countLines(objects, diagnostics),
    ...ofResources.flatMap(findingLines).map((line) => `  ${line}`),
  ];
  const { error, warning } = countBySeverity(diagnostics);
  const summary = `Validation summary: ${countNoun(error, 'error')}, ${countNoun(warning, 'warning')}${note}`;
  return [checks, titled('Enabled patches:', patches), titled('Generated resources:', resources), [summary]]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${paintMark(line, color)}\n`).join(''))
    .join('\n');
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** `✓ passed`, `✗ failed` or, with warnings only, `⚠ passed`. */
export function checkLine(passed: string, failed: string, diagnostics: readonly Diagnostic[]): string {
  if (hasErrors(diagnostics)) return `✗ ${failed}`;
  return `${diagnostics.some(({ severity }) => severity === 'warning') ? '⚠' : '✓'} ${passed}`;
}

const sentences: Readonly<Record<CheckName, readonly [passed: string, failed: string]>> = {
  structure: ['Package structure valid', 'Package structure not valid'],
  parameters: ['Parameters schema validation passed', 'Parameters schema validation failed'],
  variables: ['All patch variables resolved', 'Some patch variables are not resolved'],
  naming: ['No naming conflicts within namespaces', 'Naming conflicts within namespaces'],
  namespaces: ['Resources reference consistent namespaces', 'Resources reference inconsistent namespaces'],
  references: [
    'Cross-namespace Service→Deployment references look valid',
    'Cross-namespace Service→Deployment references are not valid',
  ],
  dependencies: ['Patch dependencies and conflicts checked', 'Patch dependencies or conflicts are not valid'],
  resources: ['Generated Kubernetes resources valid', 'Generated Kubernetes resources not valid'],
};

const always: readonly CheckName[] = ['structure', 'parameters', 'variables'];

/** The report of a patch package; `verbose` lists all checks that passed, not only the first three. */
export function reportOfPackage(report: PackageReport, diagnostics: readonly Diagnostic[], verbose: boolean): Report {
  const { completed, plan, package: pkg, objects = [] } = report;
  const checks = checkNames.flatMap((check) => {
    const problems = findingsOf(check, report, diagnostics).filter(({ severity }) => severity !== 'note');
    const isShown = problems.length > 0 || (completed.has(check) && (verbose || always.includes(check)));
    const [passed, failed] = sentences[check];
    return isShown ? [checkLine(passed, failed, problems)] : [];
  });
  return {
    checks,
    patches: plan === undefined || pkg === undefined ? [] : patchLines(plan.enabled, pkg),
    objects,
    ofResources: objects.length === 0 ? [] : findingsOf('output', report, diagnostics),
    diagnostics,
  };
}

const marks = { error: ['✗', 'Error'], warning: ['⚠', 'Warning'], note: ['→', 'Note'] } as const;

function findingLines({ severity, message, hint }: Diagnostic): readonly string[] {
  const [mark, word] = marks[severity];
  const hints = hint === undefined ? [] : hint.split('\n').map((line) => `   → ${escapeControls(line)}`);
  return [`${mark} ${word}: ${escapeControls(message)}`, ...hints];
}

/** Paths start at the root of the package, those of the local extension with its directory. */
function patchLines(enabled: readonly EnabledPatch[], { localPath = '' }: PatchPackage): readonly string[] {
  return nestRequired(enabled).map((entry) => {
    const { mark, patch, reason } = describeEnabled(entry);
    const directory = patch.owner === 'package' ? '' : `${basename(localPath)}/`;
    return escapeControls(`  ${mark} ${directory}patches/${patch.id} (${reason})`);
  });
}

function countLines(objects: readonly KubeObject[], diagnostics: readonly Diagnostic[]): readonly string[] {
  return Object.entries(countKinds(objects)).map(([kind, number]) => {
    const ofKind = diagnostics.filter(({ object }) => object?.kind === kind);
    const counted = countNoun(number, kind, pluralOf(kind));
    return escapeControls(`  ${checkLine(counted, counted, ofKind)}`);
  });
}

/** The number of objects per kind, in apply order. */
function countKinds(objects: readonly KubeObject[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { kind } of sortByApplyOrder(objects)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
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

// Select Graphic Rendition codes: green, red, magenta, bold.
const codes: Readonly<Record<string, string>> = { '✓': '32', '✗': '31', '⚠': '35', '→': '1' };

export function paintMark(line: string, color: boolean): string {
  if (!color) return line;
  return line.replace(
    /^( *)(✗ Error:|⚠ Warning:|→ Note:|[✓✗⚠→])/,
    (_, indent: string, mark: string) => `${indent}${paint(codes[mark[0]!], mark, true)}`,
  );
}
