import { defineProblems, quote } from '../../../diagnostics/index.ts';

/** What can be wrong with an HTTPRoute that its schema does not say, or says in words that help nobody. */
export const httprouteProblems = defineProblems({
  'httproute-gateway-missing': {
    severity: 'error',
    summary: 'Nothing says which Gateway a route is of.',
    message: () => 'neither "parentRefs" nor "gatewayName" say which Gateway the route is of',
    hint: () => 'the platform can say it for all routes: "gatewayName" in spec.capabilities.httproute.rendering',
  },
  'httproute-path-invalid': {
    severity: 'error',
    summary: 'The path of a match is not one that requests can have.',
    message: ({ path, reason }: { path: string; reason: string }) => `the path ${quote(path)} ${reason}`,
  },
  'httproute-filter-block': {
    severity: 'error',
    summary: 'A filter lacks the block of its type, or has that of another.',
    message: ({ type, block, problem }: FilterBlock) =>
      problem === 'missing'
        ? `a filter of type ${type} needs ${quote(block)}`
        : problem === 'empty'
          ? `${quote(block)} of a filter of type ${type} says nothing`
          : `a filter of type ${type} cannot have ${quote(block)}`,
    hint: ({ problem }: FilterBlock) => (problem === 'foreign' ? 'write it as a filter of its own' : undefined),
  },
  'httproute-filter-repeated': {
    severity: 'error',
    summary: 'A rule has two filters of a type that it can have one of.',
    message: ({ type }: { type: string }) => `there can be one filter of type ${type}, and this is another`,
    hint: () => 'put both into one',
  },
  'httproute-redirect-rewrite': {
    severity: 'error',
    summary: 'A rule redirects requests and rewrites them.',
    message: () => 'a RequestRedirect and a URLRewrite cannot be combined: what is redirected is not passed on',
    hint: () => 'a RequestRedirect has "hostname" and "path" of its own',
  },
  'httproute-redirect-backends': {
    severity: 'warning',
    summary: 'A rule redirects requests and has backends, which are left out.',
    message: () => '"backendRefs" has no effect beside a RequestRedirect: what is redirected is not passed on',
    hint: () => 'take "backendRefs" out',
  },
  'httproute-hostnames': {
    severity: 'error',
    summary: 'A route is for more hosts than an HTTPRoute can have.',
    message: ({ count, most }: { count: number; most: number }) =>
      `the route is for ${count} hosts, and an HTTPRoute has at most ${most}`,
    hint: () => 'write several traits, each with a "name" of its own',
  },
  'httproute-prefix-match': {
    severity: 'error',
    summary: 'The prefix of a path is replaced, and the rule has not exactly one.',
    message: () => 'ReplacePrefixMatch needs a rule with exactly one match, whose path is of type PathPrefix',
    hint: () => 'give each prefix a rule of its own, or use ReplaceFullPath',
  },
  'httproute-timeout': {
    severity: 'error',
    summary: 'A duration cannot be written as Gateway API has them.',
    message: ({ field, text, reason }: { field: string; text: string; reason: string }) =>
      `${field} ${quote(text)} ${reason}`,
  },
  'httproute-timeouts-empty': {
    severity: 'error',
    summary: 'Timeouts are given without any.',
    message: () => '"timeouts" has neither "request" nor "backendRequest"',
  },
  'httproute-timeout-order': {
    severity: 'error',
    summary: 'One try may take longer than the whole request.',
    message: ({ request, backendRequest }: { request: string; backendRequest: string }) =>
      `"backendRequest" is ${backendRequest}, which is longer than the "request" ${request} that it is a part of`,
  },
});

interface FilterBlock {
  readonly type: string;
  readonly block: string;
  readonly problem: 'missing' | 'empty' | 'foreign';
}
