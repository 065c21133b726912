import { quote } from '../../diagnostics/index.ts';
import { labelsOf, listAt, mappingAt, namespaceOf, textAt } from '../../kube/index.ts';
import type { GroupVersionKind, Json, Path } from '../../model/index.ts';
import { refuse } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { policyProblems } from './problems.ts';
import { findTraitRefusal } from './rules.ts';

const ofAccess = 'rbac.authorization.k8s.io';
/** OpenShift serves the same kinds a second time, and turns them into those of Kubernetes. */
const accessGroups: ReadonlySet<string> = new Set([ofAccess, 'authorization.openshift.io']);
const ofAdmission = 'admissionregistration.k8s.io';

/** What an object grants, and what it puts between clients and the API server. */
export function checkAccess(enforcing: Enforcing, { group, kind }: GroupVersionKind): void {
  if (accessGroups.has(group)) {
    refuseTrait(enforcing);
    if (/^(?:Cluster)?Role$/.test(kind)) checkRole(enforcing);
    if (/^(?:Cluster)?RoleBinding$/.test(kind)) checkBinding(enforcing, kind);
  }
  if (group === ofAdmission) refuseWebhook(enforcing, `the ${kind}`, ['kind']);
  if (group === 'apiregistration.k8s.io') {
    const isServedElsewhere = mappingAt(mappingAt(enforcing.object, 'spec'), 'service') !== undefined;
    if (isServedElsewhere) refuseWebhook(enforcing, 'the API server', ['spec', 'service']);
  }
  if (group === 'apiextensions.k8s.io') {
    const conversion = mappingAt(mappingAt(enforcing.object, 'spec'), 'conversion');
    const isByWebhook = conversion !== undefined && textAt(conversion, 'strategy') !== 'None';
    if (isByWebhook) refuseWebhook(enforcing, 'the conversion webhook', ['spec', 'conversion']);
  }
}

function refuseWebhook(enforcing: Enforcing, what: string, path: Path): void {
  refuse(enforcing, { what, path, rule: 'allowWebhooks' });
}

/** What the trait may not do may not be done in another way either. */
function refuseTrait(enforcing: Enforcing): void {
  const refusal = findTraitRefusal('rbac', enforcing.layers);
  if (refusal === undefined) return;
  const { layer, rule, index } = refusal;
  const path = ['capabilities', rule, ...(index === undefined ? [] : [index])];
  const args = { subject: enforcing.subject, trait: 'rbac', rule };
  enforcing.tell(policyProblems.create('policy-trait-object', args), ['kind'], { layer, path });
}

/** Also the verbs of constrained impersonation: `impersonate:user-info`, `impersonate-on:user-info:get`. */
const escalatingVerb = /^(?:escalate|bind|impersonate(?:-on)?(?::.*)?)$/s;

function checkRole(enforcing: Enforcing): void {
  const { object } = enforcing;
  for (const [index, rule] of listAt(object, 'rules').entries()) {
    for (const key of ['verbs', 'resources', 'apiGroups', 'nonResourceURLs']) {
      for (const [position, word] of listAt(rule, key).entries()) checkWord(word, key, ['rules', index, key, position]);
    }
  }
  // Its rules are those of other roles, whichever there are in the cluster.
  if (mappingAt(object, 'aggregationRule') !== undefined) {
    refuse(enforcing, { what: 'the aggregation of roles', path: ['aggregationRule'], rule: 'allowWildcardRoles' });
  }
  for (const key of Object.keys(labelsOf(object))) {
    if (!key.startsWith(`${ofAccess}/aggregate-to-`)) continue;
    const path = ['metadata', 'labels', key];
    refuse(enforcing, { what: `the label ${quote(key)}`, path, rule: 'allowForeignBindings' });
  }

  function checkWord(word: Json, key: string, path: Path): void {
    // With "*" as in "pods/*" and "/metrics/*" too.
    if (typeof word === 'string' && word.includes('*')) {
      refuse(enforcing, { what: `${quote(word)} in "${key}"`, path, rule: 'allowWildcardRoles' });
    }
    const isEscalating = key === 'verbs' && typeof word === 'string' && escalatingVerb.test(word);
    if (isEscalating) refuse(enforcing, { what: `the verb ${quote(word)}`, path, rule: 'allowEscalatingVerbs' });
  }
}

function checkBinding(enforcing: Enforcing, kind: string): void {
  const { object } = enforcing;
  const role = textAt(mappingAt(object, 'roleRef'), 'name');
  if (role === 'cluster-admin') {
    refuse(enforcing, { what: `the role ${quote(role)}`, path: ['roleRef', 'name'], rule: 'allowClusterAdmin' });
  }
  if (kind === 'ClusterRoleBinding') {
    refuse(enforcing, { what: 'the binding in all namespaces', path: ['kind'], rule: 'allowForeignBindings' });
    return;
  }
  for (const [index, subject] of listAt(object, 'subjects').entries()) {
    const name = textAt(subject, 'name') ?? '';
    if (!isForeign(subject, name, namespaceOf(object))) continue;
    const [what, path] = [`the subject ${quote(name)}`, ['subjects', index, 'name']];
    refuse(enforcing, { what, path, rule: 'allowForeignBindings' });
  }
}

/** Whether a right that is granted in one namespace is granted to those of another. */
function isForeign(subject: Json, name: string, own: string): boolean {
  const kind = textAt(subject, 'kind');
  if (kind === 'ServiceAccount') return (textAt(subject, 'namespace') ?? own) !== own;
  const [, of] = /^system:serviceaccounts?:([^:]+)/.exec(name) ?? [];
  return of === undefined ? name.startsWith('system:') : of !== own;
}
