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
import { isIp } from '../../schema/index.ts';
import { demandField, forbid, refuse, refuseName, report } from './field-site.ts';
import type { FieldSite, KindCheck, Site } from './field-site.ts';
import { firstHere } from '../findings.ts';
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

export function checkAddress(text: string): string | undefined {
  return isIp(text) ? undefined : 'must be an IP address';
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
  const site = { object, findings, path: ['metadata'] };
  const name = textAt(metadata, 'name');
  const prefix = textAt(metadata, 'generateName') ?? '';
  if (name !== undefined && name !== '') {
    const rule = nameRule(check);
    const reason = rule(name);
    if (reason !== undefined) refuseName(site, ['name'], { what: 'name', text: name, reason, rule });
    // The API server gives a LimitRange without a name one.
  } else if (prefix === '' && scope !== undefined && !(gvk.group === '' && gvk.kind === 'LimitRange')) {
    // A metadata of the wrong type has been reported.
    if (metadata === undefined && has(object, 'metadata') && !nameless.test(gvk.group)) return;
    if (name === '' || (!nameless.test(gvk.group) && !has(metadata, 'name')))
      report(site, ['name'], ['name-missing', { kind: gvk.kind }]);
  }
  if (prefix !== '') checkPrefix(check, site, prefix);
  const namespace = textAt(metadata, 'namespace');
  if (namespace !== undefined && namespace !== '') checkNamespace(site, namespace, scope);
  if (metadata === undefined) return;
  checkLabelsAndAnnotations(check, metadata, ['metadata']);
  if (has(metadata, 'finalizers')) checkFinalizers(site, listAt(metadata, 'finalizers'), gvk.group);
  if (has(metadata, 'ownerReferences')) checkOwners(site, listAt(metadata, 'ownerReferences'));
}

/** Checked even when a name is set. */
function checkPrefix(check: KindCheck, site: Site, prefix: string): void {
  const { kind } = check.gvk;
  if (kind === 'ReplicationController' || kind === 'DeviceClass') return;
  const own = kind === 'CronJob' || kind === 'StatefulSet' || kind === 'Job' ? checkDnsSubdomain : nameRule(check);
  const rule: NameRule = (text) => own(completePrefix(text));
  const reason = rule(prefix);
  if (reason !== undefined) refuseName(site, ['generateName'], { what: 'generateName', text: prefix, reason, rule });
}

/** A prefix may end with a dash, because the API server appends to it. */
export function completePrefix(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}

type Labelled = Pick<KindCheck, 'object' | 'findings'>;

/** Reports a generateName of an object whose name is prescribed. */
export function forbidPrefix({ object, findings }: Labelled, reason: string): void {
  if (textAt(mappingAt(object, 'metadata'), 'generateName'))
    forbid({ object, findings, path: ['metadata'] }, 'generateName', `may not be set: ${reason}`);
}

/** Checks a name that is made of fields of the object. */
export function checkFullName({ object, findings }: Labelled, expected: string, reason: string): void {
  const text = textAt(mappingAt(object, 'metadata'), 'name');
  if (text !== undefined && text !== expected)
    refuseName({ object, findings, path: ['metadata'] }, ['name'], { what: 'name', text, reason });
}

const ownFinalizers: readonly Json[] = ['kubernetes', 'orphan', 'foregroundDeletion'];
// These groups do not compare finalizers with the list of Kubernetes.
const lenientGroups = /^(?:admissionregistration|apiextensions|apiregistration|coordination|node)\.k8s\.io$|^policy$/;

function checkFinalizers(site: Site, finalizers: JsonArray, group: string): void {
  const rule = isBuiltInGroup(group) && !lenientGroups.test(group) ? explainFinalizer : checkLabelKey;
  finalizers.forEach((finalizer, index) => {
    const text = finalizer ?? '';
    if (typeof text !== 'string') return;
    const reason = rule(text);
    if (reason !== undefined) refuseName(site, ['finalizers', index], { what: 'finalizer', text, reason });
  });
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    refuse(site, ['finalizers'], { demand: 'must not contain both "orphan" and "foregroundDeletion"' });
}

export function explainFinalizer(text: string): string | undefined {
  const reason = checkLabelKey(text);
  if (reason !== undefined || text.includes('/') || ownFinalizers.includes(text)) return reason;
  return 'must be fully qualified, for example "example.com/cleanup"';
}

