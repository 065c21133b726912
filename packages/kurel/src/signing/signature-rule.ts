import type { Location } from '../model/index.ts';
import { readOciReference } from '../registry/index.ts';
import type { Identity } from './check-signature.ts';
import { normalise } from './repository-name.ts';

/** A signature that packages in registries must have. */
export interface SignatureRule {
  /** `oci://host/path`, `oci://host/path/*` or `oci://*`. */
  readonly match: string;
  /** Files with public keys, or the keys themselves in PEM. */
  readonly keys: readonly string[];
  readonly identities: readonly Identity[];
  /** File with a trusted root, for identities. */
  readonly trustedRoot?: string | undefined;
  /** The rule in its file. */
  readonly location: Location;
}

/** A rule as a document has it. */
interface WrittenRule extends Pick<SignatureRule, 'match' | 'trustedRoot'> {
  readonly keys?: readonly string[] | undefined;
  readonly identities?: readonly Identity[] | undefined;
}

export function createRule(
  { match, keys = [], identities = [], trustedRoot }: WrittenRule,
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
  if (!wanted.endsWith('/*')) return normalise(wanted) === normalise(name);
  return normalise(name).startsWith(normalise(wanted.slice(0, -1)));
}
