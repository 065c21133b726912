import { describeValue, quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkEnvVarName,
  checkLabelKey,
  formatQuantity,
  has,
  listAt,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { formatPath, missingField, notAllowed } from '../../schema/index.ts';
import { explainKey } from './check-data.ts';
import type { FieldSite } from './field-rules.ts';
import { escapesRoot } from './kind-check.ts';
import type { KindCheck } from './kind-check.ts';
import { readAmount } from './read-amount.ts';

interface Sources {
  /** The `valueFrom` of a variable. */
  readonly from: JsonObject;
  readonly path: Path;
  readonly pod: PodSite;
}

/** The sources of an environment variable. */
export function checkEnvSources(check: KindCheck, { from, path, pod }: Sources): void {
  for (const source of ['configMapKeyRef', 'secretKeyRef']) {
    const key = textAt(mappingAt(from, source), 'key');
    const reason = key === undefined ? undefined : explainKey(key);
    if (reason !== undefined) {
      check.findings.add(check.object, { path: [...path, source, 'key'] }, [
        'name-invalid',
        { what: 'key', text: key!, reason },
      ]);
    }
  }
  const field = mappingAt(from, 'fieldRef');
  if (field !== undefined) checkField(check, field, [...path, 'fieldRef']);
  const resource = mappingAt(from, 'resourceFieldRef');
  if (resource !== undefined) checkResource(check, resource, [...path, 'resourceFieldRef']);
  const file = mappingAt(from, 'fileKeyRef');
  if (file !== undefined) checkFile(check, { file, path: [...path, 'fileKeyRef'], pod });
}

const fieldPaths: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
// The old name of spec.nodeName, which the API server still accepts.
const oldFieldPath = 'spec.host';

const volumeFieldPaths: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
];

function checkField(
  { object, findings }: KindCheck,
  reference: JsonObject,
  path: Path,
  allowedPaths: readonly string[] = fieldPaths,
): void {
  const version = textAt(reference, 'apiVersion') ?? '';
  if (version !== '' && version !== 'v1') {
    findings.add(object, { path: [...path, 'apiVersion'] }, [
      'field-enum',
      notAllowed({ field: 'apiVersion', found: quote(version), allowed: ['v1'], word: version }),
    ]);
  }
  const field = textAt(reference, 'fieldPath');
  if (field === undefined || allowedPaths.includes(field) || (field === oldFieldPath && allowedPaths === fieldPaths))
    return;
  const place = { path: [...path, 'fieldPath'] };
  const [, list, key] = /^metadata\.(label|annotation)s\['(.+)'\]$/s.exec(field) ?? [];
  if (list === undefined || key === undefined) {
    const allowed = [...allowedPaths, "metadata.labels['KEY']", "metadata.annotations['KEY']"];
    findings.add(object, place, [
      'field-enum',
      notAllowed({ field: 'fieldPath', found: quote(field), allowed, word: field }),
    ]);
    return;
  }
  const reason = checkLabelKey(list === 'annotation' ? key.toLowerCase() : key);
  if (reason !== undefined)
    findings.add(object, place, ['label-invalid', { what: list, text: key, of: '"fieldPath"', reason }]);
}

/** The fields that a file in a volume may contain. */
export function checkVolumeField({ value, path, ...check }: FieldSite): void {
  if (isJsonObject(value)) checkField(check, value, path, volumeFieldPaths);
}

export function checkVolumeResource({ value, path, ...check }: FieldSite): void {
  if (!isJsonObject(value)) return;
  if (!textAt(value, 'containerName')) {
    const expected = 'the name of the container';
    check.findings.add(check.object, { path: [...path, 'containerName'] }, [
      'field-required',
      missingField({ name: 'containerName', holder: formatPath(path), expected }),
    ]);
  }
  checkResource(check, value, path);
}

