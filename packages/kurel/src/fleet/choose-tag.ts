import { compareVersions, isInRange, parseRange, parseVersion } from '../registry/index.ts';
import type { Version } from '../registry/index.ts';

/** A tag that is a version. Tags cannot contain `+`, so that it is written as `_`. */
export interface VersionTag {
  readonly tag: string;
  readonly version: string;
}

export interface TagChoice {
  /** Absent if no version matches. */
  readonly chosen: VersionTag | undefined;
  /** The newest version, whatever the range is. */
  readonly newest: VersionTag | undefined;
}

/** Tags such as `1` and `1.2` move from version to version, so they are not versions themselves. */
const complete = /^v?(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-+]|$)/;

/** The newest version in a range. Pre-releases match only a range that contains one. */
export function chooseTag(tags: readonly string[], range: string): TagChoice {
  const versions = tags
    .flatMap((tag) => readTag(tag))
    // Of versions that differ only in their build metadata, the last one.
    .toSorted((a, b) => compareVersions(b.parsed, a.parsed) || (a.tag < b.tag ? 1 : -1));
  const parsed = parseRange(range) ?? [];
  const chosen =
    versions.find(({ version }) => version === range) ?? versions.find((one) => isInRange(one.parsed, parsed));
  return { chosen: chosen && show(chosen), newest: versions[0] && show(versions[0]) };
}

/** The version that a tag is; `undefined` for other tags. */
export function versionOfTag(tag: string): string | undefined {
  return readTag(tag)[0]?.version;
}

function readTag(tag: string): readonly (VersionTag & { readonly parsed: Version })[] {
  const version = tag.replaceAll('_', '+');
  const parsed = complete.test(version) ? parseVersion(version) : undefined;
  return parsed === undefined ? [] : [{ tag, version, parsed }];
}

function show({ tag, version }: VersionTag): VersionTag {
  return { tag, version };
}
