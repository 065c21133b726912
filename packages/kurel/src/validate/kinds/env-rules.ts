import { getOrAdd } from '../../budget/index.ts';
import { describeValue, quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkEnvVarName,
  checkLabelKey,
  formatQuantity,
  has,
  listAt,
  mappingAt,
  presentOf,
  textAt,
} from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { explainKey } from './check-data.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import {
  checkChoice,
  checkName,
  demandField,
  refuse,
  refuseName,
  refuseTogether,
  refuseWord,
  report,
} from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import type { NameArgs } from './problems.ts';
import { readAmount } from './read-amount.ts';
import { escapesRoot } from './reference-rules.ts';

const configMap = sourceOf('ConfigMap');
const secret = sourceOf('Secret');

/** The `valueFrom` of a variable. */
const source: FieldRule = {
  fields: {
    fieldRef: { also: (site) => checkField(site, fieldPaths) },
    resourceFieldRef: { also: checkResource },
    configMapKeyRef: configMap,
    secretKeyRef: secret,
    fileKeyRef: { also: checkFile },
  },
  also: checkChosen,
};

/** The `env` of a container, in one loop because there are many variables. */
export const variables: FieldRule = {
  also: (site) => {
    if (!isJsonArray(site.value)) return;
    site.value.forEach((entry, index) => {
      const name = textAt(entry, 'name');
      if (name !== undefined) checkVariableName(site, [index, 'name'], { what: 'environment variable', text: name });
      const from = mappingAt(entry, 'valueFrom');
      if (from === undefined) return;
      if (textAt(entry, 'value')) {
        const holder = `variable ${quote(name ?? '')}`;
        refuseTogether(site, [index, 'valueFrom'], { holder, fields: ['value', 'valueFrom'] });
      }
      checkFieldRules(site, from, { rule: source, path: [...site.path, index, 'valueFrom'] });
    });
  },
};

/** The `envFrom` of a container. */
export const bulkVariables: FieldRule = {
  items: {
    fields: { configMapRef: configMap, secretRef: secret },
    also: (site) => {
      checkChosen(site);
      const prefix = textAt(site.value, 'prefix') ?? '';
      if (prefix !== '') checkVariableName(site, ['prefix'], { what: 'prefix', text: prefix });
    },
  },
};

function checkVariableName(site: FieldSite, steps: Path, name: Pick<NameArgs, 'what' | 'text'>): void {
  // The relaxed rule is the default from 1.32 on.
  const reason = checkEnvVarName(name.text, { relaxed: site.minor >= 32 });
  if (reason !== undefined) refuseName(site, steps, { ...name, reason });
}

const envSources: readonly string[] = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const bulkSources: readonly string[] = ['configMapRef', 'secretRef'];

/** Exactly one source must be set. */
function checkChosen(site: FieldSite): void {
  if (!isJsonObject(site.value)) return;
  const fields = site.path.at(-1) === 'valueFrom' ? envSources : bulkSources;
  // An unknown field has been reported, and is most likely the misspelled source.
  const isOptional = Object.keys(site.value).some((name) => !fields.includes(name) && name !== 'prefix');
  checkChoice(site, site.value, { fields, isOptional });
}

