import { pass, quote, sentence } from '../../diagnostics/index.ts';
import type { OwnRules } from '../../documents/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  describeObject,
  gvkOf,
  isOfKind,
  isSopsEncrypted,
  listAt,
  listEncrypted,
  mappingAt,
  nameOf,
  namespaceOf,
  objectNameOf,
  scopeOf,
  textAt,
} from '../../kube/index.ts';
import type { Scope } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Diagnostic, GroupVersionKind, Json, KubeObject, Message, Path, Report } from '../../model/index.ts';
import { formatPath } from '../../schema/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { checkWorkloads, reportRenderedElsewhere } from './check-workloads.ts';
import { accessGroup, checkRole, checkRoleReference } from './check-roles.ts';
import { checkSources, findUnknownSources, refuse } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { isListed } from './match-registry.ts';
import { policyProblems } from './problems.ts';
import { findTypeRefusal, isInForce } from './rules.ts';
import type { RuleLayer, Rules } from './rules.ts';

interface EnforceOptions {
  readonly rules: Pick<Rules, 'layers'>;
  /** Whether ports and paths of the node are reported without a policy. Defaults to true. */
  readonly isWarnedOfAll?: boolean | undefined;
  readonly scopeOf: (gvk: GroupVersionKind) => Scope | undefined;
  /** The path is relative to the object. */
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Checks an object against the rules. */
export function enforcePolicy(object: KubeObject, options: EnforceOptions): void {
  const { report, isWarnedOfAll = true } = options;
  const { layers } = options.rules;
  let seen: Set<string> | undefined;
  let described: string | undefined;
  const reportFinding: Enforcing['reportFinding'] = (diagnostic, path, rule) => {
    // A field may be found both by its name and by the schema.
    const key = JSON.stringify([diagnostic.code, path]);
    if (seen?.has(key) === true) return;
    (seen ??= new Set()).add(key);
    const location = rule?.layer.locate(rule.path);
    const related = location === undefined ? undefined : [{ message: 'the rule is here', location }];
    // An acceptance may name the object.
    const finding = { ...diagnostic, object: objectNameOf(object) };
    report(related === undefined ? finding : { ...finding, related }, path);
  };
  const enforcing: Enforcing = {
    object,
    // Few objects have findings.
    subject: () => (described ??= describeObject(object)),
    layers,
    isWarnedOfAll,
    reportFinding,
  };
  const gvk = gvkOf(object);
  if (isInForce(layers)) {
    refuseUnidentified(enforcing, gvk);
    refuseEncrypted(enforcing);
  }
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
  /** Finds the scope of kinds that kurel does not know. Must not contain definitions from a package, which could lie. */
  readonly store: () => SchemaStore | undefined;
  readonly report: Report;
}

/** Checks the objects of a build other than an application against the rules. */
export function enforcePolicies(objects: readonly KubeObject[], { layers, store, report }: EnforceAllOptions): void {
  const reportFinding = (object: KubeObject, diagnostic: Diagnostic, path: Path): void =>
    report({ ...diagnostic, subject: { object, path } });
  const scopeOfKind = (gvk: GroupVersionKind): Scope | undefined => scopeOf(gvk, objects) ?? store()?.find(gvk)?.scope;
  for (const object of objects) {
    enforcePolicy(object, {
      rules: { layers },
      isWarnedOfAll: false,
      scopeOf: scopeOfKind,
      report: (diagnostic, path) => reportFinding(object, diagnostic, path),
    });
  }
  for (const { object, path, diagnostic } of findUnknownSources(objects, layers))
    reportFinding(object, diagnostic, path);
}

/** OpenShift also serves these kinds in its own group, and converts them to those of Kubernetes. */
const accessGroups: ReadonlySet<string> = new Set([accessGroup, 'authorization.openshift.io']);
/** Kubernetes writes a token that does not expire into Secrets of this type. */
const tokenType = 'kubernetes.io/service-account-token';
const ofAdmission = 'admissionregistration.k8s.io';

/** Checks permissions that an object grants, and webhooks between clients and the API server. */
function checkAccess(enforcing: Enforcing, { group, kind }: GroupVersionKind): void {
  if (accessGroups.has(group)) {
    refuseTrait(enforcing);
    if (/^(?:Cluster)?Role$/.test(kind)) checkRole(enforcing);
    if (/^(?:Cluster)?RoleBinding$/.test(kind)) checkBinding(enforcing, kind);
  }
  if (group === '' && kind === 'Secret' && textAt(enforcing.object, 'type') === tokenType) {
    refuse(enforcing, { what: 'the token of a ServiceAccount', path: ['type'], rule: 'allowTokenRequests' });
  }
  if (group === ofAdmission) refuseWebhook(enforcing, `the ${kind}`, ['kind']);
  if (group === 'apiregistration.k8s.io') {
    const isServedElsewhere = mappingAt(mappingAt(enforcing.object, 'spec'), 'service') !== undefined;
    if (isServedElsewhere) refuseWebhook(enforcing, 'the extension API server', ['spec', 'service']);
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

/** A policy that forbids the trait `rbac` also forbids RBAC objects from other sources. */
function refuseTrait(enforcing: Enforcing): void {
  const refusal = findTypeRefusal('capabilities', 'rbac', enforcing.layers);
  if (refusal === undefined) return;
  const { layer, rule, index } = refusal;
  const path = ['capabilities', rule, ...(index === undefined ? [] : [index])];
  const args = { subject: enforcing.subject(), trait: 'rbac', rule };
  enforcing.reportFinding(policyProblems.create('policy-trait-object', args), ['kind'], { layer, path });
}

function checkBinding(enforcing: Enforcing, kind: string): void {
  const { object } = enforcing;
  checkRoleReference(enforcing, object, []);
  if (kind === 'ClusterRoleBinding') {
    refuse(enforcing, { what: 'the cluster-wide binding', path: ['kind'], rule: 'allowForeignBindings' });
    return;
  }
  for (const [index, subject] of listAt(object, 'subjects').entries()) {
    const name = textAt(subject, 'name') ?? '';
    if (!isForeign(subject, name, namespaceOf(object))) continue;
    const [what, path] = [`subject ${quote(name)}`, ['subjects', index, 'name']];
    refuse(enforcing, { what, path, rule: 'allowForeignBindings' });
  }
}

/** Whether the subject of a binding is outside of its namespace. */
function isForeign(subject: Json, name: string, own: string): boolean {
  const kind = textAt(subject, 'kind');
  if (kind === 'ServiceAccount') return (textAt(subject, 'namespace') ?? own) !== own;
  const [, of] = /^system:serviceaccounts?:([^:]+)/.exec(name) ?? [];
  return of === undefined ? name.startsWith('system:') : of !== own;
}

/** Kinds that only hold data, and the fields that may be encrypted. */
const dataFields: Readonly<Record<string, readonly string[]>> = {
  Secret: ['data', 'stringData'],
  ConfigMap: ['data', 'binaryData'],
};

/** Once decrypted in the cluster, an encrypted field could be anything that the policy forbids. */
function refuseEncrypted({ object, subject, reportFinding }: Enforcing): void {
  if (!isSopsEncrypted(object)) return;
  const readable = object.apiVersion === 'v1' ? dataFields[object.kind] : undefined;
  for (const path of listEncrypted(object)) {
    if (readable?.includes(String(path[0])) === true) continue;
    reportFinding(policyProblems.create('policy-encrypted', { field: formatPath(path), subject: subject() }), path);
  }
}

/** Rejects an object without a clear identity, because no rule can be applied to it. */
function refuseUnidentified(enforcing: Enforcing, gvk: GroupVersionKind | undefined): void {
  const { object, subject } = enforcing;
  const [reason, path] = explainUnidentified(object, gvk) ?? [];
  if (reason === undefined || path === undefined) return;
  enforcing.reportFinding(policyProblems.create('policy-unidentified', { subject: subject(), reason }), path);
}

function explainUnidentified(
  object: KubeObject,
  gvk: GroupVersionKind | undefined,
): readonly [reason: string, path: Path] | undefined {
  const { apiVersion, kind } = object;
  const isGroup = gvk !== undefined && (gvk.group === '' || checkDnsSubdomain(gvk.group) === undefined);
  if (!isGroup || checkDnsLabel(gvk.version) !== undefined) {
    return [`${quote(apiVersion)} is not a valid apiVersion`, ['apiVersion']];
  }
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(kind)) return [`${quote(kind)} is not a valid kind`, ['kind']];
  const { items } = object;
  // kubectl treats every object with items as a list and applies the items.
  const isList = isJsonArray(items) && items.some((item) => isJsonObject(item) && typeof item['kind'] === 'string');
  return isList ? ['it has "items", which kubectl applies instead of the object', ['items']] : undefined;
}

type ObjectRules = OwnRules['objects'];

interface Broken {
  readonly rule: keyof ObjectRules;
  readonly path: Path;
  /** `kind "Role"` */
  readonly what: string;
  /** Replaces "is not allowed". */
  readonly reason?: string;
  readonly hint?: Message;
}

/** Kinds, groups and namespaces. */
function checkObject(enforcing: Enforcing, gvk: GroupVersionKind, findScope: () => Scope | undefined): void {
  const { object, subject } = enforcing;
  // Finding the scope can be slow, and most policies have no such rules.
  if (enforcing.layers.every(({ objects }) => Object.keys(objects).length === 0)) return;
  // A package cannot override the scope of a well-known kind.
  const ownScope = scopeOf(gvk);
  const scope = ownScope ?? findScope();
  const reported = new Set<string>();
  for (const layer of enforcing.layers) {
    for (const broken of findBroken(object, { rules: layer.objects, gvk, scope, isKnown: ownScope !== undefined })) {
      if (!reported.has(broken.what)) reportFinding(broken, layer);
      reported.add(broken.what);
    }
  }

  function reportFinding({ rule, path, ...words }: Broken, layer: RuleLayer): void {
    const allowed = rule.startsWith('allowed') ? (layer.objects[rule] as readonly string[]) : undefined;
    const args = { subject: subject(), rule: `objects.${rule}`, of: layer.of, allowed, ...words };
    enforcing.reportFinding(policyProblems.create('policy-object', args), path, { layer, path: ['objects', rule] });
  }
}

type Place = Pick<Broken, 'path' | 'what'>;

interface Facts {
  readonly rules: ObjectRules;
  readonly gvk: GroupVersionKind;
  readonly scope: Scope | undefined;
  /** Whether the scope is that of a well-known kind, and not from a definition. */
  readonly isKnown: boolean;
}

function findBroken(object: KubeObject, { rules, gvk, scope, isKnown }: Facts): readonly Broken[] {
  const broken: Broken[] = [];
  const group = gvk.group === '' ? 'core' : gvk.group;
  const isNamed = (kinds: readonly string[]): boolean =>
    isListed(kinds, gvk.kind) || isListed(kinds, `${group}/${gvk.kind}`);
  const checkNamed = (of: 'Kinds' | 'Groups', isIn: (names: readonly string[]) => boolean, place: Place): void => {
    const [forbidden, allowed] = [rules[`forbidden${of}`], rules[`allowed${of}`]];
    if (forbidden !== undefined && isIn(forbidden)) broken.push({ rule: `forbidden${of}`, ...place });
    else if (allowed !== undefined && !isIn(allowed)) broken.push({ rule: `allowed${of}`, ...place });
  };
  checkNamed('Kinds', isNamed, { path: ['kind'], what: `kind ${quote(gvk.kind)}` });
  const isOfGroup = (groups: readonly string[]): boolean => isListed(groups, group);
  checkNamed('Groups', isOfGroup, { path: ['apiVersion'], what: `API group ${quote(group)}` });
  if (rules.namespacedOnly === true && scope !== 'Namespaced') {
    // A policy that lists the kind with its group vouches for it.
    const { allowedKinds = [] } = rules;
    const isVouchedFor = scope === undefined && isListed(allowedKinds, `${group}/${gvk.kind}`);
    const what = 'cluster-scoped objects';
    const unknown = {
      reason: 'may be cluster-scoped: the scope of its kind is not known',
      hint: `if it is namespaced, add ${group}/${gvk.kind} to objects.allowedKinds; definitions in a package are not trusted`,
    };
    if (!isVouchedFor)
      broken.push({ rule: 'namespacedOnly', path: ['kind'], what, ...(scope === undefined ? unknown : {}) });
  }
  const namespace = findNamespace(object, { scope, isKnown });
  if (rules.allowedNamespaces !== undefined && namespace?.name !== undefined) {
    const { name, path } = namespace;
    const missing = {
      reason: 'has no namespace, so it could be applied to any',
      hint: sentence`set metadata.namespace, or ${pass('namespace', 'NAME')}`,
    };
    if (!isListed(rules.allowedNamespaces, name)) {
      const what = `namespace ${quote(name)}`;
      broken.push({ rule: 'allowedNamespaces', path, what, ...(name === '' ? missing : {}) });
    }
  }
  return broken;
}

/** The namespace of an object; of a Namespace, the object itself. */
function findNamespace(
  object: KubeObject,
  { scope, isKnown }: Pick<Facts, 'scope' | 'isKnown'>,
): { readonly name: string; readonly path: Path } | undefined {
  if (isOfKind(object, { group: '', kind: 'Namespace' })) return { name: nameOf(object), path: ['metadata', 'name'] };
  const name = namespaceOf(object);
  // The cluster may have a definition with another scope, and then the namespace matters.
  if (scope === 'Cluster' && (isKnown || name === '')) return undefined;
  return { name, path: name === '' ? ['metadata'] : ['metadata', 'namespace'] };
}
