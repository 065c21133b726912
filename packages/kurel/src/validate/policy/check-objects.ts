import { quote } from '../../diagnostics/index.ts';
import { checkDnsLabel, checkDnsSubdomain, isOfKind, nameOf, namespaceOf, scopeOf } from '../../kube/index.ts';
import type { Scope } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { GroupVersionKind, KubeObject, Path } from '../../model/index.ts';
import type { Enforcing } from './enforcing.ts';
import { isListed } from './list-index.ts';
import { policyProblems } from './problems.ts';
import type { PolicyBody, RuleLayer } from './rules.ts';

/** Refuses an object that no rule can be applied to, because nobody can say what a cluster takes it for. */
export function refuseUnidentified(enforcing: Enforcing, gvk: GroupVersionKind | undefined): void {
  const { object, subject } = enforcing;
  const [reason, path] = explainUnidentified(object, gvk) ?? [];
  if (reason === undefined || path === undefined) return;
  enforcing.reportFinding(policyProblems.create('policy-unidentified', { subject, reason }), path);
}

function explainUnidentified(
  object: KubeObject,
  gvk: GroupVersionKind | undefined,
): readonly [reason: string, path: Path] | undefined {
  const { apiVersion, kind } = object;
  const isGroup = gvk !== undefined && (gvk.group === '' || checkDnsSubdomain(gvk.group) === undefined);
  if (!isGroup || checkDnsLabel(gvk.version) !== undefined) {
    return [`apiVersion ${quote(apiVersion)} is not of the form "group/version"`, ['apiVersion']];
  }
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(kind)) return [`kind ${quote(kind)} cannot be the name of a kind`, ['kind']];
  const { items } = object;
  // kubectl takes everything that has items for a list, and applies those.
  const isList = isJsonArray(items) && items.some((item) => isJsonObject(item) && typeof item['kind'] === 'string');
  return isList ? ['it has "items", which kubectl applies instead of the object', ['items']] : undefined;
}

type ObjectRules = PolicyBody['objects'];

interface Broken {
  readonly rule: keyof ObjectRules;
  readonly path: Path;
  /** `the kind "Role"` */
  readonly what: string;
  /** Instead of "is not allowed". */
  readonly reason?: string;
  readonly hint?: string;
}

/** Kinds, groups and namespaces. */
export function checkObject(enforcing: Enforcing, gvk: GroupVersionKind, findScope: () => Scope | undefined): void {
  const { object, subject } = enforcing;
  // Most policies have no such rules, and then nobody need know the scope.
  if (enforcing.layers.every(({ objects }) => Object.keys(objects).length === 0)) return;
  // What is known of a kind comes before what a package says of it.
  const known = scopeOf(gvk);
  const scope = known ?? findScope();
  const reported = new Set<string>();
  for (const layer of enforcing.layers) {
    for (const broken of findBroken(object, { rules: layer.objects, gvk, scope, isKnown: known !== undefined })) {
      if (!reported.has(broken.what)) reportFinding(broken, layer);
      reported.add(broken.what);
    }
  }

  function reportFinding({ rule, path, ...words }: Broken, layer: RuleLayer): void {
    const allowed = rule.startsWith('allowed') ? (layer.objects[rule] as readonly string[]) : undefined;
    const args = { subject, rule: `objects.${rule}`, of: layer.of, allowed, ...words };
    enforcing.reportFinding(policyProblems.create('policy-object', args), path, { layer, path: ['objects', rule] });
  }
}

interface Facts {
  readonly rules: ObjectRules;
  readonly gvk: GroupVersionKind;
  readonly scope: Scope | undefined;
  /** The scope is that of a kind that everybody knows, and not only what somebody says. */
  readonly isKnown: boolean;
}

function findBroken(object: KubeObject, { rules, gvk, scope, isKnown }: Facts): readonly Broken[] {
  const broken: Broken[] = [];
  const group = gvk.group === '' ? 'core' : gvk.group;
  const isNamed = (kinds: readonly string[]): boolean =>
    isListed(kinds, gvk.kind) || isListed(kinds, `${group}/${gvk.kind}`);
  const [ofKind, ofGroup] = [`the kind ${quote(gvk.kind)}`, `the API group ${quote(group)}`];
  if (rules.forbiddenKinds !== undefined && isNamed(rules.forbiddenKinds)) {
    broken.push({ rule: 'forbiddenKinds', path: ['kind'], what: ofKind });
  } else if (rules.allowedKinds !== undefined && !isNamed(rules.allowedKinds)) {
    broken.push({ rule: 'allowedKinds', path: ['kind'], what: ofKind });
  }
  if (rules.forbiddenGroups !== undefined && isListed(rules.forbiddenGroups, group)) {
    broken.push({ rule: 'forbiddenGroups', path: ['apiVersion'], what: ofGroup });
  } else if (rules.allowedGroups !== undefined && !isListed(rules.allowedGroups, group)) {
    broken.push({ rule: 'allowedGroups', path: ['apiVersion'], what: ofGroup });
  }
  if (rules.namespacedOnly === true && scope !== 'Namespaced') {
    // Whoever names a kind with its group knows what it is.
    const { allowedKinds = [] } = rules;
    const isVouchedFor = scope === undefined && isListed(allowedKinds, `${group}/${gvk.kind}`);
    const what = 'an object outside of namespaces';
    const unknown = {
      reason: 'may live outside of namespaces: the scope of its kind is not known',
      hint: `name it in objects.allowedKinds as ${group}/${gvk.kind}; what a package says about scopes does not count`,
    };
    if (!isVouchedFor)
      broken.push({ rule: 'namespacedOnly', path: ['kind'], what, ...(scope === undefined ? unknown : {}) });
  }
  const namespace = findNamespace(object, { scope, isKnown });
  if (rules.allowedNamespaces !== undefined && namespace?.name !== undefined) {
    const { name, path } = namespace;
    const missing = {
      reason: 'has no namespace, so that it goes wherever it is applied',
      hint: 'set metadata.namespace, or pass --namespace NAME',
    };
    if (!isListed(rules.allowedNamespaces, name)) {
      const what = `the namespace ${quote(name)}`;
      broken.push({ rule: 'allowedNamespaces', path, what, ...(name === '' ? missing : {}) });
    }
  }
  return broken;
}

/** The namespace that an object is in, or is. */
function findNamespace(
  object: KubeObject,
  { scope, isKnown }: Pick<Facts, 'scope' | 'isKnown'>,
): { readonly name: string; readonly path: Path } | undefined {
  if (isOfKind(object, { group: '', kind: 'Namespace' })) return { name: nameOf(object), path: ['metadata', 'name'] };
  const name = namespaceOf(object);
  // The cluster may have another definition of the kind, and then the namespace counts.
  if (scope === 'Cluster' && (isKnown || name === '')) return undefined;
  return { name, path: name === '' ? ['metadata'] : ['metadata', 'namespace'] };
}
