import { locateExhaustion } from '../budget/index.ts';
import type { KubeObject, Path } from '../model/index.ts';
import { fieldName } from '../schema/index.ts';
import type { PendingRules, SchemaRule } from '../schema/index.ts';
import type { Findings } from './findings.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';

interface RuleCheck {
  readonly object: KubeObject;
  /** `gateway.networking.k8s.io/v1 HTTPRoute` */
  readonly kind: string;
  readonly findings: Findings;
  readonly evaluator: RuleEvaluator | undefined;
  /** Rules that have been reported as not checked: once is enough for a whole run. */
  readonly notChecked: Set<string>;
}

/** Rules come after fields: the API server too evaluates them only on objects that fit their schema. */
export function checkRules(check: RuleCheck, pending: readonly PendingRules[]): void {
  const { object, evaluator, findings } = check;
  for (const { node, rules, path, value } of pending) {
    for (const rule of rules) {
      if (evaluator === undefined) {
        sayNotChecked(check, { rule, path, reason: 'no evaluator for rules is at hand' });
        continue;
      }
      const result = locateExhaustion(
        () => evaluator.evaluate(rule, value, node),
        () => ({ object, path }),
      );
      if (result.verdict === 'not-checked') sayNotChecked(check, { rule, path, reason: result.reason });
      if (result.verdict === 'fails') {
        const place = placeOf(path, rule);
        const field = place.length === 0 ? object.kind : fieldName(place);
        findings.add(object, { path: place, at: 'key' }, [
          'rule-failed',
          { field, message: result.message, rule: oneLine(rule.rule) },
        ]);
      }
    }
  }
}

interface NotChecked {
  readonly rule: SchemaRule;
  readonly path: Path;
  readonly reason: string;
}

function sayNotChecked({ object, kind, findings, notChecked }: RuleCheck, { rule, path, reason }: NotChecked): void {
  const key = `${kind} ${rule.rule}`;
  if (notChecked.has(key)) return;
  notChecked.add(key);
  findings.add(object, { path, at: 'key' }, ['rule-not-checked', { rule: oneLine(rule.rule), kind, reason }]);
}

/** `fieldPath` points from where the rule stands to the field that it is about: `.spec.x` or `.spec['x.y']`. */
function placeOf(path: Path, { fieldPath }: SchemaRule): Path {
  if (fieldPath === undefined) return path;
  const steps = Array.from(
    fieldPath.matchAll(/\.([A-Za-z_][\w-]*)|\['([^']*)'\]/g),
    ([, plain, quoted]) => plain ?? quoted!,
  );
  return [...path, ...steps];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
