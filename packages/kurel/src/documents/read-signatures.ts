import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { isRuleMatch } from '../signing/index.ts';
import type { Field, ValueOf } from './field.ts';
import type { DocumentFindings } from './document-findings.ts';
import { itemsAt } from './located-data.ts';
import { documentProblems } from './problems.ts';

const filled = { type: 'string', format: 'filled' } as const;

/** Signatures that packages in registries must have, in a profile or a fleet file. */
export const signatures = {
  type: 'array',
  description: 'Signatures that packages in registries must have. All rules that match a package apply.',
  items: {
    type: 'object',
    properties: {
      match: {
        ...filled,
        description: 'Packages that the rule is for: oci://HOST/PATH, all below it with /*, or oci://* for all.',
        required: true,
      },
      keys: {
        type: 'array',
        description: 'Public keys, each a file or a key in PEM. A signature of one of them is enough.',
        items: filled,
      },
      identities: {
        type: 'array',
        description: 'Identities that Sigstore certified. A signature of one of them is enough.',
        items: {
          type: 'object',
          properties: {
            issuer: { ...filled, description: 'URL of the service where the signer logged in.', required: true },
            subject: { ...filled, description: 'Workflow URL or e-mail address of the signer.', required: true },
          },
        },
      },
      trustedRoot: {
        ...filled,
        description: 'File with the trusted root of Sigstore. Required with identities.',
      },
    },
  },
} as const satisfies Field;

export type RequiredSignature = ValueOf<typeof signatures>[number];

/** Rules that a table cannot express. */
export function checkSignatures(document: Json, findings: DocumentFindings): void {
  for (const [index, rule] of itemsAt(document, ['spec', 'signatures']).entries()) {
    if (!isJsonObject(rule)) continue;
    const path = ['spec', 'signatures', index];
    const { match, keys, identities, trustedRoot } = rule;
    if (typeof match === 'string' && match !== '' && !isRuleMatch(match)) {
      findings.add([...path, 'match'], documentProblems.create('signature-match-invalid', { match }));
    }
    // The table reports values that are not lists.
    const [hasKeys, hasIdentities] = [keys, identities].map((list) =>
      isJsonArray(list) ? list.length > 0 : list !== undefined && list !== null,
    );
    if (hasKeys !== true && hasIdentities !== true)
      findings.add(path, documentProblems.create('signature-signer-missing', {}));
    const hasRoot = typeof trustedRoot === 'string';
    if (hasIdentities === true && !hasRoot) {
      findings.add([...path, 'identities'], documentProblems.create('signature-root-missing', {}), 'key');
    }
    if (hasRoot && hasIdentities !== true && hasKeys === true) {
      findings.add([...path, 'trustedRoot'], documentProblems.create('signature-root-unused', {}), 'key');
    }
  }
}
