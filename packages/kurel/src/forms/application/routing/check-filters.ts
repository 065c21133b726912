import { has, mappingAt, textAt } from '../../../kube/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { httprouteProblems } from './httproute-problems.ts';

const blocks: Readonly<Record<string, string>> = {
  RequestRedirect: 'requestRedirect',
  URLRewrite: 'urlRewrite',
  RequestHeaderModifier: 'requestHeaderModifier',
  ResponseHeaderModifier: 'responseHeaderModifier',
  RequestMirror: 'requestMirror',
  CORS: 'cors',
  ExternalAuth: 'externalAuth',
  ExtensionRef: 'extensionRef',
};

const repeatable: ReadonlySet<string> = new Set(['RequestMirror', 'ExternalAuth', 'ExtensionRef']);

interface FiltersCheck {
  readonly path: Path;
  /** Matches of the rule. */
  readonly matches: readonly Json[] | undefined;
  readonly report: ReportAt;
}

/** Checks filters beyond their schema. */
export function checkFilters(filters: readonly Json[], { path, matches, report }: FiltersCheck): void {
  const seen = new Set<string>();
  for (const [index, filter] of filters.entries()) {
    const place = [...path, index];
    const type = textAt(filter, 'type') ?? '';
    checkBlocks(filter, { type, path: place, report });
    if (seen.has(type) && !repeatable.has(type)) {
      report(httprouteProblems.create('httproute-filter-repeated', { type }), [...place, 'type']);
    }
    const other = type === 'RequestRedirect' ? 'URLRewrite' : type === 'URLRewrite' ? 'RequestRedirect' : '';
    if (seen.has(other)) report(httprouteProblems.create('httproute-redirect-rewrite', {}), [...place, 'type']);
    seen.add(type);
    const block = blockOf(type);
    const replaced = block === undefined ? undefined : mappingAt(mappingAt(filter, block), 'path');
    if (textAt(replaced, 'type') === 'ReplacePrefixMatch' && !isOnePrefix(matches)) {
      report(httprouteProblems.create('httproute-prefix-match', {}), [...place, block!, 'path', 'type']);
    }
  }
}

function blockOf(type: string): string | undefined {
  return Object.hasOwn(blocks, type) ? blocks[type] : undefined;
}

interface BlocksCheck {
  readonly type: string;
  readonly path: Path;
  readonly report: ReportAt;
}

function checkBlocks(filter: Json, { type, path, report }: BlocksCheck): void {
  const own = blockOf(type);
  if (own === undefined) return;
  if (!has(filter, own)) {
    report(httprouteProblems.create('httproute-filter-block', { type, block: own, problem: 'missing' }), path);
  } else if (isEmpty(mappingAt(filter, own) ?? {})) {
    report(httprouteProblems.create('httproute-filter-block', { type, block: own, problem: 'empty' }), [...path, own]);
  }
  for (const block of Object.values(blocks)) {
    if (block === own || !has(filter, block)) continue;
    const args = { type, block, problem: 'foreign' } as const;
    report(httprouteProblems.create('httproute-filter-block', args), [...path, block], 'key');
  }
}

/** Empty lists count as absent. */
function isEmpty(block: Readonly<Record<string, Json>>): boolean {
  return Object.keys(block).every((key) => !has(block, key) || (Array.isArray(block[key]) && block[key].length === 0));
}

/** A rule without matches has the prefix `/`. */
function isOnePrefix(matches: readonly Json[] | undefined): boolean {
  if (matches === undefined || matches.length === 0) return true;
  const type = textAt(mappingAt(matches[0], 'path'), 'type') ?? 'PathPrefix';
  return matches.length === 1 && type === 'PathPrefix';
}

export function hasRedirect(filters: readonly Json[]): boolean {
  return filters.some((filter) => textAt(filter, 'type') === 'RequestRedirect');
}

/** Services that filters send requests to, with the paths of their names. */
export function listFilterBackends(
  filters: readonly Json[],
  path: Path,
): readonly { readonly backend: Json; readonly path: Path }[] {
  return filters.flatMap((filter, index) =>
    ['requestMirror', 'externalAuth'].flatMap((block) => {
      const backend = mappingAt(mappingAt(filter, block), 'backendRef');
      return backend === undefined ? [] : [{ backend, path: [...path, index, block, 'backendRef'] }];
    }),
  );
}
