import { DiagnosticError, isSecretName } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { KubeObject } from '../../model/index.ts';
import { findSecretWords } from '../../provenance/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import { signingProblems } from '../../signing/index.ts';

export function impossible(reason: string, hint?: string): DiagnosticError {
  return new DiagnosticError([signingProblems.create('attestation-impossible', { reason, hint })]);
}

// Shorter values carry no secret, and appear everywhere.
const shortest = 4;

/** Refuses flags whose value ends up in a Secret, because everybody can read an attestation. The value is not quoted. */
export function refuseSecrets(words: readonly string[], rendering: Rendering): void {
  const secrets = [...findSecretWords(rendering), ...rendering.objects.flatMap(secretValues)];
  for (const word of words) {
    const [, flag = '', value = ''] = /^--([^=]+)=([^]*)$/.exec(word) ?? [];
    const equals = value.indexOf('=');
    const [name, content] = [value.slice(0, Math.max(equals, 0)), value.slice(equals + 1)];
    const isNamed = flag.startsWith('set') && isSecretName(name);
    const isUsed = content.length >= shortest && secrets.some((secret) => content.includes(secret));
    if (!isNamed && !isUsed) continue;
    const shown = equals > 0 ? `--${flag} ${name}` : `--${flag}`;
    throw impossible(
      `the value of ${shown} may be a secret`,
      'put it into a values file, of which only the digest is attested',
    );
  }
}

function secretValues(object: KubeObject): readonly string[] {
  if (object.kind !== 'Secret') return [];
  const { data, stringData } = object;
  const plain = isJsonObject(stringData) ? Object.values(stringData) : [];
  const encoded = isJsonObject(data) ? Object.values(data) : [];
  const values = [...plain, ...encoded.map((value) => (typeof value === 'string' ? decode(value) : undefined))];
  return values.filter((value) => typeof value === 'string').filter(({ length }) => length >= shortest);
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
