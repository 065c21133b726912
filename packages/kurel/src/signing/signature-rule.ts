import type { Location } from '../model/index.ts';
import { isDockerHub, isRegistryHost, readOciReference } from '../registry/index.ts';

/** Somebody who logged in somewhere, as certificates of Sigstore name them. */
export interface Identity {
  /** URL of the service where they logged in. */
  readonly issuer: string;
  /** An e-mail address, or the URL of a workflow. */
  readonly subject: string;
}

/** A signature that packages in registries must have. */
export interface SignatureRule {
  /** `oci://host/path`, `oci://host/path/*` or `oci://*`. */
  readonly match: string;
  /** Files with public keys, or the keys themselves in PEM. */
  readonly keys: readonly string[];
  readonly identities: readonly Identity[];
  /** File with a trusted root, for identities. */
  readonly trustedRoot?: string | undefined;
  readonly location: Location;
}

export function createRule(
  { match, keys = [], identities = [], trustedRoot }: Pick<SignatureRule, 'match'> & Partial<SignatureRule>,
  location: Location,
): SignatureRule {
  return { match, keys, identities, trustedRoot, location };
}

/** Whether a text can be the `match` of a rule. One that is not a repository would never match, and so require nothing. */
export function isRuleMatch(text: string): boolean {
  if (text === 'oci://*') return true;
  const repository = readOciReference(text.replace(/\/\*$/, '/x'));
  return !('reason' in repository) && repository.tag === undefined && repository.digest === undefined;
}

/** Whether a rule is for a repository, `host/path`. All rules that match apply. */
export function isRequired({ match }: Pick<SignatureRule, 'match'>, name: string): boolean {
  const wanted = match.slice('oci://'.length);
  if (wanted === '*') return true;
  if (!wanted.endsWith('/*')) return normalizeRepository(wanted) === normalizeRepository(name);
  return normalizeRepository(name).startsWith(normalizeRepository(wanted.slice(0, -1)));
}

/** With the host as requests are sent to it; a rule for a host must not be evaded by another spelling, such as `HOST:0443`. */
export function normalizeRepository(name: string): string {
  const slash = name.indexOf('/');
  const host = spellHost(slash === -1 ? name : name.slice(0, slash));
  return `${isDockerHub(host) ? 'docker.io' : host}${slash === -1 ? '' : name.slice(slash)}`;
}

/** In lower case, without the default port, with one notation for each address. */
function spellHost(written: string): string {
  const url = `https://${written}`;
  return isRegistryHost(written) && URL.canParse(url) ? new URL(url).host : written.toLowerCase();
}
