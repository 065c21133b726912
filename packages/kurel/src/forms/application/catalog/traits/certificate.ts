import { defineProblems, nearest, quote } from '../../../../diagnostics/index.ts';
import { formatDuration, mappingAt, parseDuration, textAt } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { JsonObject } from '../../../../model/index.ts';
import { notAllowed, valueProblems } from '../../../../schema/index.ts';
import type { Field } from '../../documents/field.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { filled } from '../filled.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'certificate-renewal': {
    severity: 'error',
    summary: 'A certificate would be renewed before it is made.',
    message: ({ renewBefore, duration }: { renewBefore: string; duration: string }) =>
      `"renewBefore" is ${renewBefore}, which is not less than the "duration" ${duration}`,
    hint: () => 'a certificate is renewed that long before it ends',
  },
  'certificate-issuer-null': {
    severity: 'error',
    summary: 'The issuer of a certificate is null, which takes away that of the platform.',
    message: () => '"issuerRef" is null, so that nothing says who signs the certificate',
    hint: () => 'give it a value, or take the line out to have the issuer of the platform',
  },
  'certificate-key-size': {
    severity: 'error',
    summary: 'The size of a private key does not go with its algorithm.',
    message: ({ size, algorithm }: { size: number; algorithm: string | undefined }) =>
      algorithm === undefined
        ? `a private key of size ${size} needs an "algorithm"`
        : `a private key of algorithm ${algorithm} cannot have the size ${size}`,
    hint: ({ sizes }: { sizes: readonly number[] }) => (sizes.length === 0 ? undefined : `sizes: ${sizes.join(', ')}`),
  },
});

const usualRenewal = 360n * 3_600_000_000_000n;

const issuerRef = {
  type: 'object',
  description: 'who signs the certificate',
  properties: {
    name: { type: 'string', description: 'name of the issuer', required: true, format: 'filled' },
    kind: {
      type: 'string',
      description: 'kind of the issuer: Issuer or ClusterIssuer, unless it is of another API group',
      default: 'ClusterIssuer',
      format: 'filled',
    },
    group: { type: 'string', description: 'API group of the issuer, when it is not of cert-manager' },
  },
} as const satisfies Field;

const properties = {
  secretName: {
    type: 'string',
    description: 'Secret that the certificate is put into; also the name of the Certificate',
    required: true,
    format: 'dns-subdomain',
  },
  dnsNames: {
    type: 'array',
    description: 'names that the certificate is for',
    required: true,
    minItems: 1,
    items: { type: 'string', format: 'host' },
  },
  issuerRef: { ...issuerRef, description: 'who signs the certificate; the platform says it unless given' },
  duration: { type: 'string', description: 'how long it is valid', format: 'duration', default: '2160h' },
  renewBefore: {
    type: 'string',
    description: 'how long before its end it is renewed; 360h unless given, or a third of a short duration',
    format: 'duration',
  },
  commonName: { type: 'string', description: 'common name of the certificate', format: 'filled' },
  usages: {
    type: 'array',
    description: 'what the key may be used for, as cert-manager has it',
    kubernetes: ['cert-manager.io/v1', 'Certificate', 'spec', 'usages'],
  },
  privateKey: {
    type: 'object',
    description: 'the key of the certificate',
    properties: {
      algorithm: { type: 'string', description: 'kind of key', enum: ['RSA', 'ECDSA', 'Ed25519'] },
      size: { type: 'integer', description: 'bits of the key', minimum: 1 },
      encoding: { type: 'string', description: 'how the key is written', enum: ['PKCS1', 'PKCS8'] },
      rotationPolicy: {
        type: 'string',
        description: 'whether each certificate has a new key',
        enum: ['Never', 'Always'],
      },
    },
  },
  scope,
} as const;

export const certificate = defineTrait({
  type: 'certificate',
  summary: 'A certificate of cert-manager, signed by the issuer that the platform names.',
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
    // What is usual does not fit short certificates, which are renewed when a third of their time is left.
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
    // Only an author who says null can have taken away what the platform says.
    if (asked.issuerRef === undefined) report(problems.create('certificate-issuer-null', {}), ['issuerRef']);
    const { name, kind, group } = asked.issuerRef ?? { name: '', kind: '' };
    const certificate = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: asked.secretName },
      spec: given({
        secretName: asked.secretName,
        commonName: asked.commonName,
        dnsNames: asked.dnsNames,
        duration: formatDuration(duration),
        renewBefore: formatDuration(renewBefore),
        usages: filled(asked.usages),
        issuerRef: given({ name, kind, group }),
        privateKey: filled(asked.privateKey),
      }),
    };
    return { objects: [certificate] };
  },
});

const issuerKinds = ['Issuer', 'ClusterIssuer'];

/** cert-manager has two kinds of its own; what other groups have is not known here. */
function checkIssuer(issuer: JsonObject | undefined, report: ReportAt): void {
  const [kind, group = ''] = [textAt(issuer, 'kind'), textAt(issuer, 'group')];
  if (kind === undefined || issuerKinds.includes(kind) || (group !== '' && group !== 'cert-manager.io')) return;
  const args = notAllowed({ field: 'kind', found: quote(kind), allowed: issuerKinds, word: kind });
  const isNear = nearest(kind, issuerKinds) !== undefined;
  const advice = isNear ? args.advice : 'for an issuer of another API group, add its "group"';
  report(valueProblems.create('field-enum', { ...args, advice }), ['issuerRef', 'kind']);
}

const keySizes = { RSA: [2048, 4096, 8192], ECDSA: [256, 384, 521], Ed25519: [] } as const;

function checkKey({ privateKey = {} }: PropertiesOf<typeof properties>, report: ReportAt): void {
  const { algorithm, size } = privateKey;
  if (size === undefined) return;
  const sizes: readonly number[] = algorithm === undefined ? [] : keySizes[algorithm];
  if (sizes.includes(size)) return;
  report(problems.create('certificate-key-size', { size, algorithm, sizes }), ['privateKey', 'size']);
}
