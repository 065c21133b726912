import { quote } from '../../diagnostics/index.ts';
import { checkDnsSubdomain, checkPathSegment, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { missingField, notAllowed } from '../../schema/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { labelSelector } from './selector-rules.ts';
import type { KindCheck } from './kind-check.ts';

const group = 'rbac.authorization.k8s.io';

const binding: FieldRule = {
  fields: {
    roleRef: {
      required: 'an object with "kind" and "name"',
      fields: {
        kind: { required: 'Role or ClusterRole' },
        name: { required: 'the name of the role', text: checkPathSegment, what: 'role name' },
      },
    },
    subjects: {
      items: {
        fields: { kind: { required: 'ServiceAccount, User or Group' }, name: { required: 'the name of the subject' } },
      },
    },
  },
};

export function checkBinding(check: KindCheck): void {
  const { object, gvk, findings } = check;
  checkFieldRules(check, object, { rule: binding, path: [] });
  const role = mappingAt(object, 'roleRef');
  const allowed = gvk.kind === 'ClusterRoleBinding' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  const kind = textAt(role, 'kind');
  if (kind !== undefined && kind !== '' && !allowed.includes(kind)) {
    findings.add(object, { path: ['roleRef', 'kind'] }, [
      'field-enum',
      notAllowed({ field: `roleRef.kind of a ${gvk.kind}`, found: `"${kind}"`, allowed, word: kind }),
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
    if (subjectKind !== undefined && subjectKind !== '' && !['ServiceAccount', 'User', 'Group'].includes(subjectKind)) {
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
    checkSubjectGroup(check, subject, path);
    if (subjectKind !== 'ServiceAccount') return;
    const account = textAt(subject, 'name') ?? '';
    const reason = account === '' ? undefined : checkDnsSubdomain(account);
    if (reason !== undefined) {
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'ServiceAccount name', text: account, reason, rule: checkDnsSubdomain },
      ]);
    }
    // In a RoleBinding it defaults to the namespace of the binding.
    if (gvk.kind === 'ClusterRoleBinding' && !textAt(subject, 'namespace')) {
      findings.add(object, { path: [...path, 'namespace'] }, [
        'field-required',
        missingField({
          name: 'namespace',
          holder: `subjects[${index}]`,
          expected: 'the namespace of the ServiceAccount',
        }),
      ]);
    }
  });
}

/** ServiceAccounts are in the core group, users and groups in the group of roles. */
function checkSubjectGroup({ object, findings }: KindCheck, subject: JsonObject, path: Path): void {
  const found = textAt(subject, 'apiGroup') ?? '';
  const isAccount = subject['kind'] === 'ServiceAccount';
  if (found === '' || (!isAccount && found === group)) return;
  if (!isAccount && subject['kind'] !== 'User' && subject['kind'] !== 'Group') return;
  const demand = isAccount ? 'may not be set for a ServiceAccount' : `must be "${group}"`;
  findings.add(object, { path: [...path, 'apiGroup'] }, [
    'field-enum',
    { field: 'apiGroup', demand, found: quote(found) },
  ]);
}

const role: FieldRule = {
  fields: {
    aggregationRule: { fields: { clusterRoleSelectors: { items: labelSelector } }, also: checkSelectors },
  },
};

function checkSelectors({ value, path, object, findings }: FieldSite): void {
  if (listAt(value, 'clusterRoleSelectors').length > 0) return;
  const args = missingField({ name: 'clusterRoleSelectors', holder: 'aggregationRule', expected: 'a list' });
  findings.add(object, { path: [...path, 'clusterRoleSelectors'] }, ['field-required', args]);
}

export function checkRole(check: KindCheck): void {
  const { object, gvk, findings } = check;
  checkFieldRules(check, object, { rule: role, path: [] });
  listAt(object, 'rules').forEach((entry, index) => {
    const rule = entry ?? {};
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
        { field: 'nonResourceURLs', demand: 'may only be set in a ClusterRole' },
      ]);
    } else if (isUrls && ['resources', 'apiGroups', 'resourceNames'].some((name) => listAt(rule, name).length > 0)) {
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
