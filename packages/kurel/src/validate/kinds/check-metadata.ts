import { quote } from '../../diagnostics/index.ts';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  has,
  isBuiltInGroup,
  listAt,
  mappingAt,
  parseApiVersion,
  textAt,
} from '../../kube/index.ts';
import type { Scope } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { isIp, missingField } from '../../schema/index.ts';
import type { KindCheck } from './kind-check.ts';
import type { NameRule } from './problems.ts';

// Kinds whose names only have to be valid in a URL, or are checked by the rules of the kind.
const plainNames = new Set(['ClusterTrustBundle', 'CertificateSigningRequest', 'PodDisruptionBudget']);
const pathSegments = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
// Reviews are requests to the API server and have no name.
const nameless = /^(?:authentication|authorization|imagepolicy)\.k8s\.io$/;

function nameRule({ gvk: { group, kind }, minor }: KindCheck): NameRule {
  if (group === '' && kind === 'Namespace') return checkDnsLabel;
  // From 1.36 on, the name of a Service may start with a digit.
  if (group === '' && kind === 'Service') return minor >= 36 ? checkDnsLabel : checkDns1035Label;
  if (group === 'rbac.authorization.k8s.io' && pathSegments.has(kind)) return checkPathSegment;
  if (group === 'apiregistration.k8s.io' || plainNames.has(kind)) return checkPathSegment;
  if (kind === 'IPAddress' && group === 'networking.k8s.io') return checkAddress;
  if (kind === 'StatefulSet' && group === 'apps') return minor >= 36 ? checkDnsLabel : checkDnsSubdomain;
  if (kind === 'Job' && group === 'batch') return checkLabelledName;
  return group === 'batch' && kind === 'CronJob' ? checkCronJobName : checkDnsSubdomain;
}

function checkAddress(name: string): string | undefined {
  return isIp(name) ? undefined : 'must be an IP address';
}

function checkLabelledName(name: string): string | undefined {
  const reason = checkDnsSubdomain(name);
  if (reason !== undefined || name.length <= 63) return reason;
  return `must have at most 63 characters, not ${name.length}: it becomes a label of its pods`;
}

function checkCronJobName(name: string): string | undefined {
  if (name.length <= 52) return checkDnsSubdomain(name);
  return (
    checkDnsSubdomain(name) ??
    `must have at most 52 characters, not ${name.length}: the names of its Jobs start with it`
  );
}

/** The metadata of an object. The scope of a kind without a schema is unknown, and so is whether it needs a name. */
export function checkMetadata(check: KindCheck, scope: Scope | undefined): void {
  const { object, gvk, findings } = check;
  const metadata = mappingAt(object, 'metadata');
  const name = textAt(metadata, 'name');
  const prefix = textAt(metadata, 'generateName');
  if (name !== undefined && name !== '') {
    const rule = nameRule(check);
    const reason = rule(name);
    if (reason !== undefined) {
      findings.add(object, { path: ['metadata', 'name'] }, [
        'name-invalid',
        { what: 'name', text: name, reason, rule },
      ]);
    }
  } else if (prefix !== undefined && prefix !== '') {
    // The API server generates the name.
  } else if (scope === undefined || isNamedByServer(check, name)) {
    // The API server generates one, or the object is not for an API server at all.
  } else if (!nameless.test(gvk.group) && !has(metadata, 'name')) {
    // A metadata of the wrong type has been reported.
    if (metadata === undefined && has(object, 'metadata')) return;
    findings.add(object, { path: ['metadata', 'name'] }, ['name-missing', { kind: gvk.kind }]);
  } else if (name === '') {
    findings.add(object, { path: ['metadata', 'name'] }, ['name-missing', { kind: gvk.kind }]);
  }
  if (prefix !== undefined && prefix !== '') checkPrefix(check, prefix);
  const namespace = textAt(metadata, 'namespace');
  if (namespace !== undefined && namespace !== '') checkNamespace(check, namespace, scope);
  if (metadata !== undefined) checkCommonMetadata(check, metadata);
}

