import { quote } from '../../diagnostics/index.ts';
import { checkDnsSubdomain, checkPathSegment, has, listAt, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { FieldRule } from './field-rules.ts';
import { checkName, demandField, forbid, refuse, refuseTogether, refuseWord } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { labelSelector } from './reference-rules.ts';

const group = 'rbac.authorization.k8s.io';

export const binding: FieldRule = {
  fields: {
    roleRef: {
      required: 'an object with "kind" and "name"',
      fields: {
        apiGroup: { words: [group] },
        kind: { required: 'Role or ClusterRole', also: checkRoleKind },
        name: { required: 'the name of the role', text: checkPathSegment, what: 'role name' },
      },
    },
    subjects: {
      items: {
        fields: {
          kind: { required: 'ServiceAccount, User or Group', words: ['ServiceAccount', 'User', 'Group'] },
          name: { required: 'the name of the subject' },
        },
        also: checkSubject,
      },
    },
  },
};

function checkRoleKind(site: FieldSite): void {
  const { kind } = site.gvk;
  const allowed = kind === 'ClusterRoleBinding' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  const { value: text } = site;
  if (typeof text === 'string' && text !== '' && !allowed.includes(text))
    refuseWord(site, [], { field: `roleRef.kind of a ${kind}`, text, allowed });
}

function checkSubject(site: FieldSite): void {
  const { value: subject, gvk } = site;
  const [kind, api = ''] = [textAt(subject, 'kind'), textAt(subject, 'apiGroup')];
  // ServiceAccounts are in the core group, users and groups in the group of roles.
  if (kind === 'ServiceAccount' && api !== '')
    refuse(site, ['apiGroup'], { demand: 'may not be set for a ServiceAccount', got: quote(api) });
  if ((kind === 'User' || kind === 'Group') && api !== '' && api !== group)
    refuse(site, ['apiGroup'], { demand: `must be "${group}"`, got: quote(api) });
  if (kind !== 'ServiceAccount') return;
  checkName(site, 'name', { what: 'ServiceAccount name', rule: checkDnsSubdomain });
  // In a RoleBinding it defaults to the namespace of the binding.
  if (gvk.kind === 'ClusterRoleBinding' && !textAt(subject, 'namespace'))
    demandField(site, ['namespace'], { expected: 'the namespace of the ServiceAccount' });
}

export const role: FieldRule = {
  fields: {
    aggregationRule: {
      fields: { clusterRoleSelectors: { items: labelSelector } },
      also: (site) => {
        if (listAt(site.value, 'clusterRoleSelectors').length === 0)
          demandField(site, ['clusterRoleSelectors'], { expected: 'a list' });
      },
    },
    rules: { also: checkRules },
  },
};

/** The API server reads a null rule as an empty one. */
function checkRules(site: FieldSite): void {
  if (!isJsonArray(site.value)) return;
  site.value.forEach((rule, index) => {
    if (rule === null || isJsonObject(rule)) checkRule({ ...site, value: rule, path: [...site.path, index] });
  });
}

function checkRule(site: FieldSite): void {
  const hasItems = (name: string): boolean => listAt(site.value, name).length > 0;
  if (has(site.value, 'verbs') && !hasItems('verbs'))
    refuse(site, ['verbs'], { code: 'field-range', demand: 'must have at least 1 item', got: 'none' });
  if (!hasItems('nonResourceURLs')) {
    for (const name of ['apiGroups', 'resources'])
      if (!hasItems(name)) demandField(site, [name], { expected: 'a list' });
  } else if (site.gvk.kind === 'Role') forbid(site, 'nonResourceURLs', 'may only be set in a ClusterRole');
  else if (['resources', 'apiGroups', 'resourceNames'].some(hasItems))
    refuseTogether(site, ['nonResourceURLs'], { fields: ['resources', 'nonResourceURLs'] });
}