const amounts = ['cpu', 'memory', 'ephemeral-storage'];
const resources: readonly string[] = ['limits', 'requests'].flatMap((list) => amounts.map((name) => `${list}.${name}`));
const cpuDivisors: readonly string[] = ['1m', '1'];
const divisors: readonly string[] = '1 1k 1M 1G 1T 1P 1E 1Ki 1Mi 1Gi 1Ti 1Pi 1Ei'.split(' ');

function checkResource({ object, findings }: KindCheck, reference: JsonObject, path: Path): void {
  const resource = textAt(reference, 'resource');
  if (resource === undefined) return;
  if (!resources.includes(resource) && !/^(?:limits|requests)\.hugepages-/.test(resource)) {
    const allowed = [...resources, 'limits.hugepages-SIZE', 'requests.hugepages-SIZE'];
    findings.add(object, { path: [...path, 'resource'] }, [
      'field-enum',
      notAllowed({ field: 'resource', found: quote(resource), allowed, word: resource }),
    ]);
    return;
  }
  const divisor = has(reference, 'divisor') ? reference['divisor']! : undefined;
  const amount = divisor === undefined ? undefined : readAmount(divisor);
  const allowed = resource.endsWith('.cpu') ? cpuDivisors : divisors;
  // 0 counts as not set.
  if (amount === undefined || amount.nanos === 0n || allowed.includes(formatQuantity(amount))) return;
  findings.add(object, { path: [...path, 'divisor'] }, [
    'field-enum',
    notAllowed({ field: `divisor of ${quote(resource)}`, found: describeValue(divisor!), allowed, word: undefined }),
  ]);
}

interface FileReference {
  readonly file: JsonObject;
  readonly path: Path;
  readonly pod: PodSite;
}

function checkFile({ object, findings }: KindCheck, { file, path, pod }: FileReference): void {
  const [key, target, volume] = [textAt(file, 'key'), textAt(file, 'path'), textAt(file, 'volumeName')];
  const keyReason = key === undefined ? undefined : checkEnvVarName(key, { relaxed: true });
  if (keyReason !== undefined) {
    findings.add(object, { path: [...path, 'key'] }, ['name-invalid', { what: 'key', text: key!, reason: keyReason }]);
  }
  if (target !== undefined && (target === '' || escapesRoot(target))) {
    const demand = target === '' ? 'must not be empty' : 'must not contain ".."';
    findings.add(object, { path: [...path, 'path'] }, [
      'field-format',
      { field: 'path', demand, found: quote(target) },
    ]);
  }
  if (volume !== undefined) checkFileVolume(volume);

  function checkFileVolume(name: string): void {
    const place = { path: [...path, 'volumeName'] };
    const volumes = volumesOf(pod);
    const found = volumes.get(name);
    const reason = checkDnsLabel(name);
    if (reason !== undefined)
      findings.add(object, place, ['name-invalid', { what: 'volume name', text: name, reason, rule: checkDnsLabel }]);
    else if (found === undefined) {
      findings.add(object, place, ['volume-unknown', { name, known: [...volumes.keys()] }]);
    } else if (
      !has(found, 'emptyDir') &&
      Object.keys(found).some((source) => source !== 'name' && has(found, source))
    ) {
      // A volume without a source is an emptyDir.
      findings.add(object, place, [
        'field-enum',
        { field: 'volumeName', demand: 'must be the name of an emptyDir volume', found: quote(name) },
      ]);
    }
  }
}

// Few pods have such variables, but those that do may have many.
const volumesByPod = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>();

function volumesOf({ spec }: PodSite): ReadonlyMap<string, JsonObject> {
  const known = volumesByPod.get(spec);
  if (known !== undefined) return known;
  const named = listAt(spec, 'volumes').filter(isJsonObject);
  const volumes = new Map(named.map((volume) => [textAt(volume, 'name') ?? '', volume] as const));
  volumesByPod.set(spec, volumes);
  return volumes;
}
