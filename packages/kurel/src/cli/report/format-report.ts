import { basename } from 'node:path';

import { escapeControls } from '../../diagnostics/index.ts';
import { pluralOf, sortByApplyOrder } from '../../index.ts';
import type { PackagePatch, PatchPackage } from '../../index.ts';
import type { Diagnostic, KubeObject, Severity } from '../../model/index.ts';
import { describeEnabled, nestRequired, paintMark } from './describe-patch.ts';
import { checkNames } from './package-report.ts';
import type { CheckName, PackageReport } from './package-report.ts';

const sentences: Readonly<Record<CheckName, string>> = {
  structure: 'Package structure valid',
  parameters: 'Parameters schema validation passed',
  variables: 'All patch variables resolved',
  naming: 'No naming conflicts within namespaces',
  namespaces: 'Resources reference consistent namespaces',
  references: 'Cross-namespace Service→Deployment references look valid',
  dependencies: 'Patch dependencies and conflicts checked',
  resources: 'Generated Kubernetes resources valid',
};

const always: readonly CheckName[] = ['structure', 'parameters', 'variables'];

export interface ReportOptions {
  /** All checks that passed, not only the first three. */
  readonly verbose: boolean;
  readonly color: boolean;
  /** The findings were already printed in full on the same terminal. */
  readonly isTold?: boolean;
}

/** The report for people: checks, patches, resources, and the numbers of errors and warnings as its last line. */
export function formatReport(report: PackageReport, options: ReportOptions): string {
  const { color } = options;
  const diagnostics = report.findings.map(({ diagnostic }) => diagnostic);
  const summary = `Validation summary: ${count(diagnostics, 'error')}, ${count(diagnostics, 'warning')}`;
  return [checkLines(report, options), patchLines(report), resourceLines(report, options), [summary]]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${paintMark(line, color)}\n`).join(''))
    .join('\n');
}

function count(diagnostics: readonly Diagnostic[], severity: Severity): string {
  const found = diagnostics.reduce((sum, one) => sum + (one.severity === severity ? (one.omitted?.count ?? 1) : 0), 0);
  return `${found} ${severity}${found === 1 ? '' : 's'}`;
}

function checkLines({ made, findings }: PackageReport, { verbose, isTold = false }: ReportOptions): readonly string[] {
  const lines: string[] = [];
  for (const check of checkNames) {
    const found = findings.flatMap(({ check: of, diagnostic }) =>
      of === check && diagnostic.severity !== 'note' ? [diagnostic] : [],
    );
    const passed = made.has(check) && found.length === 0;
    if (passed && (verbose || always.includes(check))) lines.push(`✓ ${sentences[check]}`);
    for (const line of isTold ? [] : found.flatMap(findingLines)) lines.push(line);
  }
  return lines;
}

const marks = { error: ['✗', 'Error'], warning: ['⚠', 'Warning'], note: ['→', 'Note'] } as const;

function findingLines({ severity, message, hint }: Diagnostic): readonly string[] {
  const [mark, word] = marks[severity];
  const hints = hint === undefined ? [] : hint.split('\n').map((line) => `   → ${escapeControls(line)}`);
  return [`${mark} ${word}: ${escapeControls(message)}`, ...hints];
}

function patchLines({ plan, package: pkg }: PackageReport): readonly string[] {
  if (plan === undefined || pkg === undefined || plan.enabled.length === 0) return [];
  const lines = nestRequired(plan.enabled).map((entry) => {
    const { mark, patch, reason } = describeEnabled(entry);
    return escapeControls(`  ${mark} ${pathOf(patch, pkg)} (${reason})`);
  });
  return ['Enabled patches:', ...lines];
}

/** From the root of the package; what the local extension adds is named by its directory. */
function pathOf({ id, owner }: PackagePatch, { localPath = '' }: PatchPackage): string {
  return owner === 'package' ? `patches/${id}` : `${basename(localPath)}/patches/${id}`;
}

function resourceLines({ objects, findings }: PackageReport, { isTold = false }: ReportOptions): readonly string[] {
  if (objects === undefined || objects.length === 0) return [];
  const found = findings.flatMap(({ check, diagnostic }) => {
    return check === 'output' && !isTold ? findingLines(diagnostic) : [];
  });
  return ['Generated resources:', ...countLines(objects), ...found.map((line) => `  ${line}`)];
}

function countLines(objects: readonly KubeObject[]): readonly string[] {
  return Object.entries(countKinds(objects)).map(([kind, number]) =>
    escapeControls(`  ✓ ${number} ${number === 1 ? kind : pluralOf(kind)}`),
  );
}

/** How many objects there are of each kind, in the order in which they should be applied. */
export function countKinds(objects: readonly KubeObject[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { kind } of sortByApplyOrder(objects)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}
