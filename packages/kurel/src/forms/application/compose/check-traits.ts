import type { Path } from '../../../model/index.ts';
import { findTraitRefusal, policyProblems } from '../../../validate/index.ts';
import type { TraitRefusal } from '../../../validate/index.ts';
import type { Composing } from './composition.ts';

/** Which traits an application may and must have. What its author wrote counts, not what it stands for. */
export function checkTraits({ document, rules, application, report }: Composing): void {
  const present = new Set<string>();
  for (const [index, { traits }] of document.spec.components.entries()) {
    for (const [position, { type }] of traits.entries()) {
      present.add(type);
      const refusal = findTraitRefusal(type, rules.layers);
      if (refusal !== undefined)
        reportFinding(type, refusal, ['spec', 'components', index, 'traits', position, 'type']);
    }
  }
  const reported = new Set<string>();
  for (const layer of rules.layers) {
    for (const [index, type] of (layer.capabilities.required ?? []).entries()) {
      if (present.has(type) || reported.has(type)) continue;
      reported.add(type);
      reportFinding(type, { layer, rule: 'required', index }, ['metadata', 'name']);
    }
  }

  function reportFinding(trait: string, { layer, rule, index }: TraitRefusal, path: Path): void {
    const rulePath = ['capabilities', rule, ...(index === undefined ? [] : [index])];
    const place = layer.locate(rulePath);
    const related = place === undefined ? [] : [{ message: 'the rule is here', location: place }];
    const { allowed } = layer.capabilities;
    const args = {
      trait,
      application: document.metadata.name,
      rule,
      allowed: rule === 'allowed' ? allowed : undefined,
    };
    report(policyProblems.create('policy-trait', args, { location: application.locate(path), related }));
  }
}
