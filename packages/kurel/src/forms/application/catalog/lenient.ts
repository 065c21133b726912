import type { RewriteRule } from '../documents/rewrite.ts';

const ofRequests: readonly RewriteRule[] = [
  [['httpGet', 'scheme'], 'any-case'],
  [['httpGet', 'httpHeaders', '*'], 'without-value'],
];
const ofHooks = below(['postStart', 'preStop'], ofRequests);
const ofSelectors: readonly RewriteRule[] = [[['matchLabels', '*'], 'as-text']];

/** Input accepted in addition to the Kubernetes schema. */
export const lenient = {
  probe: ofRequests,
  lifecycle: ofHooks,
  container: [
    ...below(['startupProbe', 'livenessProbe', 'readinessProbe'], ofRequests),
    ...below(['lifecycle'], ofHooks),
  ],
  tolerations: [[['*', 'effect'], 'empty']],
  selector: ofSelectors,
  networkRules: [
    [['*', 'ports', '*', 'protocol'], 'any-case'],
    ...['from', 'to'].flatMap((peers) =>
      below(['podSelector', 'namespaceSelector'], ofSelectors).map(([steps, leniency]): RewriteRule => [
        ['*', peers, '*', ...steps],
        leniency,
      ]),
    ),
  ],
} as const satisfies Readonly<Record<string, readonly RewriteRule[]>>;

function below(holders: readonly string[], rules: readonly RewriteRule[]): readonly RewriteRule[] {
  return holders.flatMap((holder) => rules.map(([steps, leniency]): RewriteRule => [[holder, ...steps], leniency]));
}