const ownerFields = [
  ['apiVersion', 'the apiVersion of the owner'],
  ['kind', 'the kind of the owner'],
  ['name', 'the name of the owner'],
  ['uid', 'which only the cluster knows, or remove the reference'],
] as const;

function checkOwners({ object, findings }: Site, owners: JsonArray): void {
  const controllers: Path[] = [];
  owners.forEach((entry, index) => {
    const owner = entry ?? {};
    if (!isJsonObject(owner)) return;
    const site = { object, findings, path: ['metadata', 'ownerReferences', index] };
    for (const [name, expected] of ownerFields)
      if (!has(owner, name) || owner[name] === '') demandField(site, [name], { expected });
    const version = textAt(owner, 'apiVersion');
    if (version !== undefined && version !== '' && parseApiVersion(version) === undefined)
      report(site, ['apiVersion'], ['api-version-invalid', { text: version }]);
    if (version === 'v1' && owner['kind'] === 'Event')
      refuse(site, ['kind'], { demand: 'must not be Event: an Event cannot own objects' });
    if (owner['controller'] === true) controllers.push([...site.path, 'controller']);
  });
  const [first, second] = controllers;
  if (first === undefined || second === undefined) return;
  const demand = 'may be true in only one of the ownerReferences';
  refuse({ object, findings, path: [] }, second, { demand, related: firstHere(object, first) });
}

function checkNamespace(site: Site, namespace: string, scope: Scope | undefined): void {
  if (scope === 'Cluster') {
    report(site, ['namespace'], ['namespace-not-used', { kind: site.object.kind, namespace }]);
    return;
  }
  const reason = checkDnsLabel(namespace);
  if (reason !== undefined)
    refuseName(site, ['namespace'], { what: 'namespace', text: namespace, reason, rule: checkDnsLabel });
}

const largestAnnotations = 256 * 1024;

/** The labels and annotations of an object, or of its pod or claim template. */
export function checkLabelsAndAnnotations(check: Labelled, metadata: JsonObject, path: Path): void {
  const { labels, annotations } = metadata;
  if (isJsonObject(labels)) checkLabels(check, labels, [...path, 'labels']);
  if (!isJsonObject(annotations)) return;
  let size = 0;
  for (const key in annotations) {
    const value = annotations[key];
    size += key.length + (typeof value === 'string' ? value.length : 0);
    const reason = checkKey(key.toLowerCase());
    if (reason !== undefined) refuseKey(check, [...path, 'annotations', key], { what: 'annotation key', reason });
  }
  // Counting bytes is slow, and a UTF-16 unit has at most three.
  if (size * 3 <= largestAnnotations) return;
  const bytes = countBytes(annotations);
  if (bytes <= largestAnnotations) return;
  const args = { size: bytes, limit: largestAnnotations };
  check.findings.add(check.object, { path: [...path, 'annotations'], at: 'key' }, ['annotations-too-large', args]);
}

function refuseKey({ object, findings }: Labelled, path: Path, key: { what: string; reason: string }): void {
  findings.add(object, { path, at: 'key' }, ['label-invalid', { ...key, text: String(path.at(-1)) }]);
}

/** The metadata of a template that may have only labels and annotations. */
export function checkTemplateMetadata(site: FieldSite): void {
  const { value: metadata, path } = site;
  if (!isJsonObject(metadata)) return;
  checkLabelsAndAnnotations(site, metadata, path);
  for (const field of Object.keys(metadata)) {
    if (field === 'labels' || field === 'annotations' || isNothing(metadata[field])) continue;
    forbid(site, field, 'may not be set in a template: only labels and annotations are allowed');
  }
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function checkLabels(check: Labelled, labels: JsonObject, path: Path): void {
  for (const key in labels) {
    const reason = checkKey(key);
    if (reason !== undefined) refuseKey(check, [...path, key], { what: 'label key', reason });
    const value = labels[key];
    if (typeof value !== 'string') continue;
    const valueReason = checkLabelValue(value);
    if (valueReason === undefined) continue;
    const args = { what: 'value', text: value, of: `label ${quote(key)}`, reason: valueReason };
    check.findings.add(check.object, { path: [...path, key] }, ['label-invalid', args]);
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
