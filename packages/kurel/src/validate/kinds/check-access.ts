import { checkDnsSubdomain, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { missingField, notAllowed } from '../../schema/index.ts';
import type { KindCheck } from './kind-check.ts';

const group = 'rbac.authorization.k8s.io';

export function checkBinding({ object, gvk, findings }: KindCheck): void {
  const role = mappingAt(object, 'roleRef');
  const allowed = gvk.kind === 'ClusterRoleBinding' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  const kind = textAt(role, 'kind');
  if (kind !== undefined && !allowed.includes(kind)) {
    findings.add(object, { path: ['roleRef', 'kind'] }, [
      'field-enum',
      notAllowed({ field: `kind of the roleRef of a ${gvk.kind}`, found: `"${kind}"`, allowed, word: kind }),
    ]);
  }
  const api = textAt(role, 'apiGroup');
  if (api !== undefined && api !== '' && api !== group) {
    findings.add(object, { path: ['roleRef', 'apiGroup'] }, [
      'field-enum',
      notAllowed({ field: 'apiGroup', found: `"${api}"`, allowed: [group], word: api }),
    ]);
  }
  listAt(object, 'subjects').forEach((subject, index) => {
    if (!isJsonObject(subject)) return;
    const path = ['subjects', index];
    const subjectKind = textAt(subject, 'kind');
    if (subjectKind !== undefined && !['ServiceAccount', 'User', 'Group'].includes(subjectKind)) {
      findings.add(object, { path: [...path, 'kind'] }, [
        'field-enum',
        notAllowed({
          field: 'kind',
          found: `"${subjectKind}"`,
          allowed: ['ServiceAccount', 'User', 'Group'],
          word: subjectKind,
        }),
      ]);
    }
    if (subjectKind !== 'ServiceAccount') return;
    const account = textAt(subject, 'name') ?? '';
    const reason = account === '' ? undefined : checkDnsSubdomain(account);
    if (reason !== undefined) {
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'ServiceAccount name', text: account, reason, rule: checkDnsSubdomain },
      ]);
    }
    // In a RoleBinding the namespace of the binding is meant.
    if (gvk.kind === 'ClusterRoleBinding' && !textAt(subject, 'namespace')) {
      findings.add(object, { path: [...path, 'namespace'] }, [
        'field-required',
        missingField({
          name: 'namespace',
          holder: `subjects[${index}]`,
          expected: 'which a ServiceAccount needs here',
        }),
      ]);
    }
  });
}

export function checkRole({ object, gvk, findings }: KindCheck): void {
  listAt(object, 'rules').forEach((rule, index) => {
    if (!isJsonObject(rule)) return;
    const path = ['rules', index];
    const holder = `"rules[${index}]"`;
    if (listAt(rule, 'verbs').length === 0 && has(rule, 'verbs')) {
      findings.add(object, { path: [...path, 'verbs'] }, [
        'field-range',
        { field: 'verbs', demand: 'must have at least 1 item', found: 'none' },
      ]);
    }
    const isUrls = listAt(rule, 'nonResourceURLs').length > 0;
    if (isUrls && gvk.kind === 'Role') {
      findings.add(object, { path: [...path, 'nonResourceURLs'], at: 'key' }, [
        'field-enum',
        { field: 'nonResourceURLs', demand: 'must only be set in a ClusterRole' },
      ]);
    } else if (isUrls && (listAt(rule, 'resources').length > 0 || listAt(rule, 'apiGroups').length > 0)) {
      findings.add(object, { path: [...path, 'nonResourceURLs'], at: 'key' }, [
        'fields-exclusive',
        { holder, fields: ['resources', 'nonResourceURLs'] },
      ]);
    } else if (!isUrls) {
      for (const name of ['apiGroups', 'resources']) {
        if (listAt(rule, name).length > 0) continue;
        findings.add(object, { path: [...path, name] }, [
          'field-required',
          missingField({ name, holder: `rules[${index}]`, expected: 'a list' }),
        ]);
      }
    }
  });
}
