import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { has, listAt, mappingAt, parseDuration, textAt } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import type { ValueOf } from '../../../documents/index.ts';
import type { routeRule } from './routing-properties.ts';

/** Findings about HTTPRoutes that their schema does not cover, or describes badly. */
export const httprouteProblems = defineProblems(() => ({
  'httproute-gateway-missing': {
    summary: 'A route has no Gateway.',
    message: () => 'required field "parentRefs" or "gatewayName" is missing',
    hint: () => 'add "parentRefs", or set "gatewayName" in spec.capabilities.httproute.rendering of the profile',
    fix: 'Set parentRefs in the trait. To set the Gateway for all routes, add gatewayName to spec.capabilities.httproute.rendering of the profile.',
  },
  'httproute-path-invalid': {
    summary: 'The path of a match is not a valid request path.',
    message: ({ path, reason }: { path: string; reason: string }) => `path ${quote(path)} ${reason}`,
    fix: 'Write an absolute path such as /api, without "//", "." and ".." segments, query or fragment.',
  },
  'httproute-filter-block': {
    summary: 'A filter lacks the settings of its type, or has those of another type.',
    message: ({ type, block, problem }: FilterBlock) =>
      problem === 'missing'
        ? `required field ${quote(block)} is missing in the filter of type ${type}`
        : problem === 'empty'
          ? `${quote(block)} is empty in the filter of type ${type}`
          : `filter type ${type} does not support ${quote(block)}`,
    hint: ({ problem }: FilterBlock) => (problem === 'foreign' ? 'move it to a separate filter' : undefined),
    fix: 'Set the field that belongs to the type of the filter, such as requestRedirect for RequestRedirect, and no other. Use a separate filter for each type.',
  },
  'httproute-filter-repeated': {
    summary: 'A rule has two filters of a type that it can have only once.',
    message: ({ type }: { type: string }) => `duplicate filter of type ${type}`,
    hint: () => 'merge them',
    fix: 'Merge the two filters into one.',
  },
  'httproute-redirect-rewrite': {
    summary: 'A rule has both RequestRedirect and URLRewrite filters.',
    message: () => 'RequestRedirect and URLRewrite are mutually exclusive',
    hint: () => 'set "hostname" and "path" in the RequestRedirect',
    fix: 'Remove the URLRewrite filter. A RequestRedirect filter can change the host and path itself with hostname and path.',
  },
  'httproute-redirect-backends': {
    severity: 'warning',
    summary: 'A rule with a RequestRedirect filter has backends, which are omitted.',
    message: () => '"backendRefs" has no effect: the rule redirects all requests',
    hint: () => 'remove "backendRefs"',
    fix: 'Remove backendRefs from the rule, or remove the RequestRedirect filter.',
  },
  'httproute-hostnames': {
    summary: 'A route has more hosts than an HTTPRoute supports.',
    message: ({ count, most }: { count: number; most: number }) =>
      `the route must have at most ${most} hosts, got ${count}`,
    hint: () => 'use several traits, each with its own "name"',
    fix: 'Split the hosts over several traits, each with its own name.',
  },
  'httproute-prefix-match': {
    summary: 'ReplacePrefixMatch is used in a rule without exactly one prefix match.',
    message: () => 'ReplacePrefixMatch requires a rule with exactly one match of type PathPrefix',
    hint: () => 'write a separate rule for each prefix, or use ReplaceFullPath',
    fix: 'Write a separate rule for each prefix, with a single match of type PathPrefix, or use ReplaceFullPath.',
  },
  'httproute-timeout': {
    summary: 'A timeout is not a valid Gateway API duration.',
    message: ({ field, text, reason }: { field: string; text: string; reason: string }) =>
      `${field} ${quote(text)} ${reason}`,
    fix: 'Write the duration in whole milliseconds, seconds, minutes or hours, such as 500ms, 10s or 1m30s.',
  },
  'httproute-timeouts-empty': {
    summary: 'timeouts is empty.',
    message: () => 'required field "request" or "backendRequest" is missing in "timeouts"',
    fix: 'Set request, backendRequest or both in timeouts, or remove it.',
  },
  'httproute-timeout-order': {
    summary: 'The timeout of a backend request exceeds that of the whole request.',
    message: ({ request, backendRequest }: { request: string; backendRequest: string }) =>
      `"backendRequest" must be at most "request" ${request}, got ${backendRequest}`,
    fix: 'Lower backendRequest or raise request. A request may include several backend requests when it is retried.',
  },
}));

interface FilterBlock {
  readonly type: string;
  readonly block: string;
  readonly problem: 'missing' | 'empty' | 'foreign';
}

type Timeouts = ValueOf<typeof routeRule.timeouts>;

const millisecond = 1_000_000n;
// Gateway API allows at most five digits per unit.
const longest = 99_999n;

