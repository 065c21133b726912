import { quote } from '../../diagnostics/index.ts';
import { has, mappingAt, textAt } from '../../kube/index.ts';
import type { Json } from '../../model/index.ts';
import { checkFormat } from '../../schema/index.ts';
import { decodeBase64 } from '../findings.ts';
import { demandField, refuse, refuseDuplicate, refuseName, refuseNone } from './field-site.ts';
import type { FieldSite } from './field-site.ts';

const largest = 1024 * 1024;

/** ConfigMaps and Secrets. */
export function checkData(site: FieldSite): void {
  const { object, gvk, findings } = site;
  const isSecret = gvk.kind === 'Secret';
  const fields = isSecret ? ['data', 'stringData'] : ['data', 'binaryData'];
  let size = 0;
  const seen = new Map<string, string>();
  for (const field of fields) {
    const entries = mappingAt(object, field);
    if (entries === undefined) continue;
    for (const key in entries) {
      const reason = explainKey(key);
      if (reason !== undefined) refuseName(site, [field, key], { at: 'key', what: 'key', text: key, reason });
      size += countBytes(entries[key], field !== 'stringData' && (isSecret || field === 'binaryData'));
      const first = seen.get(key);
      if (first !== undefined && !isSecret) {
        const duplicate = { first: [first, key], list: 'the ConfigMap', what: `key ${quote(key)}` };
        refuseDuplicate(site, [field, key], { ...duplicate, at: 'key' });
      }
      seen.set(key, field);
    }
  }
  if (size > largest) findings.add(object, { path: ['data'], at: 'key' }, ['data-too-large', { size, limit: largest }]);
  if (isSecret) checkSecretType(site, seen);
}

/** Why a key of a ConfigMap or Secret is not valid. */
export function explainKey(key: string): string | undefined {
  return key === '' ? 'must not be empty' : checkFormat(key, 'data-key');
}

function countBytes(value: Json | undefined, isEncoded: boolean): number {
  if (typeof value !== 'string') return 0;
  if (isEncoded) return Math.floor(value.length / 4) * 3 - (/={0,2}$/.exec(value)?.[0].length ?? 0);
  // An exact count is slow, and few values come near the limit.
  return value.length * 3 > largest ? new TextEncoder().encode(value).length : value.length;
}

const needed: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
]);

/** Types whose entry must not be empty. */
const isFilled = new Set(['kubernetes.io/ssh-auth', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']);

function isEmptyEntry(object: FieldSite['object'], key: string): boolean {
  return ['data', 'stringData'].every((field) => !textAt(mappingAt(object, field), key));
}

/** Registry credentials are JSON. */
function checkLogins(site: FieldSite, key: string): void {
  const plain = textAt(mappingAt(site.object, 'stringData'), key);
  const encoded = textAt(mappingAt(site.object, 'data'), key) ?? '';
  const text = plain ?? decodeBase64(encoded) ?? '';
  const field = plain === undefined ? 'data' : 'stringData';
  if (text !== '' && !isJson(text))
    refuse(site, [field, key], { code: 'field-format', field: quote(key), demand: 'must be valid JSON' });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function checkSecretType(site: FieldSite, keys: ReadonlyMap<string, string>): void {
  const { object, findings } = site;
  const type = textAt(object, 'type') ?? 'Opaque';
  const holder = `the data of a Secret of type ${type}`;
  for (const key of needed.get(type) ?? []) {
    if (keys.has(key) && !(isFilled.has(type) && isEmptyEntry(object, key))) continue;
    demandField({ object, findings, path: ['data'] }, [key], { holder, expected: undefined });
  }
  if (type === 'kubernetes.io/dockerconfigjson') checkLogins(site, '.dockerconfigjson');
  if (type === 'kubernetes.io/dockercfg') checkLogins(site, '.dockercfg');
  if (type === 'kubernetes.io/basic-auth' && !keys.has('username') && !keys.has('password')) {
    const path = [has(object, 'stringData') ? 'stringData' : 'data'];
    refuseNone({ object, findings, path }, { holder, fields: ['username', 'password'] });
  }
  const account = 'kubernetes.io/service-account.name';
  const annotations = mappingAt(mappingAt(object, 'metadata'), 'annotations');
  if (type === 'kubernetes.io/service-account-token' && !textAt(annotations, account)) {
    const place = { object, findings, path: ['metadata', 'annotations'] };
    demandField(place, [account], { holder: 'the annotations of a token Secret', expected: undefined });
  }
}
