import { defineProblems, nearest, quote } from '../../../../diagnostics/index.ts';
import { formatDuration, mappingAt, parseDuration, textAt } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { JsonObject } from '../../../../model/index.ts';
import { notAllowed, valueProblems } from '../../../../schema/index.ts';
import type { Field } from '../../../../documents/index.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { defined, filled } from '../present-fields.ts';
import { choiceField, describeMore, scope, textField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'certificate-renewal': {
    summary: 'renewBefore of a certificate is not less than its duration.',
    message: ({ renewBefore, duration }: { renewBefore: string; duration: string }) =>
      `"renewBefore" must be less than "duration" ${duration}, got ${renewBefore}`,
    fix: 'Lower renewBefore or raise duration. The certificate is renewed that long before it expires.',
  },
  'certificate-issuer-null': {
    summary: 'issuerRef of a certificate is null, which removes the issuer of the platform.',
    message: () => '"issuerRef" is null: the certificate has no issuer',
    hint: () => 'set a value, or remove "issuerRef" to use the issuer of the platform',
    fix: 'Remove issuerRef to use the issuer of the profile, or set its name and kind.',
  },
  'certificate-key-size': {
    summary: 'The size of a private key does not match its algorithm.',
    message: ({ size, algorithm }: { size: number; algorithm: string }) =>
      `algorithm ${algorithm} does not support private key size ${size}`,
    hint: ({ sizes }: { sizes: readonly number[] }) =>
      sizes.length === 0 ? undefined : `use one of ${sizes.join(', ')}`,
    fix: 'Use 2048, 4096 or 8192 for RSA, 256, 384 or 521 for ECDSA, and no size for Ed25519.',
  },
}));

const usualRenewal = 360n * 3_600_000_000_000n;

const issuerRef = {
  type: 'object',
  description: 'Issuer that signs the certificate.',
  properties: {
    name: { ...textField('filled', 'Name of the issuer.'), required: true },
    kind: {
      ...textField('filled', 'Kind of the issuer: Issuer or ClusterIssuer, or any kind of another API group.'),
      default: 'ClusterIssuer',
    },
    group: { type: 'string', description: 'API group of the issuer. Defaults to that of cert-manager.' },
  },
} as const satisfies Field;

const properties = {
  name: textField('dns-subdomain', 'Name of the Certificate. Defaults to secretName.'),
  secretName: {
    ...textField(
      'dns-subdomain',
      'Name of the Secret with the certificate. On a platform with Ingress, the expose traits of the component use it for the hosts in "dnsNames"; on one with a Gateway, a listener of the Gateway must reference it.',
    ),
    required: true,
  },
  dnsNames: {
    type: 'array',
    description: 'DNS names of the certificate.',
    required: true,
    minItems: 1,
    items: { type: 'string', format: 'host' },
  },
  issuerRef: describeMore(issuerRef, 'Defaults to the issuer of the platform.'),
  duration: { ...textField('duration', 'Validity period of the certificate.'), default: '2160h' },
  renewBefore: textField(
    'duration',
    'How long before expiry the certificate is renewed. Defaults to 360h, or a third of a short duration.',
  ),
  commonName: textField('filled', 'Common name of the certificate.'),
  usages: {
    type: 'array',
    description: 'Key usages of the certificate.',
    kubernetes: ['cert-manager.io/v1', 'Certificate', 'spec', 'usages'],
  },
  privateKey: {
    type: 'object',
    description: 'Private key of the certificate.',
    relations: [{ fields: ['size'], require: 'algorithm' }],
    properties: {
      algorithm: choiceField(['RSA', 'ECDSA', 'Ed25519'], 'Algorithm of the private key.'),
      size: { type: 'integer', description: 'Size of the private key in bits.', minimum: 1 },
      encoding: choiceField(['PKCS1', 'PKCS8'], 'Encoding of the private key.'),
      rotationPolicy: choiceField(['Never', 'Always'], 'Whether to create a new private key for each renewal.'),
    },
  },
  scope,
} as const;

export const certificate = defineTrait({
  type: 'certificate',
  summary: 'cert-manager Certificate, signed by the issuer of the platform.',
  capability: {
    isNeeded: ({ issuerRef: own }) => !isJsonObject(own) || !Object.hasOwn(own, 'name'),
    rendering: { issuerRef: { ...issuerRef, required: true } },
    check: (rendering, report) => checkIssuer(mappingAt(rendering, 'issuerRef'), report),
    example: 'certificate:\n  rendering:\n    issuerRef:\n      name: letsencrypt',
  },
  properties,
  problems,
  render({ properties: asked, report }) {
    checkKey(asked, report);
    checkIssuer(asked.issuerRef, report);
    const duration = parseDuration(asked.duration) ?? 0n;
    // The default is too long for short-lived certificates, which are renewed when a third of their time is left.
    const renewBefore =
      asked.renewBefore === undefined
        ? duration > usualRenewal
          ? usualRenewal
          : duration / 3n
        : (parseDuration(asked.renewBefore) ?? 0n);
    if (renewBefore >= duration) {
      const args = { renewBefore: asked.renewBefore ?? '', duration: asked.duration };
      report(problems.create('certificate-renewal', args), ['renewBefore']);
    }
    // The platform always sets an issuer, so only a null of the author can remove it.
    if (asked.issuerRef === undefined) report(problems.create('certificate-issuer-null', {}), ['issuerRef']);
    const { name, kind, group } = asked.issuerRef ?? { name: '', kind: '' };
    const certificate = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: asked.name ?? asked.secretName },
      spec: defined({
        secretName: asked.secretName,
        commonName: asked.commonName,
        dnsNames: asked.dnsNames,
        duration: formatDuration(duration),
        renewBefore: formatDuration(renewBefore),
        usages: filled(asked.usages),
        issuerRef: defined({ name, kind, group }),
        privateKey: filled(asked.privateKey),
      }),
    };
    return { objects: [certificate] };
  },
});

const issuerKinds = ['Issuer', 'ClusterIssuer'];

/** cert-manager has two kinds of issuers; those of other groups are unknown here. */
function checkIssuer(issuer: JsonObject | undefined, report: ReportAt): void {
  const [kind, group = ''] = [textAt(issuer, 'kind'), textAt(issuer, 'group')];
  if (kind === undefined || issuerKinds.includes(kind) || (group !== '' && group !== 'cert-manager.io')) return;
  const args = notAllowed({ field: 'kind', found: quote(kind), allowed: issuerKinds, word: kind });
  const isNear = nearest(kind, issuerKinds) !== undefined;
  const advice = isNear ? args.advice : 'for an issuer of another API group, add "group"';
  report(valueProblems.create('field-enum', { ...args, advice }), ['issuerRef', 'kind']);
}

const keySizes = { RSA: [2048, 4096, 8192], ECDSA: [256, 384, 521], Ed25519: [] } as const;

function checkKey({ privateKey = {} }: PropertiesOf<typeof properties>, report: ReportAt): void {
  const { algorithm, size } = privateKey;
  if (size === undefined || algorithm === undefined) return;
  const sizes: readonly number[] = keySizes[algorithm];
  if (sizes.includes(size)) return;
  report(problems.create('certificate-key-size', { size, algorithm, sizes }), ['privateKey', 'size']);
}
