import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  checkPortName,
  explainImageReference,
  explainSchedule,
  parseDuration,
  parseQuantity,
} from '../../kube/index.ts';

/** Returns the end of a sentence that starts with the string: `must …`. */
export type TextCheck = (text: string) => string | undefined;

const longestVersion = 256;
const longestDataKey = 253;
const longestReleaseName = 53;
const identifier = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const number = '(?:0|[1-9][0-9]*)';
const suffix = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const version = new RegExp(`^v?${number}\\.${number}\\.${number}(?:-(${suffix}))?(?:\\+${suffix})?$`);
const shortVersion = new RegExp(`^v?(${number}(?:\\.${number})?)$`);
const paddedNumber = /^0[0-9]+$/;
const timeZone = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
const address = /^[0-9]+(?:\.[0-9]+){3}$/;
const repositoryUrl =
  /^https?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?(?:[/?].*)?$/;
const registryUrl =
  /^oci:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)+$/;
const registry = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?((?:\/[a-z0-9][a-z0-9._-]*)*)$/;

/** The string formats in kurel's own documents, by name. */
export const textFormats = {
  'dns-label': checkDnsLabel,
  'dns-subdomain': checkDnsSubdomain,
  'label-key': checkLabelKey,
  'label-value': checkLabelValue,
  // Kubernetes allows upper case in the prefix of an annotation.
  'annotation-key': (text) => checkLabelKey(text.toLowerCase()),
  identifier: checkIdentifier,
  'semantic-version': checkVersion,
  'capability-key': checkCapabilityKey,
  registry: checkRegistry,
  kind: checkKind,
  capability: matching(/^[A-Za-z][A-Za-z_]*$/, 'must be a Linux capability such as NET_ADMIN, or ALL'),
  sysctl: checkSysctl,
  quantity: checkQuantity,
  image: explainImageReference,
  duration: checkDuration,
  // An empty string means none.
  scope: checkOptionalName,
  'storage-class': checkOptionalName,
  'mount-path': checkMountPath,
  'absolute-path': matching(/^\//, 'must start with "/"'),
  sha256: matching(/^[0-9a-fA-F]{64}$/, 'must have 64 hexadecimal digits'),
  'package-path': checkPackagePath,
  // Part of a path or of the name of a target.
  'path-name': matching(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'must consist of letters, digits, "-", "_" and ".", and start with a letter or digit',
  ),
  filled: matching(/\S/, 'must not be empty'),
  // Keys of ConfigMaps and Secrets, which become file names.
  'data-key': checkDataKey,
  'dns-1035-label': checkDns1035Label,
  'cron-schedule': checkSchedule,
  'time-zone': checkTimeZone,
  host: checkHost,
  'port-name': checkPortName,
  // An empty string means the default class of the cluster.
  'ingress-class': checkOptionalName,
  group: checkGroup,
  // The URL of a chart repository, or of a chart in a registry.
  'chart-url': (text) => (text.startsWith('oci:') ? checkRegistryUrl(text) : checkRepositoryUrl(text)),
  'registry-url': checkRegistryUrl,
  'registry-tag': matching(/^\w[\w.-]{0,127}$/, 'must be a tag of at most 128 letters, digits, "_", "." and "-"'),
  'registry-digest': matching(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 hexadecimal digits in lower case'),
  interval: checkInterval,
  'artifact-path': checkArtifactPath,
  'release-name': checkReleaseName,
  'manifest-url': checkManifestUrl,
} as const satisfies Readonly<Record<string, TextCheck>>;

export type TextFormat = keyof typeof textFormats;

/** Why the string does not have the format, or `undefined`. */
export function checkFormat(text: string, format: TextFormat): string | undefined {
  return textFormats[format](text);
}

function matching(pattern: RegExp, demand: string): TextCheck {
  return (text) => (pattern.test(text) ? undefined : demand);
}

function checkOptionalName(text: string): string | undefined {
  return text === '' ? undefined : checkDnsSubdomain(text);
}

function checkIdentifier(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  // In objects of JavaScript it is not a name like any other.
  if (text === '__proto__') return 'must not be "__proto__"';
  return identifier.test(text)
    ? undefined
    : 'must consist of letters, digits, "_", "-" and ".", and start with a letter or "_"';
}

function checkVersion(text: string): string | undefined {
  const match = text.length > longestVersion ? null : version.exec(text);
  const isPadded = match?.[1]?.split('.').some((part) => paddedNumber.test(part)) === true;
  if (match !== null && !isPadded) return undefined;
  const parts = shortVersion.exec(text)?.[1]?.split('.').length ?? 3;
  return `must be a semantic version such as ${parts < 3 ? `${text}${'.0'.repeat(3 - parts)}` : '1.2.3'}`;
}

/** `TRAIT` or `TRAIT.SCOPE`, where the scope becomes part of names. */
function checkCapabilityKey(text: string): string | undefined {
  return checkDnsSubdomain(text) === undefined
    ? undefined
    : 'must be a trait, or a trait and a scope such as expose.internal';
}

/** A kind, or a group and a kind. */
function checkKind(text: string): string | undefined {
  const [kind = '', group] = text.split('/').toReversed();
  const isKind = /^[A-Z][A-Za-z0-9]*$/.test(kind) && (text.match(/\//g) ?? []).length < 2;
  return isKind && (group === undefined || checkDnsSubdomain(group) === undefined)
    ? undefined
    : 'must be a kind such as Deployment, or a group and a kind such as apps/Deployment';
}

/** A registry host as in image names, and a path below it. */
function checkRegistry(text: string): string | undefined {
  if (text.includes('://')) return 'must be a host such as ghcr.io, without "https://" or another scheme';
  if (text.includes('*')) return 'must be a host such as ghcr.io or a path below one, without wildcards';
  const [, host = '', port = '', path = ''] = registry.exec(text.replace(/\/$/, '')) ?? [];
  const isHost = host.startsWith('[') || checkDnsSubdomain(host) === undefined;
  if (!isHost) return 'must be a host such as ghcr.io, or a path below one such as ghcr.io/team';
  if (host.includes('.') || host.startsWith('[') || port !== '' || host === 'localhost') return undefined;
  return `must start with a host: images without one come from docker.io, as in docker.io/${host}${path}`;
}

/** Kubernetes separates the parts with dots or slashes. */
function checkSysctl(text: string): string | undefined {
  const isName = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?(?:[./][a-z0-9](?:[-_a-z0-9]*[a-z0-9])?)+$/.test(text);
  return isName ? undefined : 'must be a kernel parameter such as net.core.somaxconn, without wildcards';
}

function checkQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return 'must be a quantity such as 500m or 1Gi';
  return quantity.nanos < 0n ? 'must not be negative' : undefined;
}

function checkDuration(text: string): string | undefined {
  const duration = parseDuration(text);
  if (duration === undefined) return 'must be a duration such as 90s, 10m or 2160h';
  return duration < 0n ? 'must not be negative' : undefined;
}

function checkMountPath(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must start with "/"';
  return text.includes(':') ? 'must not contain ":"' : undefined;
}

function checkSchedule(text: string): string | undefined {
  const reason = explainSchedule(text);
  return reason === undefined ? undefined : `is not valid: ${reason}`;
}

function checkTimeZone(text: string): string | undefined {
  if (/^local$/i.test(text)) return 'must be the name of a time zone, because the local one differs between machines';
  return timeZone.test(text) ? undefined : 'must be the name of a time zone such as Europe/Berlin';
}

function checkDataKey(text: string): string | undefined {
  if (text.length > longestDataKey) return `must have at most ${longestDataKey} characters, not ${text.length}`;
  if (!/^[-._a-zA-Z0-9]+$/.test(text)) return 'must consist of letters, digits, "-", "_" and "."';
  return text === '.' || text.startsWith('..') ? 'must not be "." or start with ".."' : undefined;
}

/** A DNS name, or a wildcard for all names below one. */
function checkHost(text: string): string | undefined {
  if (text.includes('://')) return 'must be a host such as shop.example.com, without "https://" or another scheme';
  if (address.test(text)) return 'must be a name such as shop.example.com, not an address';
  const reason = checkDnsSubdomain(text.startsWith('*.') ? text.slice(2) : text);
  return reason !== undefined && text.includes('*')
    ? 'must have "*" only as its complete first part, as in *.example.com'
    : reason;
}

/** Groups are written to a comma-separated list, so a comma in a group would admit two others. */
function checkGroup(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  return text.includes(',') ? 'must not contain ","; write one group per item' : undefined;
}

/** A path inside the package that cannot point outside it. */
function checkPackagePath(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (text.startsWith('/') || text.includes('\\')) return 'must be a path inside the package, with "/"';
  const parts = text.split('/');
  return parts.some((part) => part === '' || part === '.' || part === '..')
    ? 'must not contain empty parts, "." or ".."'
    : undefined;
}

function checkRepositoryUrl(text: string): string | undefined {
  if (!/^https?:\/\//.test(text)) return 'must start with https://, http:// or oci://';
  if (hasUser(text)) return 'must not contain a user or a password';
  if (/[\s\\\p{Cc}#]/u.test(text)) return 'must not contain spaces, "\\" or "#"';
  return repositoryUrl.test(text) ? undefined : 'must have a host after "//", as in https://charts.example.com';
}

/** A repository in a registry; the version is in a separate field. */
function checkRegistryUrl(text: string): string | undefined {
  const rest = text.startsWith('oci://') ? text.slice('oci://'.length) : undefined;
  if (rest === undefined) return 'must start with oci://';
  if (hasUser(text)) return 'must not contain a user or a password';
  if (registryUrl.test(text)) return undefined;
  if (/\/[^/]*[:@]/.test(rest)) return 'must not contain a tag or a digest; set "version" instead';
  return 'must be a host and a path in lower case, such as oci://ghcr.io/team/web';
}

function hasUser(url: string): boolean {
  const [authority = ''] = url.slice(url.indexOf('://') + '://'.length).split(/[/?#]/, 1);
  return authority.includes('@');
}

/** An interval that Flux accepts; with 0 it would reconcile constantly. */
function checkInterval(text: string): string | undefined {
  const duration = parseDuration(text);
  if (duration === undefined) return 'must be a duration such as 90s, 10m or 1h';
  const isWhole = duration > 0n && duration % 1_000_000n === 0n;
  return isWhole ? undefined : 'must be longer than 0, in whole milliseconds';
}

/** A directory in an artifact that is unpacked elsewhere: `./` is all of it. */
function checkArtifactPath(text: string): string | undefined {
  if (text === '') return 'must not be empty; use "./" for the whole artifact';
  if (text.startsWith('/') || text.includes('\\')) return 'must be a path inside the artifact, such as ./deploy';
  return text.split('/').includes('..') ? 'must not contain ".."' : undefined;
}

/** A release name that helm accepts. */
function checkReleaseName(text: string): string | undefined {
  if (text.length > longestReleaseName) return `must have at most ${longestReleaseName} characters, not ${text.length}`;
  return checkDnsSubdomain(text);
}

/** The URL of a file with manifests. */
function checkManifestUrl(text: string): string | undefined {
  if (text.startsWith('oci://'))
    return 'must start with https:// or http://; for an artifact in a registry, use a component of type "oci"';
  return /^https?:\/\//.test(text) ? checkRepositoryUrl(text) : 'must start with https:// or http://';
}
