import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  parseQuantity,
} from '../../../kube/index.ts';

/** Gives the end of a sentence that begins with the text: `must …`. */
type Check = (text: string) => string | undefined;

const longestVersion = 256;
const identifier = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const number = '(?:0|[1-9][0-9]*)';
const suffix = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const version = new RegExp(`^v?${number}\\.${number}\\.${number}(?:-(${suffix}))?(?:\\+${suffix})?$`);
const paddedNumber = /^0[0-9]+$/;
const registry = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?((?:\/[a-z0-9][a-z0-9._-]*)*)$/;

/** The shapes of texts, by name. */
const formats = {
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
  quantity: checkQuantity,
  filled: (text) => (text.trim() === '' ? 'must not be empty' : undefined),
} as const satisfies Readonly<Record<string, Check>>;

export type Format = keyof typeof formats;

/** Why the text is not of the format, or `undefined`. */
export function checkFormat(text: string, format: Format): string | undefined {
  return formats[format](text);
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
  return match === null || isPadded ? 'must be a semantic version such as 1.2.3' : undefined;
}

/** `TRAIT` or `TRAIT.SCOPE`, where the scope becomes a part of names. */
function checkCapabilityKey(text: string): string | undefined {
  return checkDnsSubdomain(text) === undefined
    ? undefined
    : 'must be a trait, or a trait and a scope such as expose.internal';
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
