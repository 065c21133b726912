import { quote } from '../../diagnostics/index.ts';
import { has, labelsOf, listAt, mappingAt, pathTo, textAt } from '../../kube/index.ts';
import type { Place } from '../../kube/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { refuse } from './enforcing.ts';
import type { Enforcing, Permission } from './enforcing.ts';

export const accessGroup = 'rbac.authorization.k8s.io';

/** Also the verbs of constrained impersonation: `impersonate:user-info`, `impersonate-on:user-info:get`. */
const escalatingVerb = /^(?:escalate|bind|impersonate(?:-on)?(?::.*)?)$/s;

/** Permissions from which one can get others, and the rule that denies them. */
interface Grant {
  readonly rule: Permission;
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Whether a rule that names its objects is harmless. */
  readonly isHarmlessByName?: boolean;
}

const grants: readonly Grant[] = [
  { rule: 'allowTokenRequests', group: '', resources: ['serviceaccounts/token'], verbs: ['create'] },
  {
    rule: 'allowPodExec',
    group: '',
    resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy', 'pods/ephemeralcontainers'],
    // A WebSocket is opened with GET.
    verbs: ['create', 'get', 'update', 'patch'],
  },
  {
    rule: 'allowNodeProxy',
    group: '',
    resources: ['nodes/proxy'],
    verbs: ['get', 'create', 'update', 'patch', 'delete'],
  },
  {
    rule: 'allowSecretReads',
    group: '',
    resources: ['secrets'],
    verbs: ['get', 'list', 'watch'],
    isHarmlessByName: true,
  },
  {
    rule: 'allowCertificateApproval',
    group: 'certificates.k8s.io',
    resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status', 'signers'],
    verbs: ['update', 'patch', 'approve', 'sign'],
  },
];

export function checkRole(enforcing: Enforcing): void {
  const { object } = enforcing;
  for (const [index, rule] of listAt(object, 'rules').entries()) checkRule(enforcing, rule, ['rules', index]);
  // Its rules come from any matching role in the cluster.
  if (mappingAt(object, 'aggregationRule') !== undefined) {
    refuse(enforcing, { what: '"aggregationRule"', path: ['aggregationRule'], rule: 'allowWildcardRoles' });
  }
  for (const key of Object.keys(labelsOf(object))) {
    if (!key.startsWith(`${accessGroup}/aggregate-to-`)) continue;
    const path = ['metadata', 'labels', key];
    refuse(enforcing, { what: `label ${quote(key)}`, path, rule: 'allowForeignBindings' });
  }
}

/** Checks what grants permissions in a kind without a schema, from which an operator creates roles and bindings. */
export function checkEmbeddedAccess(enforcing: Enforcing, holder: JsonObject, place: Place): void {
  const isRule = listAt(holder, 'verbs').length > 0 && (has(holder, 'apiGroups') || has(holder, 'nonResourceURLs'));
  if (isRule) checkRule(enforcing, holder, pathTo(place));
  if (has(holder, 'roleRef')) checkRoleReference(enforcing, holder, pathTo(place));
}

/** Checks which role a binding is for. */
export function checkRoleReference(enforcing: Enforcing, binding: Json, above: Path): void {
  const role = textAt(mappingAt(binding, 'roleRef'), 'name');
  if (role !== 'cluster-admin') return;
  refuse(enforcing, { what: `role ${quote(role)}`, path: [...above, 'roleRef', 'name'], rule: 'allowClusterAdmin' });
}

function checkRule(enforcing: Enforcing, rule: Json, above: Path): void {
  for (const key of ['verbs', 'resources', 'apiGroups', 'nonResourceURLs']) {
    for (const [position, word] of listAt(rule, key).entries()) checkWord(word, key, [...above, key, position]);
  }
  for (const grant of grants) checkGrant(grant);

  function checkWord(word: Json, key: string, path: Path): void {
    // Includes "pods/*" and "/metrics/*".
    if (typeof word === 'string' && word.includes('*')) {
      refuse(enforcing, { what: `${quote(word)} in "${key}"`, path, rule: 'allowWildcardRoles' });
    }
    const isEscalating = key === 'verbs' && typeof word === 'string' && escalatingVerb.test(word);
    if (isEscalating) refuse(enforcing, { what: `verb ${quote(word)}`, path, rule: 'allowEscalatingVerbs' });
  }

  function checkGrant({ group, resources, verbs, ...grant }: Grant): void {
    if (!listAt(rule, 'apiGroups').some((word) => word === group || word === '*')) return;
    const verb = ['*', ...verbs].find((own) => listAt(rule, 'verbs').includes(own));
    if (verb === undefined || (grant.isHarmlessByName === true && isLimitedByName(rule))) return;
    for (const [position, word] of listAt(rule, 'resources').entries()) {
      const resource = resources.find((own) => covers(word, own));
      if (resource === undefined) continue;
      const what = `verb ${quote(verb)} for ${quote(resource)}`;
      refuse(enforcing, { what, path: [...above, 'resources', position], rule: grant.rule });
    }
  }
}

/** Whether a rule applies only to objects that it names. Requests for lists have the name "". */
function isLimitedByName(rule: Json): boolean {
  const names = listAt(rule, 'resourceNames');
  return names.length > 0 && !names.includes('');
}

/** Whether a resource of a rule stands for another: `*`, and `*` before a subresource. */
function covers(word: Json, resource: string): boolean {
  if (word === resource || word === '*') return true;
  const [, subresource] = resource.split('/');
  return subresource !== undefined && word === `*/${subresource}`;
}
