import { quote } from '../../diagnostics/index.ts';
import { labelsOf, listAt, mappingAt } from '../../kube/index.ts';
import type { Json, Path } from '../../model/index.ts';
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
  for (const [index, rule] of listAt(object, 'rules').entries()) {
    for (const key of ['verbs', 'resources', 'apiGroups', 'nonResourceURLs']) {
      for (const [position, word] of listAt(rule, key).entries()) checkWord(word, key, ['rules', index, key, position]);
    }
    for (const grant of grants) checkGrant(rule, grant, ['rules', index, 'resources']);
  }
  // Its rules come from any matching role in the cluster.
  if (mappingAt(object, 'aggregationRule') !== undefined) {
    refuse(enforcing, { what: '"aggregationRule"', path: ['aggregationRule'], rule: 'allowWildcardRoles' });
  }
  for (const key of Object.keys(labelsOf(object))) {
    if (!key.startsWith(`${accessGroup}/aggregate-to-`)) continue;
    const path = ['metadata', 'labels', key];
    refuse(enforcing, { what: `label ${quote(key)}`, path, rule: 'allowForeignBindings' });
  }

  function checkWord(word: Json, key: string, path: Path): void {
    // Includes "pods/*" and "/metrics/*".
    if (typeof word === 'string' && word.includes('*')) {
      refuse(enforcing, { what: `${quote(word)} in "${key}"`, path, rule: 'allowWildcardRoles' });
    }
    const isEscalating = key === 'verbs' && typeof word === 'string' && escalatingVerb.test(word);
    if (isEscalating) refuse(enforcing, { what: `verb ${quote(word)}`, path, rule: 'allowEscalatingVerbs' });
  }

  function checkGrant(rule: Json, { group, resources, verbs, ...grant }: Grant, path: Path): void {
    if (!listAt(rule, 'apiGroups').some((word) => word === group || word === '*')) return;
    const verb = ['*', ...verbs].find((own) => listAt(rule, 'verbs').includes(own));
    if (verb === undefined || (grant.isHarmlessByName === true && listAt(rule, 'resourceNames').length > 0)) return;
    for (const [position, word] of listAt(rule, 'resources').entries()) {
      const resource = resources.find((own) => covers(word, own));
      if (resource === undefined) continue;
      const what = `verb ${quote(verb)} for ${quote(resource)}`;
      refuse(enforcing, { what, path: [...path, position], rule: grant.rule });
    }
  }
}

/** Whether a resource of a rule stands for another: `*`, and `*` before a subresource. */
function covers(word: Json, resource: string): boolean {
  if (word === resource || word === '*') return true;
  const [, subresource] = resource.split('/');
  return subresource !== undefined && word === `*/${subresource}`;
}
