import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has, isOfKind, listAt, nameOf } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { Json, KubeObject } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import { joinNames } from '../../pods/names.ts';
import { flagField, scope, textField } from '../../../../documents/index.ts';
import type { ReportAt } from '../define.ts';

const problems = defineProblems(() => ({
  'rbac-without-rules': {
    summary: 'An rbac trait has no rules.',
    message: () => '"rules" is empty',
    hint: () => 'add a rule, or remove the "rbac" trait',
    fix: 'Add at least one rule with resources and verbs, or remove the trait.',
  },
  'rbac-urls-in-namespace': {
    summary: 'nonResourceURLs are used in a namespaced role.',
    message: ({ url }: { url: string }) => `a namespaced role does not support nonResourceURLs, got ${quote(url)}`,
    hint: () => 'set "clusterWide" to true, or remove "nonResourceURLs"',
    fix: 'Set clusterWide: true, which creates a ClusterRole, or remove nonResourceURLs.',
  },
}));

const group = 'rbac.authorization.k8s.io';

export const rbac = defineTrait({
  type: 'rbac',
  summary: 'Grants the ServiceAccount of the component access to the Kubernetes API with a Role, and mounts its token.',
  needs: ['serviceAccount'],
  properties: {
    name: textField('dns-subdomain', 'Name of the Role. Defaults to the name of the component.'),
    bindingName: textField('dns-subdomain', 'Name of the RoleBinding. Defaults to that of the Role.'),
    clusterRoleName: textField(
      'dns-subdomain',
      'Name of the ClusterRole. Defaults to the namespace and the name of the Role. Requires clusterWide. Must be unique in the cluster.',
    ),
    clusterRoleBindingName: textField(
      'dns-subdomain',
      'Name of the ClusterRoleBinding. Defaults to that of the ClusterRole. Requires clusterWide.',
    ),
    rules: {
      type: 'array',
      description: 'Rules of the Role. "apiGroups" defaults to [""].',
      required: true,
      kubernetes: [`${group}/v1`, 'ClusterRole', 'rules'],
    },
    clusterWide: {
      ...flagField('Whether to create a ClusterRole in addition to the Role, for all namespaces.'),
      default: false,
    },
    scope,
  },
  relations: [
    {
      fields: ['clusterRoleName', 'clusterRoleBindingName'],
      require: 'clusterWide',
      hint: 'set "clusterWide" to true, or remove the name',
    },
  ],
  problems,
  render({ component, namespace, properties, report }) {
    const { name = component.name, rules, clusterWide } = properties;
    // ClusterRole names are cluster-wide, so they contain the namespace.
    const { bindingName = name, clusterRoleName = joinNames(namespace, name) } = properties;
    const { clusterRoleBindingName = clusterRoleName } = properties;
    checkRules(rules, clusterWide, report);
    const completed = rules.map(withGroup);
    const inNamespace = completed.filter((rule) => !isOfUrls(rule));
    const account = component.serviceAccount ?? component.name;
    const labels = { app: component.name };
    const objects = [
      ...(inNamespace.length === 0 ? [] : createRole('Role', [name, bindingName], inNamespace)),
      ...(clusterWide ? createRole('ClusterRole', [clusterRoleName, clusterRoleBindingName], completed) : []),
    ];
    return { objects, decorate: (rendered) => rendered.map((object) => withToken(object, account)) };

    function createRole(
      kind: 'Role' | 'ClusterRole',
      [role, binding]: readonly [string, string],
      ofRole: readonly Json[],
    ): readonly KubeObject[] {
      return [
        { apiVersion: `${group}/v1`, kind, metadata: { name: role, labels }, rules: ofRole },
        {
          apiVersion: `${group}/v1`,
          kind: `${kind}Binding`,
          metadata: { name: binding, labels },
          subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
          roleRef: { apiGroup: group, kind, name: role },
        },
      ];
    }
  },
});

function checkRules(rules: readonly Json[], clusterWide: boolean, report: ReportAt): void {
  if (rules.length === 0) report(problems.create('rbac-without-rules', {}), ['rules']);
  if (clusterWide) return;
  for (const [index, rule] of rules.entries()) {
    const [url] = listAt(rule, 'nonResourceURLs');
    if (typeof url !== 'string') continue;
    report(problems.create('rbac-urls-in-namespace', { url }), ['rules', index, 'nonResourceURLs', 0]);
  }
}

function isOfUrls(rule: Json): boolean {
  return listAt(rule, 'nonResourceURLs').length > 0;
}

/** Adds the core API group as default; a complete rule is returned unchanged. */
function withGroup(rule: Json): Json {
  if (!isJsonObject(rule) || has(rule, 'apiGroups') || isOfUrls(rule)) return rule;
  const { apiGroups: _, ...rest } = rule;
  return { apiGroups: [''], ...rest };
}

/** Without the token of their ServiceAccount, pods could not use the permissions. */
function withToken(object: KubeObject, account: string): KubeObject {
  const isAccount = isOfKind(object, { group: '', kind: 'ServiceAccount' }) && nameOf(object) === account;
  return isAccount ? { ...object, automountServiceAccountToken: true } : object;
}