export function createTimeouts(timeouts: Timeouts, path: Path, report: ReportAt): JsonObject {
  const { request, backendRequest } = timeouts;
  if (request === undefined && backendRequest === undefined) {
    report(httprouteProblems.create('httproute-timeouts-empty', {}), path, 'key');
  }
  const [whole, single] = [parseDuration(request ?? '0') ?? 0n, parseDuration(backendRequest ?? '0') ?? 0n];
  if (whole !== 0n && single > whole) {
    const args = { request: request!, backendRequest: backendRequest! };
    report(httprouteProblems.create('httproute-timeout-order', args), [...path, 'backendRequest']);
  }
  const write = (field: 'request' | 'backendRequest', nanoseconds: bigint): string | undefined => {
    const text = timeouts[field];
    if (text === undefined) return undefined;
    const reason = explainDuration(nanoseconds);
    if (reason === undefined) return formatGatewayDuration(nanoseconds);
    report(httprouteProblems.create('httproute-timeout', { field, text, reason }), [...path, field]);
    return text;
  };
  return defined({ request: write('request', whole), backendRequest: write('backendRequest', single) });
}

function explainDuration(nanoseconds: bigint): string | undefined {
  if (nanoseconds % millisecond !== 0n) return 'must be a multiple of 1ms';
  return hoursOf(nanoseconds) > longest ? `must be at most ${longest} hours` : undefined;
}

function hoursOf(nanoseconds: bigint): bigint {
  return nanoseconds / (3_600_000n * millisecond);
}

/** The format of Go without fractions, which Gateway API does not support: `1m30s`, `1s500ms`, `0s`. */
export function formatGatewayDuration(nanoseconds: bigint): string {
  const total = nanoseconds / millisecond;
  const [hours, minutes] = [hoursOf(nanoseconds), (total / 60_000n) % 60n];
  const [seconds, milliseconds] = [(total / 1000n) % 60n, total % 1000n];
  if (total < 1000n) return total === 0n ? '0s' : `${total}ms`;
  const parts = [
    hours > 0n ? `${hours}h` : '',
    hours > 0n || minutes > 0n ? `${minutes}m` : '',
    `${seconds}s`,
    milliseconds > 0n ? `${milliseconds}ms` : '',
  ];
  return parts.join('');
}

/** Matches of a rule, with default types. Findings are located at the paths of their request paths. */
export function createMatches(matches: readonly Json[], valuesAt: readonly Path[], report: ReportAt): readonly Json[] {
  return matches.map((match, index) => {
    if (!isJsonObject(match)) return match;
    const ofPath = mappingAt(match, 'path');
    const value = textAt(ofPath, 'value');
    const reason = textAt(ofPath, 'type') === 'RegularExpression' ? undefined : explainPath(value ?? '/');
    if (reason !== undefined) {
      report(httprouteProblems.create('httproute-path-invalid', { path: value!, reason }), valuesAt[index]!);
    }
    return {
      ...match,
      ...(ofPath === undefined ? {} : { path: complete(ofPath, { type: 'PathPrefix', value: '/' }) }),
      ...completeAll(match, 'headers'),
      ...completeAll(match, 'queryParams'),
    };
  });
}

// Gateways normalize paths before matching, so these would never match.
const lost = ['//', '/./', '/../', '%2f', '%2F', '#'];
const lostEnds = ['/..', '/.'];

function explainPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must start with "/"';
  const part = lost.find((text) => path.includes(text)) ?? lostEnds.find((text) => path.endsWith(text));
  if (part !== undefined) return `must not contain ${quote(part)}`;
  return /^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$/.test(path)
    ? undefined
    : 'must contain only characters that are valid in URL paths; escape others, such as %20';
}

function completeAll(match: JsonObject, key: string): JsonObject {
  return has(match, key) ? { [key]: listAt(match, key).map((entry) => complete(entry, { type: 'Exact' })) } : {};
}

/** Returns the same object if it is complete, so that it keeps its location. */
function complete(mapping: Json, usual: JsonObject): Json {
  const missing = Object.keys(usual).filter((key) => !has(mapping, key));
  if (missing.length === 0 || !isJsonObject(mapping)) return mapping;
  const added = Object.fromEntries(missing.map((key) => [key, usual[key]!]));
  return { ...added, ...mapping, ...added };
}

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
    const block = Object.hasOwn(blocks, type) ? blocks[type] : undefined;
    if (block !== undefined) checkBlocks(filter, block, place);
    if (seen.has(type) && !repeatable.has(type)) {
      report(httprouteProblems.create('httproute-filter-repeated', { type }), [...place, 'type']);
    }
    const other = type === 'RequestRedirect' ? 'URLRewrite' : type === 'URLRewrite' ? 'RequestRedirect' : '';
    if (seen.has(other)) report(httprouteProblems.create('httproute-redirect-rewrite', {}), [...place, 'type']);
    seen.add(type);
    const replaced = block === undefined ? undefined : mappingAt(mappingAt(filter, block), 'path');
    if (textAt(replaced, 'type') === 'ReplacePrefixMatch' && !isOnePrefix(matches)) {
      report(httprouteProblems.create('httproute-prefix-match', {}), [...place, block!, 'path', 'type']);
    }
  }

  function checkBlocks(filter: Json, own: string, place: Path): void {
    const type = textAt(filter, 'type') ?? '';
    const refuse = (problem: FilterBlock['problem'], block = own): Diagnostic =>
      httprouteProblems.create('httproute-filter-block', { type, block, problem });
    if (!has(filter, own)) report(refuse('missing'), place);
    else if (isEmpty(mappingAt(filter, own) ?? {})) report(refuse('empty'), [...place, own]);
    for (const block of Object.values(blocks)) {
      if (block !== own && has(filter, block)) report(refuse('foreign', block), [...place, block], 'key');
    }
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
