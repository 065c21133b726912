import { escapeControlsInJson, toJson } from '../../diagnostics/index.ts';
import type { EnabledPatch, PatchPlan } from '../../index.ts';
import type { Severity } from '../../model/index.ts';
import { countKinds } from './format-report.ts';
import type { PackageReport } from './package-report.ts';

/** The report for other programs. */
export function reportToJson({ findings, plan, objects }: PackageReport, places: Parameters<typeof toJson>[1]): string {
  const listed = (severity: Severity): string => {
    const chosen = findings.flatMap(({ diagnostic }) => (diagnostic.severity === severity ? [diagnostic] : []));
    return toJson(chosen, places);
  };
  return joinJson({
    valid: String(!findings.some(({ diagnostic }) => diagnostic.severity === 'error')),
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

/** Enabled patches in apply order, then disabled ones. */
export function patchesToJson({ enabled, disabled }: PatchPlan): readonly object[] {
  return [
    ...enabled.map((entry) => ({ ...named(entry), enabled: true, ...reasonToJson(entry) })),
    ...disabled.map((entry) => ({ ...named(entry), enabled: false, ...optional('variable', entry.variable) })),
  ];
}

function named({ patch }: Pick<EnabledPatch, 'patch'>): object {
  return { id: patch.id, owner: patch.owner, ...optional('description', patch.sidecar?.description) };
}

function reasonToJson({ reason, conflict }: EnabledPatch): object {
  return {
    reason: reason.type,
    ...optional('variable', reason.type === 'condition' ? reason.variable : undefined),
    ...optional('requiredBy', reason.type === 'required' ? reason.by.id : undefined),
    ...optional('conflictsWith', conflict?.id),
  };
}

function optional(name: string, value: string | undefined): object {
  return value === undefined ? {} : { [name]: value };
}
