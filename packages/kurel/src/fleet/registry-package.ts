import { compareVersions, isInRange, parseRange, parseVersion, readOciReference } from '../registry/index.ts';
import type { Version } from '../registry/index.ts';
import type { Path } from '../model/index.ts';
import type { FleetContext, RegistryPackage } from './fleet.ts';

export function isInRegistry(text: string): boolean {
  return text.startsWith('oci://');
}

/** The last part of its repository. */
export function nameOfPackage({ url }: Pick<RegistryPackage, 'url'>): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** The reference as in the fleet file. */
export function showPackage({ url, tag, digest }: RegistryPackage): string {
  return `${url}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** Absent if it may be another package tomorrow, or is not known yet. */
export function digestOfPackage({ digest, locked }: RegistryPackage): string | undefined {
  return digest ?? locked?.digest;
}

/** The reference to build. That of a range without a digest is not complete. */
export function referenceTo(registered: RegistryPackage): string {
  const { url, tag } = registered;
  const digest = digestOfPackage(registered);
  if (digest !== undefined) return `${url}@${digest}`;
  return tag === undefined ? url : `${url}:${tag}`;
}

interface Reading extends Pick<FleetContext, 'locate' | 'report'> {
  readonly target: string;
  readonly version: string | undefined;
  /** The entries of the settings. */
  readonly places: { readonly package: Path; readonly version: Path };
}

/** Reads a reference and its version; `undefined` if they are not valid, which is reported. */
export function readRegistryPackage(
  text: string,
  { version, target, report, locate, places }: Reading,
): RegistryPackage | undefined {
  const reference = readOciReference(text);
  if ('reason' in reference) {
    const args = { setting: 'package', reference: text, target, reason: reference.reason } as const;
    report('fleet-reference-invalid', args, places.package);
    return undefined;
  }
  const { host, path, tag, digest } = reference;
  const url = `oci://${host}/${path}`;
  const pin = digest ?? tag;
  if (version === undefined) {
    if (pin !== undefined) return { url, tag, digest };
    report('fleet-version-missing', { reference: text, target }, places.package);
    return undefined;
  }
  const isRange = parseRange(version) !== undefined;
  if (!isRange) report('fleet-version-invalid', { version }, places.version);
  if (pin !== undefined) {
    const related = [{ message: 'the package is here', location: locate(places.package) }];
    const noun = digest === undefined ? 'tag' : 'digest';
    report('fleet-version-conflict', { noun, pin, url, version }, places.version, { related });
  }
  return isRange && pin === undefined ? { url, range: version } : undefined;
}

/** Why `kurel fleet push` could not push to an artifact. The tag is that of the command. */
export function findArtifactProblem(text: string): string | undefined {
  const reference = readOciReference(text);
  if ('reason' in reference) return reference.reason;
  const hasVersion = reference.tag !== undefined || reference.digest !== undefined;
  return hasVersion ? 'it must not have a tag or digest' : undefined;
}

/** Tags such as `1` and `1.2` move from version to version, so they are not versions themselves. */
const complete = /^v?(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-+]|$)/;

/** The tag of the newest version in a range, and the newest version of all. Pre-releases match only a range that contains one. */
export function chooseTag(
  tags: readonly string[],
  range: string,
): Readonly<Record<'chosen' | 'newest', string | undefined>> {
  const versions = tags
    .flatMap((tag) => readTag(tag))
    // Of versions that differ only in their build metadata, the last one.
    .toSorted((a, b) => compareVersions(b.parsed, a.parsed) || (a.tag < b.tag ? 1 : -1));
  const parsed = parseRange(range) ?? [];
  const chosen =
    versions.find(({ version }) => version === range) ??
    versions.find((candidate) => isInRange(candidate.parsed, parsed));
  return { chosen: chosen?.tag, newest: versions[0]?.version };
}

/** The version that a tag is; `undefined` for other tags. */
export function versionOfTag(tag: string): string | undefined {
  return readTag(tag)[0]?.version;
}

interface VersionTag {
  readonly tag: string;
  readonly version: string;
  readonly parsed: Version;
}

/** A tag that is a version, if it is one. Tags cannot contain `+`, so that it is written as `_`. */
function readTag(tag: string): readonly VersionTag[] {
  const version = tag.replaceAll('_', '+');
  const parsed = complete.test(version) ? parseVersion(version) : undefined;
  return parsed === undefined ? [] : [{ tag, version, parsed }];
}
