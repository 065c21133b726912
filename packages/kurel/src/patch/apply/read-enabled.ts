import type { Report } from '../../model/index.ts';
import { describeValue } from './format-path.ts';
import type { PreparedField } from './prepared.ts';
import { applyProblems } from './problems.ts';

/** What `enabled: …` directly under a target says; `undefined` for every other patch. */
export function readEnabled(
  { patch, steps, operation }: PreparedField,
  report: Report,
): { readonly value: boolean } | 'wrong' | undefined {
  const [only] = steps;
  if (steps.length !== 1 || only?.type !== 'field' || only.quoted || only.name !== 'enabled') return undefined;
  const value = operation.type === 'replace' ? operation.value : undefined;
  const data = value?.type === 'lexeme' ? value.text : value?.type === 'data' ? value.data : null;
  if (typeof data === 'boolean') return { value: data };
  if (typeof data === 'string' && /^(?:true|false)$/i.test(data)) return { value: data.toLowerCase() === 'true' };
  const args = { value: operation.type === 'replace' ? describeValue(data) : 'a list or nothing' };
  report(applyProblems.create('enabled-not-boolean', args, { location: patch.location }));
  return 'wrong';
}
