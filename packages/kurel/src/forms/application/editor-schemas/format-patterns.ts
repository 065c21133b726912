import type { TextFormat } from '../../../schema/index.ts';

export interface FormatPattern {
  /** Matches every valid string, and few others. */
  readonly pattern: string;
  /** The message of an editor for a string that does not match. */
  readonly demand: string;
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(?:\\.${label})*`;
const anyCase = '[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?';
const qualifiedName = '[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const decimal = '(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)';
const positive = '(?:[0-9]*[1-9][0-9]*(?:\\.[0-9]*)?|[0-9]*\\.[0-9]*[1-9][0-9]*)';
const zero = '(?:0+(?:\\.0*)?|\\.0+)';
const unit = '(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)';
const number = '(?:0|[1-9][0-9]*)';
const suffix = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const unpadded = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const pathPart = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const host = `(?:${anyCase}(?:\\.${anyCase})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const fileName = '(?:[^/.\\\\][^/\\\\]*|\\.[^/.\\\\][^/\\\\]*|\\.\\.[^/\\\\]+)';
const cronField = '[0-9A-Za-z*?,/-]+';
const digest = '(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})';

/** The checks of formats that editors can do; they cannot check lengths or amounts beyond these. */
export const formatPatterns: Readonly<Record<TextFormat, FormatPattern>> = {
  'dns-label': {
    pattern: '^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$',
    demand: 'must contain only lower-case letters, digits and "-", and begin and end with a letter or digit',
  },
  'dns-subdomain': {
    pattern: `^${subdomain}$`,
    demand: 'must contain only lower-case letters, digits, "-" and ".", with a letter or digit around each dot',
  },
  'label-key': {
    pattern: `^(?:${subdomain}/)?${qualifiedName}$`,
    demand: 'must be a label key, such as app or example.com/app',
  },
  'label-value': {
    pattern: `^(?:${qualifiedName})?$`,
    demand: 'must contain only letters, digits, "-", "_" and ".", and begin and end with a letter or digit',
  },
  'annotation-key': {
    pattern: `^(?:${anyCase}(?:\\.${anyCase})*/)?${qualifiedName}$`,
    demand: 'must be an annotation key, such as example.com/team',
  },
  identifier: {
    pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$',
    demand: 'must contain only letters, digits, "_", "-" and ".", and begin with a letter or "_"',
  },
  'path-name': {
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    demand: 'must contain only letters, digits, "-", "_" and ".", and begin with a letter or digit',
  },
  'semantic-version': {
    pattern: `^v?${number}\\.${number}\\.${number}(?:-${unpadded}(?:\\.${unpadded})*)?(?:\\+${suffix})?$`,
    demand: 'must be a semantic version such as 1.2.3',
  },
  kind: {
    pattern: `^(?:${subdomain}/)?[A-Z][A-Za-z0-9]*$`,
    demand: 'must be a kind such as Deployment, or a group and a kind such as apps/Deployment',
  },
  capability: {
    pattern: '^[A-Za-z][A-Za-z_]*$',
    demand: 'must be a Linux capability such as NET_ADMIN, or ALL',
  },
  sysctl: {
    pattern: '^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?(?:[./][a-z0-9](?:[-_a-z0-9]*[a-z0-9])?)+$',
    demand: 'must be a kernel parameter such as net.core.somaxconn, without wildcards',
  },
  'capability-key': {
    pattern: `^${subdomain}$`,
    demand: 'must be a trait, or a trait and a scope such as expose.internal',
  },
  registry: {
    pattern: '^(?:\\[[0-9a-f:]+\\]|[a-z0-9.-]+)(?::[0-9]{1,5})?(?:/[a-z0-9][a-z0-9._-]*)*/?$',
    demand: 'must be a host such as ghcr.io, or a path on one such as ghcr.io/team',
  },
  quantity: {
    pattern: `^(?:\\+?${decimal}|-${zero})(?:[eE][-+]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$`,
    demand: 'must be a quantity such as 500m or 1Gi',
  },
  image: {
    pattern: `^(?:${host}/)?${pathPart}(?:/${pathPart})*(?::${tag})?(?:@${digest})?$`,
    demand: 'must be an image such as ghcr.io/example/web:1.4.0',
  },
  duration: {
    pattern: `^(?:\\+?(?:0|(?:${decimal}${unit})+)|-(?:0|(?:${zero}${unit})+))$`,
    demand: 'must be a duration such as 90s, 10m or 2160h',
  },
  scope: {
    pattern: `^(?:${subdomain})?$`,
    demand: 'must be a scope of the profile, or "" for none',
  },
  'storage-class': {
    pattern: `^(?:${subdomain})?$`,
    demand: 'must be the name of a StorageClass, or "" for none',
  },
  'mount-path': { pattern: '^/[^:]*$', demand: 'must begin with "/" and not contain ":"' },
  'absolute-path': { pattern: '^/', demand: 'must begin with "/"' },
  sha256: { pattern: '^[0-9a-fA-F]{64}$', demand: 'must have 64 hexadecimal digits' },
  'package-path': {
    pattern: `^${fileName}(?:/${fileName})*$`,
    demand: 'must be a relative path in the package, separated by "/"',
  },
  filled: { pattern: '\\S', demand: 'must not be empty' },
  'data-key': {
    pattern: '^\\.?[-_a-zA-Z0-9][-._a-zA-Z0-9]*$',
    demand: 'must contain only letters, digits, "-", "_" and ".", and not begin with ".."',
  },
  'dns-1035-label': {
    pattern: '^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$',
    demand: 'must contain only lower-case letters, digits and "-", begin with a letter and end with a letter or digit',
  },
  'cron-schedule': {
    pattern: `^(?:\\s*${cronField}(?:\\s+${cronField}){4}\\s*|@[a-z]+|@every .*)$`,
    demand: 'must be a schedule such as "0 3 * * *" or @daily',
  },
  'time-zone': {
    pattern: '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$',
    demand: 'must be a time zone such as Europe/Berlin',
  },
  host: { pattern: `^(?:\\*\\.)?${subdomain}$`, demand: 'must be a host such as shop.example.com or *.example.com' },
  'port-name': {
    pattern: '^[a-z0-9](?:[-a-z0-9]{0,13}[a-z0-9])?$',
    demand: 'must have at most 15 lower-case letters, digits and "-"',
  },
  'ingress-class': {
    pattern: `^(?:${subdomain})?$`,
    demand: 'must be the name of an IngressClass, or "" for the default of the cluster',
  },
  group: { pattern: '^[^,]*[^,\\s][^,]*$', demand: 'must be one group, without ","' },
  'chart-url': {
    pattern: `^(?:https?://[^@/?\\s]+(?:[/?]\\S*)?|oci://[^@/\\s]+(?:/${pathPart})+)$`,
    demand: 'must be a URL such as https://charts.example.com or oci://ghcr.io/team/web',
  },
  'registry-url': {
    pattern: `^oci://[^@/\\s]+(?:/${pathPart})+$`,
    demand: 'must be a URL such as oci://ghcr.io/team/web, without a tag or a digest',
  },
  'registry-tag': {
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$',
    demand: 'must be a tag of at most 128 letters, digits, "_", "." and "-"',
  },
  'registry-digest': {
    pattern: '^sha256:[0-9a-f]{64}$',
    demand: 'must be "sha256:" and 64 hexadecimal digits in lower case',
  },
  interval: {
    pattern: `^\\+?(?:${decimal}${unit})*${positive}${unit}(?:${decimal}${unit})*$`,
    demand: 'must be a duration such as 90s, 10m or 1h, longer than 0',
  },
  'artifact-path': {
    pattern: '^[^/\\\\][^\\\\]*$',
    demand: 'must be a relative path in the artifact, such as ./deploy',
  },
  'release-name': {
    pattern: `^${subdomain}$`,
    demand: 'must have at most 53 lower-case letters, digits, "-" and "."',
  },
  'manifest-url': {
    pattern: '^https?://[^@/?\\s]+(?:[/?]\\S*)?$',
    demand: 'must be a URL such as https://example.com/manifests.yaml',
  },
};
