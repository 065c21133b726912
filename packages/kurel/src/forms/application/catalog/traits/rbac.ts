import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has, isOfKind, listAt, nameOf } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { Json, KubeObject } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import { joinNames } from '../join-names.ts';
import { scope } from '../scope.ts';
import type { ReportAt } from '../define.ts';

const problems = defineProblems({
  'rbac-without-rules': {
    severity: 'error',
    summary: 'A component is to be given rights, and there are none in the list.',
    message: () => '"rules" is empty',
    hint: () => 'without rights the component needs no trait "rbac"',
  },
  'rbac-urls-in-namespace': {
    severity: 'error',
    summary: 'A right to URLs of the API server is to be of one namespace, though URLs are of the whole cluster.',
    message: ({ url }: { url: string }) => `the right to ${quote(url)} cannot be of one namespace`,
    hint: () => 'set "clusterWide" to true, or take "nonResourceURLs" out',
  },
});

const group = 'rbac.authorization.k8s.io';

export const rbac = defineTrait({
  type: 'rbac',
  summary: 'Rights of the component at the API server: a Role for its ServiceAccount, whose token its pods then get.',
  needs: ['serviceAccount'],
  properties: {
    name: {
      type: 'string',
      description: 'name of the Role; that of the component unless given',
      format: 'dns-subdomain',
    },
    rules: {
      type: 'array',
      description: 'what it may do, as Roles have it; "apiGroups" is [""] unless given',
      required: true,
      kubernetes: [`${group}/v1`, 'ClusterRole', 'rules'],
    },
    clusterWide: { type: 'boolean', description: 'whether it may do so in all namespaces', default: false },
    scope,
  },
  problems,
  render({ component, namespace, properties: { name = component.name, rules, clusterWide }, report }) {
    checkRules(rules, clusterWide, report);
    const completed = rules.map(withGroup);
    const inNamespace = completed.filter((rule) => !isOfUrls(rule));
    const account = component.serviceAccount ?? component.name;
    const subject = { kind: 'ServiceAccount', name: account, namespace };
    const of = { app: component.name, subject };
    const objects = [
      ...(inNamespace.length === 0 ? [] : createRole('Role', { ...of, name, rules: inNamespace })),
      // All namespaces share the names of ClusterRoles.
      ...(clusterWide ? createRole('ClusterRole', { ...of, name: joinNames(namespace, name), rules: completed }) : []),
    ];
    return { objects, decorate: (made) => made.map((object) => withToken(object, account)) };
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

/** Resources are of the core group unless a rule says otherwise; one that says it stays the same. */
function withGroup(rule: Json): Json {
  if (!isJsonObject(rule) || has(rule, 'apiGroups') || isOfUrls(rule)) return rule;
  const { apiGroups: _, ...rest } = rule;
  return { apiGroups: [''], ...rest };
}

interface RoleOptions {
  readonly name: string;
  readonly app: string;
  readonly rules: readonly Json[];
  readonly subject: { readonly kind: string; readonly name: string; readonly namespace: string };
}

function createRole(kind: 'Role' | 'ClusterRole', { name, app, rules, subject }: RoleOptions): readonly KubeObject[] {
  const metadata = { name, labels: { app } };
  return [
    { apiVersion: `${group}/v1`, kind, metadata, rules },
    {
      apiVersion: `${group}/v1`,
      kind: `${kind}Binding`,
      metadata,
      subjects: [subject],
      roleRef: { apiGroup: group, kind, name },
    },
  ];
}

/** Rights are of no use to pods without the token of their account. */
function withToken(object: KubeObject, account: string): KubeObject {
  const isAccount = isOfKind(object, { group: '', kind: 'ServiceAccount' }) && nameOf(object) === account;
  return isAccount ? { ...object, automountServiceAccountToken: true } : object;
}
