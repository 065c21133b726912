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

/** Gives the end of a sentence that begins with the text: `must …`. */
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

/** The formats of strings in kurel's own documents, by name. */
export const textFormats = {
  'dns-label': checkDnsLabel,
  'dns-subdomain': checkDnsSubdomain,
  'label-key': checkLabelKey,
  'label-value': checkLabelValue,
  // Kubernetes does not mind upper case in the prefix of an annotation.
  'annotation-key': (text) => checkLabelKey(text.toLowerCase()),
  identifier: checkIdentifier,
  'semantic-version': checkVersion,
  'capability-key': checkCapabilityKey,
  registry: checkRegistry,
  kind: checkKind,
  quantity: checkQuantity,
  image: explainImageReference,
  duration: checkDuration,
  // None at all is written as an empty text.
  scope: (text) => (text === '' ? undefined : checkDnsSubdomain(text)),
  'storage-class': (text) => (text === '' ? undefined : checkDnsSubdomain(text)),
  'mount-path': checkMountPath,
  'absolute-path': (text) => (text.startsWith('/') ? undefined : 'must begin with "/"'),
  sha256: (text) => (/^[0-9a-fA-F]{64}$/.test(text) ? undefined : 'must have 64 hexadecimal digits'),
  'package-path': checkPackagePath,
  filled: (text) => (text.trim() === '' ? 'must not be empty' : undefined),
  // Keys of ConfigMaps and Secrets, which become names of files.
  'data-key': checkDataKey,
  'dns-1035-label': checkDns1035Label,
  'cron-schedule': checkSchedule,
  'time-zone': checkTimeZone,
  host: checkHost,
  'port-name': checkPortName,
  // That of the cluster is written as an empty text.
  'ingress-class': (text) => (text === '' ? undefined : checkDnsSubdomain(text)),
  group: checkGroup,
  // Of a chart repository, or of a chart in a registry.
  'chart-url': (text) => (text.startsWith('oci:') ? checkRegistryUrl(text) : checkRepositoryUrl(text)),
  'registry-url': checkRegistryUrl,
  interval: checkInterval,
  'artifact-path': checkArtifactPath,
  'release-name': checkReleaseName,
  'manifest-url': checkManifestUrl,
} as const satisfies Readonly<Record<string, TextCheck>>;

export type TextFormat = keyof typeof textFormats;

/** Why the text is not of the format, or `undefined`. */
export function checkFormat(text: string, format: TextFormat): string | undefined {
  return textFormats[format](text);
}

function checkIdentifier(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  return identifier.test(text)
    ? undefined
    : 'must have only letters, digits, "_", "-" and ".", and begin with a letter or "_"';
}

function checkVersion(text: string): string | undefined {
  const match = text.length > longestVersion ? null : version.exec(text);
  const isPadded = match?.[1]?.split('.').some((part) => paddedNumber.test(part)) === true;
  if (match !== null && !isPadded) return undefined;
  const parts = shortVersion.exec(text)?.[1]?.split('.').length ?? 3;
  return `must be a semantic version such as ${parts < 3 ? `${text}${'.0'.repeat(3 - parts)}` : '1.2.3'}`;
}

/** `TRAIT` or `TRAIT.SCOPE`, where the scope becomes a part of names. */
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

/** A host that an image can name, and a path below it. */
function checkRegistry(text: string): string | undefined {
  if (text.includes('://')) return 'must be a host such as ghcr.io, without "https://" or another scheme';
  if (text.includes('*')) return 'must be a host such as ghcr.io or a path below one; there are no wildcards';
  const [, host = '', port = '', path = ''] = registry.exec(text.replace(/\/$/, '')) ?? [];
  const isHost = host.startsWith('[') || checkDnsSubdomain(host) === undefined;
  if (!isHost) return 'must be a host such as ghcr.io, or a path below one such as ghcr.io/team';
  if (host.includes('.') || host.startsWith('[') || port !== '' || host === 'localhost') return undefined;
  return `must begin with a host: images without one come from docker.io, as in docker.io/${host}${path}`;
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
  if (!text.startsWith('/')) return 'must begin with "/"';
  return text.includes(':') ? 'must not contain ":"' : undefined;
}

function checkSchedule(text: string): string | undefined {
  const reason = explainSchedule(text);
  return reason === undefined ? undefined : `is refused: ${reason}`;
}

