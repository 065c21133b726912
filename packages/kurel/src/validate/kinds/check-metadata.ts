import { quote } from '../../diagnostics/index.ts';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  has,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import type { Scope } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import type { KindCheck } from './kind-check.ts';
import type { NameRule } from './problems.ts';

const pathSegments = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
// Reviews are questions to the API server and have no name; an Eviction is posted to a pod.
const nameless = /^(?:authentication|authorization|imagepolicy)\.k8s\.io$/;

function nameRule({ gvk: { group, kind }, minor }: KindCheck): NameRule {
  if (group === '' && kind === 'Namespace') return checkDnsLabel;
  // From 1.36 on a Service may be named like most other things that become a DNS label.
  if (group === '' && kind === 'Service') return minor >= 36 ? checkDnsLabel : checkDns1035Label;
  if (group === 'rbac.authorization.k8s.io' && pathSegments.has(kind)) return checkPathSegment;
  if (group === 'apiregistration.k8s.io' || kind === 'ClusterTrustBundle' || kind === 'IPAddress')
    return checkPathSegment;
  return group === 'batch' && kind === 'CronJob' ? checkCronJobName : checkDnsSubdomain;
}

function checkCronJobName(name: string): string | undefined {
  if (name.length <= 52) return checkDnsSubdomain(name);
  return (
    checkDnsSubdomain(name) ??
    `must have at most 52 characters, and has ${name.length}: the names of its jobs are made from it`
  );
}

/** Name, namespace, labels and annotations of an object of a known kind. */
export function checkMetadata(check: KindCheck, scope: Scope): void {
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
    // A name is made by adding to it, so it may end as no name may.
    const rule: NameRule = (text) => nameRule(check)(`${text}a`);
    const reason = rule(prefix);
    if (reason !== undefined) {
      findings.add(object, { path: ['metadata', 'generateName'] }, [
        'name-invalid',
        { what: 'generateName', text: prefix, reason, rule },
      ]);
    }
  } else if (!nameless.test(gvk.group) && !has(metadata, 'name')) {
    // What is no mapping has been reported as that.
    if (metadata === undefined && has(object, 'metadata')) return;
    findings.add(object, { path: ['metadata', 'name'] }, ['name-missing', { kind: gvk.kind }]);
  } else if (name === '') {
    findings.add(object, { path: ['metadata', 'name'] }, ['name-missing', { kind: gvk.kind }]);
  }
  const namespace = textAt(metadata, 'namespace');
  if (namespace !== undefined && namespace !== '') checkNamespace(check, namespace, scope);
  if (metadata !== undefined) checkLabelsAndAnnotations(check, metadata, ['metadata']);
}

function checkNamespace({ object, gvk, findings }: KindCheck, namespace: string, scope: Scope): void {
  const path = ['metadata', 'namespace'];
  const reason = checkDnsLabel(namespace);
  if (reason !== undefined)
    findings.add(object, { path }, [
      'name-invalid',
      { what: 'namespace', text: namespace, reason, rule: checkDnsLabel },
    ]);
  if (scope === 'Cluster') findings.add(object, { path }, ['namespace-not-used', { kind: gvk.kind, namespace }]);
}

const largestAnnotations = 256 * 1024;

/** The labels and annotations of an object, or of the pods or claims that it makes. */
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
  // Bytes are counted only when there could be too many: no character takes more than three per unit.
  if (size * 3 <= largestAnnotations) return;
  const bytes = countBytes(annotations);
  if (bytes > largestAnnotations) {
    findings.add(object, { path: [...path, 'annotations'], at: 'key' }, [
      'annotations-too-large',
      { size: bytes, limit: largestAnnotations },
    ]);
  }
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

// The same few keys stand on every object of a build.
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
