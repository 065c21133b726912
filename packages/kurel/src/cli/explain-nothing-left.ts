import { applyFilters, nameOf } from '../index.ts';
import { nearest, quote } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/index.ts';
import type { FlagFilter } from './flags-to-pipeline.ts';

/** Which flag has kept none of the objects that those before it keep, and what it could have said. */
export async function explainNothingLeft(
  objects: readonly KubeObject[],
  filters: readonly FlagFilter[],
): Promise<string | undefined> {
  let rest = objects;
  for (const [index, one] of filters.entries()) {
    const kept = await applyFilters(rest, [one.filter]);
    if (kept.length === 0) return describe(one, { rest, before: filters.slice(0, index) });
    rest = kept;
  }
  return undefined;
}

interface Loss {
  readonly rest: readonly KubeObject[];
  readonly before: readonly FlagFilter[];
}

function describe({ flag, words }: FlagFilter, { rest, before }: Loss): string {
  const others = [...new Set(before.map((one) => `--${one.flag}`))].join(' and ');
  const of =
    others === '' ? 'no object' : `none of the objects that ${others} ${before.length === 1 ? 'keeps' : 'keep'}`;
  const said = `${of} fits --${flag} ${words.map(quote).join(' or ')}`;
  if (flag !== 'kind' && flag !== 'name') return said;
  const known = [...new Set(rest.map((object) => (flag === 'kind' ? object.kind : nameOf(object))))].toSorted();
  const near = words
    .map((word) => nearest(word.slice(word.lastIndexOf('/') + 1), known))
    .find((one) => one !== undefined);
  if (near !== undefined) return `${said}; did you mean ${near}?`;
  return `${said}; there ${known.length === 1 ? 'is' : 'are'} ${listShort(known)}`;
}

const most = 10;

function listShort(words: readonly string[]): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}
