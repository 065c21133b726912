import { checkDnsLabel, checkDnsSubdomain, listAt, presentOf, textAt } from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { KindCheck } from './kind-check.ts';

const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

/** Claims of devices that a pod has for its containers; before 1.34 they are dropped unread. */
export function checkResourceClaims({ object, findings, minor }: KindCheck, { spec, specPath }: PodSite): void {
  if (minor < 34) return;
  listAt(spec, 'resourceClaims').forEach((claim, index) => {
    if (!isJsonObject(claim)) return;
    const path = [...specPath, 'resourceClaims', index];
    const name = textAt(claim, 'name');
    const reason = name === undefined ? undefined : checkDnsLabel(name);
    if (reason !== undefined) {
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'resource claim', text: name!, reason, rule: checkDnsLabel },
      ]);
    }
    const present = presentOf(claim, sources);
    const holder = `"resourceClaims[${index}]"`;
    if (present.length === 0) findings.add(object, { path }, ['field-choice-missing', { holder, fields: sources }]);
    if (present.length > 1) {
      findings.add(object, { path: [...path, present[1]!], at: 'key' }, [
        'fields-exclusive',
        { holder, fields: present },
      ]);
    }
    for (const source of present) {
      const text = textAt(claim, source);
      const why = text === undefined ? undefined : checkDnsSubdomain(text);
      if (why !== undefined)
        findings.add(object, { path: [...path, source] }, [
          'name-invalid',
          { what: source, text: text!, reason: why, rule: checkDnsSubdomain },
        ]);
    }
  });
}
