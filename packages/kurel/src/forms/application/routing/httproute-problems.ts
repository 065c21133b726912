import { defineProblems, quote } from '../../../diagnostics/index.ts';

/** Findings about HTTPRoutes that their schema does not cover, or describes badly. */
export const httprouteProblems = defineProblems({
  'httproute-gateway-missing': {
    severity: 'error',
    summary: 'A route has no Gateway.',
    message: () => 'required field "parentRefs" or "gatewayName" is missing',
    hint: () => 'add "parentRefs", or set "gatewayName" in spec.capabilities.httproute.rendering of the profile',
    fix: 'Set parentRefs in the trait. To set the Gateway for all routes, add gatewayName to spec.capabilities.httproute.rendering of the profile.',
  },
  'httproute-path-invalid': {
    severity: 'error',
    summary: 'The path of a match is not a valid request path.',
    message: ({ path, reason }: { path: string; reason: string }) => `path ${quote(path)} ${reason}`,
    fix: 'Write an absolute path such as /api, without "//", "." and ".." segments, query or fragment.',
  },
  'httproute-filter-block': {
    severity: 'error',
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
    severity: 'error',
    summary: 'A rule has two filters of a type that it can have only once.',
    message: ({ type }: { type: string }) => `duplicate filter of type ${type}`,
    hint: () => 'merge them',
    fix: 'Merge the two filters into one.',
  },
  'httproute-redirect-rewrite': {
    severity: 'error',
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
    severity: 'error',
    summary: 'A route has more hosts than an HTTPRoute supports.',
    message: ({ count, most }: { count: number; most: number }) =>
      `the route must have at most ${most} hosts, got ${count}`,
    hint: () => 'use several traits, each with its own "name"',
    fix: 'Split the hosts over several traits, each with its own name.',
  },
  'httproute-prefix-match': {
    severity: 'error',
    summary: 'ReplacePrefixMatch is used in a rule without exactly one prefix match.',
    message: () => 'ReplacePrefixMatch requires a rule with exactly one match of type PathPrefix',
    hint: () => 'write a separate rule for each prefix, or use ReplaceFullPath',
    fix: 'Write a separate rule for each prefix, with a single match of type PathPrefix, or use ReplaceFullPath.',
  },
  'httproute-timeout': {
    severity: 'error',
    summary: 'A timeout is not a valid Gateway API duration.',
    message: ({ field, text, reason }: { field: string; text: string; reason: string }) =>
      `${field} ${quote(text)} ${reason}`,
    fix: 'Write the duration in whole milliseconds, seconds, minutes or hours, such as 500ms, 10s or 1m30s.',
  },
  'httproute-timeouts-empty': {
    severity: 'error',
    summary: 'timeouts is empty.',
    message: () => 'required field "request" or "backendRequest" is missing in "timeouts"',
    fix: 'Set request, backendRequest or both in timeouts, or remove it.',
  },
  'httproute-timeout-order': {
    severity: 'error',
    summary: 'The timeout of a backend request exceeds that of the whole request.',
    message: ({ request, backendRequest }: { request: string; backendRequest: string }) =>
      `"backendRequest" must be at most "request" ${request}, got ${backendRequest}`,
    fix: 'Lower backendRequest or raise request. A request may include several backend requests when it is retried.',
  },
});

interface FilterBlock {
  readonly type: string;
  readonly block: string;
  readonly problem: 'missing' | 'empty' | 'foreign';
}
