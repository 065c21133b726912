import type { JsonObject } from '../../model/index.ts';
import { has, mappingAt, textAt } from '../../kube/index.ts';
import type { KindCheck } from './kind-check.ts';
import { quote } from '../../diagnostics/index.ts';
import { missingField } from '../../schema/index.ts';

const largest = 1024 * 1024;

/** ConfigMaps and Secrets. */
export function checkData(check: KindCheck): void {
  const { object, gvk, findings } = check;
  const isSecret = gvk.kind === 'Secret';
  const fields = isSecret ? ['data', 'stringData'] : ['data', 'binaryData'];
  let size = 0;
  const seen = new Map<string, string>();
  for (const field of fields) {
    const entries = mappingAt(object, field);
    if (entries === undefined) continue;
    for (const key in entries) {
      const reason = explainKey(key);
      if (reason !== undefined) {
        findings.add(object, { path: [field, key], at: 'key' }, ['name-invalid', { what: 'key', text: key, reason }]);
      }
      size += countBytes(entries[key], field !== 'stringData' && (isSecret || field === 'binaryData'));
      const first = seen.get(key);
      if (first !== undefined && !isSecret) {
        findings.add(
          object,
          {
            path: [field, key],
            at: 'key',
            related: [{ message: 'the first one is here', object, path: [first, key] }],
          },
          ['list-duplicate', { list: 'the ConfigMap', what: `key ${quote(key)}` }],
        );
      }
      seen.set(key, field);
    }
  }
  if (size > largest) findings.add(object, { path: ['data'], at: 'key' }, ['data-too-large', { size, limit: largest }]);
  if (isSecret) checkSecretType(check, seen);
}

/** Why a key of a ConfigMap or Secret is not valid. */
export function explainKey(key: string): string | undefined {
  if (key === '') return 'must not be empty';
  if (key.length > 253) return `must have at most 253 characters, not ${key.length}`;
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) return 'must consist of letters, digits, "-", "_" and "."';
  return key === '.' || key.startsWith('..') ? 'must not be "." or start with ".."' : undefined;
}

function countBytes(value: JsonObject[string] | undefined, isEncoded: boolean): number {
  if (typeof value !== 'string') return 0;
  if (isEncoded) return Math.floor(value.length / 4) * 3 - (/={0,2}$/.exec(value)?.[0].length ?? 0);
  // An exact count is slow, and few values come near the limit.
  return value.length * 3 > largest ? new TextEncoder().encode(value).length : value.length;
}

const needed: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

/** Types whose entry must not be empty. */
const isFilled = new Set(['kubernetes.io/ssh-auth', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']);

function isEmptyEntry(object: KindCheck['object'], key: string): boolean {
  return ['data', 'stringData'].every((field) => !textAt(mappingAt(object, field), key));
}

/** Registry credentials are JSON. */
function checkLogins({ object, findings }: KindCheck, key: string): void {
  const plain = textAt(mappingAt(object, 'stringData'), key);
  const encoded = textAt(mappingAt(object, 'data'), key);
  const text = plain ?? (encoded === undefined ? undefined : decode(encoded));
  if (text === undefined || text === '' || isJson(text)) return;
  const field = plain === undefined ? 'data' : 'stringData';
  findings.add(object, { path: [field, key] }, ['field-format', { field: quote(key), demand: 'must be valid JSON' }]);
}

function decode(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function checkSecretType(check: KindCheck, keys: ReadonlyMap<string, string>): void {
  const { object, findings } = check;
  const type = textAt(object, 'type') ?? 'Opaque';
  for (const key of needed[type] ?? []) {
    if (keys.has(key) && !(isFilled.has(type) && isEmptyEntry(object, key))) continue;
    findings.add(object, { path: ['data', key] }, [
      'field-required',
      missingField({ name: key, holder: `the data of a Secret of type ${type}`, expected: undefined }),
    ]);
  }
  if (type === 'kubernetes.io/dockerconfigjson') checkLogins(check, '.dockerconfigjson');
  if (type === 'kubernetes.io/dockercfg') checkLogins(check, '.dockercfg');
  if (type === 'kubernetes.io/basic-auth' && !keys.has('username') && !keys.has('password')) {
    findings.add(object, { path: [has(object, 'stringData') ? 'stringData' : 'data'], at: 'key' }, [
      'field-choice-missing',
      { holder: `the data of a Secret of type ${type}`, fields: ['username', 'password'] },
    ]);
  }
  if (type === 'kubernetes.io/service-account-token') {
    const account = textAt(
      mappingAt(mappingAt(object, 'metadata'), 'annotations'),
      'kubernetes.io/service-account.name',
    );
    if (!account) {
      findings.add(object, { path: ['metadata', 'annotations', 'kubernetes.io/service-account.name'] }, [
        'field-required',
        missingField({
          name: 'kubernetes.io/service-account.name',
          holder: 'the annotations of a token Secret',
          expected: undefined,
        }),
      ]);
    }
  }
}