/** A ConfigMap or Secret, or a key of it. */
function sourceOf(kind: string): FieldRule {
  return {
    also: (site) => {
      if (!isJsonObject(site.value)) return;
      if (!textAt(site.value, 'name')) {
        const holder = String(site.path.at(-1));
        demandField(site, ['name'], { holder, expected: `the name of a ${kind}` });
      }
      checkName(site, 'name', { what: `${kind} name`, rule: checkDnsSubdomain });
      const key = String(site.path.at(-1)).endsWith('KeyRef') ? textAt(site.value, 'key') : undefined;
      const reason = key === undefined ? undefined : explainKey(key);
      if (reason !== undefined) refuseName(site, ['key'], { what: 'key', text: key!, reason });
    },
  };
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

function checkField(site: FieldSite, allowedPaths: readonly string[]): void {
  const { value: reference } = site;
  const version = textAt(reference, 'apiVersion') ?? '';
  if (version !== '' && version !== 'v1') refuseWord(site, ['apiVersion'], { text: version, allowed: ['v1'] });
  const field = textAt(reference, 'fieldPath');
  if (field === undefined || allowedPaths.includes(field) || (field === oldFieldPath && allowedPaths === fieldPaths))
    return;
  const [, list, key] = /^metadata\.(label|annotation)s\['(.+)'\]$/s.exec(field) ?? [];
  if (list === undefined || key === undefined) {
    const allowed = [...allowedPaths, "metadata.labels['KEY']", "metadata.annotations['KEY']"];
    refuseWord(site, ['fieldPath'], { text: field, allowed });
    return;
  }
  const reason = checkLabelKey(list === 'annotation' ? key.toLowerCase() : key);
  if (reason !== undefined)
    report(site, ['fieldPath'], ['label-invalid', { what: list, text: key, of: '"fieldPath"', reason }]);
}

/** The fields that a file in a volume may contain. */
export const volumeField: FieldRule = { also: (site) => checkField(site, volumeFieldPaths) };

export const volumeResource: FieldRule = {
  also: (site) => {
    if (isJsonObject(site.value) && !textAt(site.value, 'containerName'))
      demandField(site, ['containerName'], { expected: 'the name of the container' });
    checkResource(site);
  },
};

const amounts = ['cpu', 'memory', 'ephemeral-storage'];
const resources: readonly string[] = ['limits', 'requests'].flatMap((list) => amounts.map((name) => `${list}.${name}`));
const cpuDivisors: readonly string[] = ['1m', '1'];
const divisors: readonly string[] = '1 1k 1M 1G 1T 1P 1E 1Ki 1Mi 1Gi 1Ti 1Pi 1Ei'.split(' ');

function checkResource(site: FieldSite): void {
  const { value: reference } = site;
  const resource = textAt(reference, 'resource');
  if (resource === undefined) return;
  if (!resources.includes(resource) && !/^(?:limits|requests)\.hugepages-/.test(resource)) {
    const allowed = [...resources, 'limits.hugepages-SIZE', 'requests.hugepages-SIZE'];
    refuseWord(site, ['resource'], { text: resource, allowed });
    return;
  }
  const divisor = (reference as JsonObject)['divisor'] ?? undefined;
  const quantity = readAmount(divisor);
  const allowed = resource.endsWith('.cpu') ? cpuDivisors : divisors;
  // 0 counts as not set.
  if (quantity === undefined || quantity.nanos === 0n || allowed.includes(formatQuantity(quantity))) return;
  refuseWord(site, ['divisor'], { field: `divisor of ${quote(resource)}`, got: describeValue(divisor!), allowed });
}

function checkFile(site: FieldSite): void {
  const { value: file, pod } = site;
  const [key, target, name] = [textAt(file, 'key'), textAt(file, 'path'), textAt(file, 'volumeName')];
  const keyReason = key === undefined ? undefined : checkEnvVarName(key, { relaxed: true });
  if (keyReason !== undefined) refuseName(site, ['key'], { what: 'key', text: key!, reason: keyReason });
  if (target !== undefined && (target === '' || escapesRoot(target))) {
    const demand = target === '' ? 'must not be empty' : 'must not contain ".."';
    refuse(site, ['path'], { code: 'field-format', demand, got: quote(target) });
  }
  if (name === undefined) return;
  const reason = checkDnsLabel(name);
  if (reason !== undefined) {
    refuseName(site, ['volumeName'], { what: 'volume name', text: name, reason, rule: checkDnsLabel });
    return;
  }
  const volumes = volumesOf(pod?.spec ?? {});
  const volume = volumes.get(name);
  if (volume === undefined) {
    report(site, ['volumeName'], ['volume-unknown', { name, candidates: [...volumes.keys()] }]);
    // A volume without a source is an emptyDir.
  } else if (!has(volume, 'emptyDir') && presentOf(volume, Object.keys(volume)).some((source) => source !== 'name'))
    refuse(site, ['volumeName'], { demand: 'must be the name of an emptyDir volume', got: quote(name) });
}

// Few pods have such variables, but those that do may have many.
const volumesByPod = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>();

function volumesOf(spec: JsonObject): ReadonlyMap<string, JsonObject> {
  return getOrAdd(volumesByPod, spec, () => {
    const objects = listAt(spec, 'volumes').filter(isJsonObject);
    return new Map(objects.map((volume) => [textAt(volume, 'name') ?? '', volume] as const));
  });
}
