import { expect, it } from 'vitest';

import type { Diagnostic, KubeObject, Severity } from '../../model/index.ts';
import { checkLine, formatReport } from './format-report.ts';

const wording = { passed: 'All doors closed', topic: 'Doors' };

function finding(severity: Severity, more: Partial<Diagnostic> = {}): Diagnostic {
  return { code: 'door-open', severity, message: 'a door is open', ...more };
}

const [error, warning, note] = [finding('error'), finding('warning'), finding('note')];

it.each<readonly [findings: readonly Diagnostic[], isChecked: boolean, line: string]>([
  [[], true, '✓ All doors closed'],
  [[note], true, '✓ All doors closed'],
  [[], false, '- Doors: not checked'],
  [[note], false, '- Doors: not checked'],
  [[warning], true, '⚠ Doors: 1 warning'],
  [[warning, note, warning], false, '⚠ Doors: 2 warnings'],
  [[error], true, '✗ Doors: 1 error'],
  [[warning, error, error], false, '✗ Doors: 2 errors, 1 warning'],
  [[finding('warning', { omitted: { code: 'door-open', count: 40 } })], true, '⚠ Doors: 40 warnings'],
])('ticks a check only if it was made and found nothing: %#', (findings, isChecked, line) => {
  expect(checkLine({ ...wording, isChecked }, findings)).toBe(line);
});

function object(kind: string, name: string): KubeObject {
  return { apiVersion: 'example.com/v1', kind, metadata: { name } };
}

const [one, two, three] = [object('Door', 'one'), object('Door', 'two'), object('Wall', 'three')];

function aboutKind(severity: Severity, kind: string): Diagnostic {
  return finding(severity, { object: { group: 'example.com', kind, namespace: '', name: 'one' } });
}

it.each<readonly [unchecked: readonly KubeObject[], findings: readonly Diagnostic[], lines: readonly string[]]>([
  [[], [], ['✓ 2 Doors', '✓ 1 Wall']],
  [[], [aboutKind('note', 'Door')], ['✓ 2 Doors', '✓ 1 Wall']],
  [[], [aboutKind('warning', 'Door')], ['⚠ 2 Doors', '✓ 1 Wall']],
  [[], [aboutKind('warning', 'Wall'), aboutKind('error', 'Wall')], ['✓ 2 Doors', '✗ 1 Wall']],
  [[three], [], ['✓ 2 Doors', '- 1 Wall (not checked: no schema)']],
  [[one], [], ['- 2 Doors (1 not checked: no schema)', '✓ 1 Wall']],
  [[one, two], [aboutKind('error', 'Door')], ['✗ 2 Doors (not checked: no schema)', '✓ 1 Wall']],
  // Any object may have one of the findings that were only counted.
  [[], [finding('error', { omitted: { code: 'x', count: 9 } })], ['- 2 Doors', '- 1 Wall']],
  [[], [finding('note', { omitted: { code: 'x', count: 9 } })], ['✓ 2 Doors', '✓ 1 Wall']],
])('ticks a kind only if all of its objects were checked: %#', (unchecked, diagnostics, lines) => {
  const report = { checks: [], objects: [one, two, three], unchecked: new Set(unchecked), diagnostics };
  const [, ...shown] = formatReport(report, '', false).split('\n\n')[0]!.split('\n');
  expect(shown).toEqual(lines.map((line) => `  ${line}`));
});

it('has the checks first, then the findings, then the lists, and ends with the summary', () => {
  const report = { checks: ['✗ Doors: 1 error'], patches: ['  ✓ a.kpatch'], objects: [three], diagnostics: [error] };
  expect(formatReport(report, 'FINDINGS\n', false)).toBe(
    [
      '✗ Doors: 1 error\n',
      'FINDINGS\n',
      'Enabled patches:\n  ✓ a.kpatch\n',
      'Generated resources:\n  ✓ 1 Wall\n',
      'Validation summary: 1 error, 0 warnings\n',
    ].join('\n'),
  );
});
