import { shortName } from '../../index.ts';
import type { DisabledPatch, EnabledPatch, PackagePatch } from '../../index.ts';
import { paint } from '../terminal.ts';

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
  return { mark: '✓', patch, reason: explainEnabled(reason) };
}

function explainEnabled(reason: EnabledPatch['reason']): string {
  if (reason.type === 'forced') return 'enabled by name';
  const variable = reason.type === 'condition' ? reason.variable : undefined;
  return variable === undefined ? 'always enabled' : `${variable}=true`;
}

export function describeDisabled({ patch, variable }: DisabledPatch): PatchDescription {
  return { mark: '-', patch, reason: variable === undefined ? 'disabled' : `disabled: ${variable}=false` };
}

/** In apply order, but with required patches right after the patch that requires them. */
export function nestRequired(enabled: readonly EnabledPatch[]): readonly EnabledPatch[] {
  const brought = new Map<PackagePatch, EnabledPatch[]>();
  const roots: EnabledPatch[] = [];
  for (const entry of enabled) {
    const { reason } = entry;
    if (reason.type !== 'required') roots.push(entry);
    else brought.set(reason.by, [...(brought.get(reason.by) ?? []), entry]);
  }
  const withOthers = (entry: EnabledPatch): readonly EnabledPatch[] => [
    entry,
    ...(brought.get(entry.patch) ?? []).flatMap(withOthers),
  ];
  return roots.flatMap(withOthers);
}

// Select Graphic Rendition codes: green, red, magenta, bold.
const codes: Readonly<Record<string, string>> = { '✓': '32', '✗': '31', '⚠': '35', '→': '1' };

/** Colours the mark at the start of a line. */
export function paintMark(line: string, color: boolean): string {
  if (!color) return line;
  return line.replace(
    /^( *)(✗ Error:|⚠ Warning:|→ Note:|[✓✗⚠→])/,
    (_, indent: string, mark: string) => `${indent}${paint(codes[mark[0]!], mark, true)}`,
  );
}
