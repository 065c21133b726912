import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { checkDnsSubdomain, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { fieldName, missingField } from '../../schema/index.ts';
import { checkTemplateMetadata } from './check-metadata.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { namespaceName, objectName } from './reference-rules.ts';
import { labelSelector } from './selector-rules.ts';
import { checkTiny, readAmount, showAmount } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

export function checkClaim(check: KindCheck): void {
  checkClaimSpec(check, check.object['spec'], ['spec']);
}

export function checkClaimTemplates(check: KindCheck): void {
  listAt(mappingAt(check.object, 'spec'), 'volumeClaimTemplates').forEach((claim, index) => {
    const template = claim ?? {};
    if (isJsonObject(template))
      checkClaimSpec(check, template['spec'], ['spec', 'volumeClaimTemplates', index, 'spec']);
  });
}

/** The claim of an ephemeral volume. */
export function checkClaimTemplate({ value, path, ...check }: FieldSite): void {
  if (!isJsonObject(value)) return;
  const metadata = mappingAt(value, 'metadata');
  if (metadata !== undefined) checkTemplateMetadata(check, metadata, [...path, 'metadata']);
  checkClaimSpec(check, value['spec'], [...path, 'spec']);
}

const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

const source: FieldRule = {
  fields: {
    kind: { required: 'the kind of the source' },
    name: { required: 'the name of the source' },
    apiGroup: { text: checkDnsSubdomain, what: 'API group' },
  },
  also: ({ value, path, object, findings }) => {
    const kind = textAt(value, 'kind') ?? '';
    if (textAt(value, 'apiGroup') || kind === 'PersistentVolumeClaim' || kind === '') return;
    const demand = 'must be PersistentVolumeClaim when "apiGroup" is not set';
    findings.add(object, { path: [...path, 'kind'] }, ['field-enum', { field: 'kind', demand, found: `"${kind}"` }]);
  },
};

const claimRules: FieldRule = {
  fields: {
    accessModes: { items: { words: accessModes, emptyIsValue: true } },
    selector: labelSelector,
    volumeMode: { words: ['Filesystem', 'Block'], emptyIsValue: true },
    volumeAttributesClassName: objectName,
    dataSourceRef: { ...source, fields: { ...source.fields, namespace: namespaceName } },
  },
};

/** A claim, or the template of claims in a StatefulSet or an ephemeral volume. */
function checkClaimSpec(check: KindCheck, claim: Json | undefined, path: Path): void {
  const { object, findings } = check;
  const spec = claim ?? {};
  if (!isJsonObject(spec)) return;
  checkFieldRules(check, spec, { rule: claimRules, path });
  checkSources(check, spec, path);
  const holder = path.length === 1 ? 'spec' : `spec of ${fieldName(path.slice(0, -1))}`;
  if (listAt(spec, 'accessModes').length === 0) {
    findings.add(object, { path: [...path, 'accessModes'] }, [
      'field-required',
      missingField({ name: 'accessModes', holder, expected: 'a list' }),
    ]);
  }
  const modes = listAt(spec, 'accessModes');
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) {
    findings.add(object, { path: [...path, 'accessModes'] }, [
      'field-enum',
      { field: 'accessModes', demand: 'may not combine ReadWriteOncePod with other access modes' },
    ]);
  }
  const requests = mappingAt(mappingAt(spec, 'resources'), 'requests');
  const place = { path: [...path, 'resources', 'requests', 'storage'] };
  const size = requests !== undefined && has(requests, 'storage') ? requests['storage']! : undefined;
  const amount = size === undefined ? undefined : readAmount(size);
  if (size === undefined) {
    findings.add(object, place, [
      'field-required',
      missingField({ name: 'resources.requests.storage', holder, expected: 'a quantity such as 1Gi' }),
    ]);
  } else if (amount !== undefined && amount.nanos <= 0n) {
    findings.add(object, place, [
      'field-range',
      { field: 'storage', demand: 'must be greater than 0', found: showAmount(size) },
    ]);
  }
  checkTiny({ object, findings }, { of: 'storage', value: size, ...place });
  const storageClass = textAt(spec, 'storageClassName');
  const reason = storageClass === undefined || storageClass === '' ? undefined : checkDnsSubdomain(storageClass);
  if (reason !== undefined) {
    findings.add(object, { path: [...path, 'storageClassName'] }, [
      'name-invalid',
      { what: 'storage class', text: storageClass!, reason, rule: checkDnsSubdomain },
    ]);
  }
}

/** Both may be set to the same value. The API server drops sources other than claims and snapshots from the older field. */
function checkSources(check: KindCheck, spec: JsonObject, path: Path): void {
  const { object, findings } = check;
  const [old, current] = [mappingAt(spec, 'dataSource'), mappingAt(spec, 'dataSourceRef')];
  if (old === undefined || !isKept(old)) return;
  checkFieldRules(check, old, { rule: source, path: [...path, 'dataSource'] });
  if (current === undefined) return;
  const isSame = ['apiGroup', 'kind', 'name'].every((field) => (old[field] ?? '') === (current[field] ?? ''));
  if (isSame && !textAt(current, 'namespace')) return;
  const args = { holder: '"spec"', fields: ['dataSource', 'dataSourceRef'] };
  findings.add(object, { path: [...path, 'dataSource'], at: 'key' }, ['fields-exclusive', args]);
}

function isKept(source: JsonObject): boolean {
  const group = textAt(source, 'apiGroup') ?? '';
  if (source['kind'] === 'PersistentVolumeClaim') return group === '';
  return source['kind'] === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io';
}
