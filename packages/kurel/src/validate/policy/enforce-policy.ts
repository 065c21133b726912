import { quote } from '../../diagnostics/index.ts';
import {
  describeObject,
  gvkOf,
  labelsOf,
  listAt,
  mappingAt,
  namespaceOf,
  objectNameOf,
  scopeOf,
  textAt,
} from '../../kube/index.ts';
import type { Scope } from '../../kube/index.ts';
import type { Diagnostic, GroupVersionKind, Json, KubeObject, Path, Report } from '../../model/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { checkObject, refuseUnidentified } from './check-objects.ts';
import { checkSources, findUnknownSources } from './check-sources.ts';
import { checkWorkloads } from './check-workloads.ts';
import { refuse } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { policyProblems } from './problems.ts';
import { reportRenderedElsewhere } from './report-unchecked.ts';
import { findTraitRefusal, isInForce } from './rules.ts';
import type { RuleLayer, Rules } from './rules.ts';

interface EnforceOptions {
  readonly rules: Pick<Rules, 'layers'>;
  /** How severe it is when something is denied only because there is no policy; an error unless said otherwise. */
  readonly unsaid?: 'error' | 'warning' | undefined;
  readonly scopeOf: (gvk: GroupVersionKind) => Scope | undefined;
  /** The path leads into the object. */
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Holds an object against the rules, whatever made it. */
export function enforcePolicy(object: KubeObject, options: EnforceOptions): void {
  const { unsaid = 'error', report } = options;
  const { layers } = options.rules;
  const seen = new Set<string>();
  const reportFinding: Enforcing['reportFinding'] = (diagnostic, path, rule) => {
    // A field may be found by its name and by the schema.
    const key = JSON.stringify([diagnostic.code, path]);
    if (seen.has(key)) return;
    seen.add(key);
    const location = rule?.layer.locate(rule.path);
    const related = location === undefined ? undefined : [{ message: 'the rule is here', location }];
    // An acceptance may name the object.
    const finding = { ...diagnostic, object: objectNameOf(object) };
    report(related === undefined ? finding : { ...finding, related }, path);
  };
  const enforcing = { object, subject: describeObject(object), layers, unsaid, reportFinding };
  const gvk = gvkOf(object);
  if (isInForce(layers)) refuseUnidentified(enforcing, gvk);
  if (gvk !== undefined) {
    checkObject(enforcing, gvk, () => options.scopeOf(gvk));
    checkAccess(enforcing, gvk);
    checkSources(enforcing, gvk);
    reportRenderedElsewhere(enforcing);
  }
  checkWorkloads(enforcing, gvk ?? { group: object.apiVersion, kind: object.kind });
}

interface EnforceAllOptions {
  readonly layers: readonly RuleLayer[];
  /** Knows the scope of kinds that are not well known; nothing that comes from a package may be in it. */
  readonly store: () => SchemaStore | undefined;
  readonly report: Report;
}

/** Holds the objects of a build that is no application against the rules. */
export function enforcePolicies(objects: readonly KubeObject[], { layers, store, report }: EnforceAllOptions): void {
  const reportFinding = (object: KubeObject, diagnostic: Diagnostic, path: Path): void =>
    report({ ...diagnostic, subject: { object, path } });
  const scopeOfKind = (gvk: GroupVersionKind): Scope | undefined => scopeOf(gvk, objects) ?? store()?.find(gvk)?.scope;
  for (const object of objects) {
    enforcePolicy(object, {
      rules: { layers },
      unsaid: 'warning',
      scopeOf: scopeOfKind,
      report: (diagnostic, path) => reportFinding(object, diagnostic, path),
    });
  }
  for (const { object, path, diagnostic } of findUnknownSources(objects, layers))
    reportFinding(object, diagnostic, path);
}

const ofAccess = 'rbac.authorization.k8s.io';
/** OpenShift serves the same kinds a second time, and turns them into those of Kubernetes. */
const accessGroups: ReadonlySet<string> = new Set([ofAccess, 'authorization.openshift.io']);
const ofAdmission = 'admissionregistration.k8s.io';

/** What an object grants, and what it puts between clients and the API server. */
function checkAccess(enforcing: Enforcing, { group, kind }: GroupVersionKind): void {
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
  enforcing.reportFinding(policyProblems.create('policy-trait-object', args), ['kind'], { layer, path });
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