/** Metadata that all kinds have in common. */
function checkCommonMetadata(check: KindCheck, metadata: JsonObject): void {
  checkLabelsAndAnnotations(check, metadata, ['metadata']);
  if (has(metadata, 'finalizers')) checkFinalizers(check, listAt(metadata, 'finalizers'));
  if (has(metadata, 'ownerReferences')) checkOwners(check, listAt(metadata, 'ownerReferences'));
}

/** Checked even when a name is set. It may end with a dash, because the API server appends to it. */
function checkPrefix(check: KindCheck, prefix: string): void {
  const { kind } = check.gvk;
  if (kind === 'ReplicationController' || kind === 'DeviceClass') return;
  const own = kind === 'CronJob' || kind === 'StatefulSet' || kind === 'Job' ? checkDnsSubdomain : nameRule(check);
  const rule: NameRule = (text) => own(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
  const reason = rule(prefix);
  if (reason === undefined) return;
  check.findings.add(check.object, { path: ['metadata', 'generateName'] }, [
    'name-invalid',
    { what: 'generateName', text: prefix, reason, rule },
  ]);
}

const ownFinalizers: readonly Json[] = ['kubernetes', 'orphan', 'foregroundDeletion'];
const exclusiveFinalizers: readonly Json[] = ['orphan', 'foregroundDeletion'];

function checkFinalizers(check: KindCheck, finalizers: JsonArray): void {
  const { object, findings } = check;
  finalizers.forEach((finalizer, index) => {
    const text = finalizer ?? '';
    if (typeof text !== 'string') return;
    const reason = explainFinalizer(check, text);
    if (reason === undefined) return;
    findings.add(object, { path: ['metadata', 'finalizers', index] }, [
      'name-invalid',
      { what: 'finalizer', text, reason },
    ]);
  });
  if (exclusiveFinalizers.every((one) => finalizers.includes(one))) {
    const demand = 'must not contain both "orphan" and "foregroundDeletion"';
    findings.add(object, { path: ['metadata', 'finalizers'] }, ['field-enum', { field: 'finalizers', demand }]);
  }
}

// These groups do not compare finalizers with the list of Kubernetes.
const lenientGroups = /^(?:admissionregistration|apiextensions|apiregistration|coordination|node)\.k8s\.io$|^policy$/;

function explainFinalizer({ gvk: { group } }: KindCheck, text: string): string | undefined {
  const reason = checkLabelKey(text);
  if (reason !== undefined || text.includes('/') || ownFinalizers.includes(text)) return reason;
  return isBuiltInGroup(group) && !lenientGroups.test(group)
    ? 'must be fully qualified, for example "example.com/cleanup"'
    : undefined;
}

function checkOwners(check: KindCheck, owners: JsonArray): void {
  const { object, findings } = check;
  const controllers: number[] = [];
  owners.forEach((entry, index) => {
    const owner = entry ?? {};
    if (!isJsonObject(owner)) return;
    const path = ['metadata', 'ownerReferences', index];
    for (const [name, expected] of ownerFields) {
      if (has(owner, name) && owner[name] !== '') continue;
      const holder = `metadata.ownerReferences[${index}]`;
      findings.add(object, { path: [...path, name] }, ['field-required', missingField({ name, holder, expected })]);
    }
    const version = textAt(owner, 'apiVersion');
    if (version !== undefined && version !== '' && parseApiVersion(version) === undefined)
      findings.add(object, { path: [...path, 'apiVersion'] }, ['api-version-invalid', { text: version }]);
    if (version === 'v1' && owner['kind'] === 'Event') {
      const demand = 'must not be Event: an Event cannot own objects';
      findings.add(object, { path: [...path, 'kind'] }, ['field-enum', { field: 'kind', demand }]);
    }
    if (owner['controller'] === true) controllers.push(index);
  });
  if (controllers.length < 2) return;
  const related = [
    { message: 'the first one is here', object, path: ['metadata', 'ownerReferences', controllers[0]!, 'controller'] },
  ];
  findings.add(object, { path: ['metadata', 'ownerReferences', controllers[1]!, 'controller'], related }, [
    'field-enum',
    { field: 'controller', demand: 'may be true in only one of the ownerReferences' },
  ]);
}

const ownerFields = [
  ['apiVersion', 'the apiVersion of the owner'],
  ['kind', 'the kind of the owner'],
  ['name', 'the name of the owner'],
  ['uid', 'which only the cluster knows, or remove the reference'],
] as const;

function isNamedByServer({ gvk: { group, kind } }: KindCheck, name: string | undefined): boolean {
  return group === '' && kind === 'LimitRange' && (name === undefined || name === '');
}

function checkNamespace({ object, gvk, findings }: KindCheck, namespace: string, scope: Scope | undefined): void {
  const path = ['metadata', 'namespace'];
  if (scope === 'Cluster') {
    findings.add(object, { path }, ['namespace-not-used', { kind: gvk.kind, namespace }]);
    return;
  }
  const reason = checkDnsLabel(namespace);
  if (reason === undefined) return;
  findings.add(object, { path }, ['name-invalid', { what: 'namespace', text: namespace, reason, rule: checkDnsLabel }]);
}

const largestAnnotations = 256 * 1024;

/** The labels and annotations of an object, or of its pod or claim template. */
export function checkLabelsAndAnnotations({ object, findings }: KindCheck, metadata: JsonObject, path: Path): void {
  const { labels, annotations } = metadata;
  if (isJsonObject(labels)) checkLabels({ object, findings }, labels, [...path, 'labels']);
  if (!isJsonObject(annotations)) return;
  let size = 0;
  for (const key in annotations) {
    const value = annotations[key];
    size += key.length + (typeof value === 'string' ? value.length : 0);
    const reason = checkKey(key.toLowerCase());
    if (reason !== undefined) {
      findings.add(object, { path: [...path, 'annotations', key], at: 'key' }, [
        'label-invalid',
        { what: 'annotation key', text: key, reason },
      ]);
    }
  }
  // Counting bytes is slow, and a UTF-16 unit has at most three.
  if (size * 3 <= largestAnnotations) return;
  const bytes = countBytes(annotations);
  if (bytes > largestAnnotations) {
    findings.add(object, { path: [...path, 'annotations'], at: 'key' }, [
      'annotations-too-large',
      { size: bytes, limit: largestAnnotations },
    ]);
  }
}

/** The metadata of a template that may have only labels and annotations. */
export function checkTemplateMetadata(check: KindCheck, metadata: JsonObject, path: Path): void {
  checkLabelsAndAnnotations(check, metadata, path);
  for (const field of Object.keys(metadata)) {
    if (field === 'labels' || field === 'annotations' || isNothing(metadata[field])) continue;
    const args = { field, demand: 'may not be set in a template: only labels and annotations are allowed' };
    check.findings.add(check.object, { path: [...path, field], at: 'key' }, ['field-enum', args]);
  }
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function checkLabels(
  { object, findings }: Pick<KindCheck, 'object' | 'findings'>,
  labels: JsonObject,
  path: Path,
): void {
  for (const key in labels) {
    const reason = checkKey(key);
    if (reason !== undefined) {
      findings.add(object, { path: [...path, key], at: 'key' }, [
        'label-invalid',
        { what: 'label key', text: key, reason },
      ]);
    }
    const value = labels[key];
    const valueReason = typeof value === 'string' ? checkLabelValue(value) : undefined;
    if (valueReason !== undefined) {
      findings.add(object, { path: [...path, key] }, [
        'label-invalid',
        { what: 'value', text: textAt(labels, key) ?? '', of: `label ${quote(key)}`, reason: valueReason },
      ]);
    }
  }
}

// All objects of a build have the same few keys.
const goodKeys = new Set<string>();
const mostKeys = 1000;

function checkKey(key: string): string | undefined {
  if (goodKeys.has(key)) return undefined;
  const reason = checkLabelKey(key);
  if (reason === undefined && goodKeys.size < mostKeys) goodKeys.add(key);
  return reason;
}

function countBytes(entries: JsonObject): number {
  const encoder = new TextEncoder();
  return Object.entries(entries).reduce(
    (sum, [key, value]) =>
      sum + encoder.encode(key).length + (typeof value === 'string' ? encoder.encode(value).length : 0),
    0,
  );
}