function checkTimeZone(text: string): string | undefined {
  if (/^local$/i.test(text)) return 'must name a time zone: each machine has another one of its own';
  return timeZone.test(text) ? undefined : 'must be the name of a time zone such as Europe/Berlin';
}

function checkDataKey(text: string): string | undefined {
  if (text.length > longestDataKey) return `must have at most ${longestDataKey} characters, and has ${text.length}`;
  if (!/^[-._a-zA-Z0-9]+$/.test(text)) return 'must have only letters, digits, "-", "_" and "."';
  return text === '.' || text.startsWith('..') ? 'must not be "." and not begin with ".."' : undefined;
}

/** A name in DNS, or all names below one. */
function checkHost(text: string): string | undefined {
  if (text.includes('://')) return 'must be a host such as shop.example.com, without "https://" or another scheme';
  if (address.test(text)) return 'must be a name such as shop.example.com, not an address';
  const reason = checkDnsSubdomain(text.startsWith('*.') ? text.slice(2) : text);
  return reason !== undefined && text.includes('*')
    ? 'must have "*" only as the whole of its first part, as in *.example.com'
    : reason;
}

/** Groups are put into a list that commas divide: one in a group would let in two others. */
function checkGroup(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  return text.includes(',') ? 'must not contain ","; write one group in each item' : undefined;
}

/** A path below the package: nothing can lead out of it. */
function checkPackagePath(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (text.startsWith('/') || text.includes('\\')) return 'must be a path below the package, with "/"';
  const parts = text.split('/');
  return parts.some((part) => part === '' || part === '.' || part === '..')
    ? 'must not have empty parts, "." or ".."'
    : undefined;
}

function checkRepositoryUrl(text: string): string | undefined {
  if (!/^https?:\/\//.test(text)) return 'must begin with https://, http:// or oci://';
  if (hasUser(text)) return 'must not have a user or a password in it';
  if (/[\s\\\p{Cc}#]/u.test(text)) return 'must not have spaces, "\\" or "#" in it';
  return repositoryUrl.test(text) ? undefined : 'must have a host behind the "//", as in https://charts.example.com';
}

/** A place in a registry; which version of what is there is said elsewhere. */
function checkRegistryUrl(text: string): string | undefined {
  const rest = text.startsWith('oci://') ? text.slice('oci://'.length) : undefined;
  if (rest === undefined) return 'must begin with oci://';
  if (hasUser(text)) return 'must not have a user or a password in it';
  if (registryUrl.test(text)) return undefined;
  if (/\/[^/]*[:@]/.test(rest)) return 'must not have a tag or a digest in it: "version" says which is meant';
  return 'must be a host and a path in small letters, such as oci://ghcr.io/team/web';
}

function hasUser(url: string): boolean {
  const [authority = ''] = url.slice(url.indexOf('://') + '://'.length).split(/[/?#]/, 1);
  return authority.includes('@');
}

/** What Flux takes for one; none at all would have it look all the time. */
function checkInterval(text: string): string | undefined {
  const duration = parseDuration(text);
  if (duration === undefined) return 'must be a duration such as 90s, 10m or 1h';
  const isWhole = duration > 0n && duration % 1_000_000n === 0n;
  return isWhole ? undefined : 'must be longer than 0, in whole milliseconds';
}

/** A directory in something that is unpacked elsewhere: `./` is all of it. */
function checkArtifactPath(text: string): string | undefined {
  if (text === '') return 'must not be empty; "./" is the whole artifact';
  if (text.startsWith('/') || text.includes('\\')) return 'must be a path below the artifact, such as ./deploy';
  return text.split('/').includes('..') ? 'must not have ".." in it' : undefined;
}

/** What helm takes for one. */
function checkReleaseName(text: string): string | undefined {
  if (text.length > longestReleaseName)
    return `must have at most ${longestReleaseName} characters, and has ${text.length}`;
  return checkDnsSubdomain(text);
}

/** Where a file with manifests stands. */
function checkManifestUrl(text: string): string | undefined {
  if (text.startsWith('oci://'))
    return 'must begin with https:// or http://; what is in a registry is for a component of type "oci"';
  return /^https?:\/\//.test(text) ? checkRepositoryUrl(text) : 'must begin with https:// or http://';
}
