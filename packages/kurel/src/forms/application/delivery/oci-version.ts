import type { ReportAt } from '../catalog/define.ts';
import { parseVersion } from '../fetching/version.ts';
import { parseRange } from '../fetching/version-range.ts';
import { deliveryProblems } from './problems.ts';

/** What is meant of all that stands at one place of a registry, as Flux says it. */
export type OciVersion = { readonly tag: string } | { readonly digest: string } | { readonly semver: string };

const tag = /^\w[\w.-]{0,127}$/;
const digest = /^sha256:[0-9a-f]{64}$/;

/** A tag or a digest; `undefined` for what is neither. */
export function readArtifactVersion(version: string): OciVersion | undefined {
  if (digest.test(version)) return { digest: version };
  return tag.test(version) ? { tag: version } : undefined;
}

/** Charts also have versions that no tag can have: `1.0.0+a`, which helm writes with `_`, and ranges. */
export function readChartVersion(version: string): OciVersion | undefined {
  const text = parseVersion(version) === undefined ? version : version.replaceAll('+', '_');
  const known = readArtifactVersion(text);
  return known ?? (parseRange(version) === undefined ? undefined : { semver: version });
}

/** Tells that a version is not what it is expected to be. */
export function reportVersion(version: string, expected: string, report: ReportAt): void {
  const isDigest = version.startsWith('sha256:');
  const hint = !isDigest
    ? undefined
    : digest.test(version)
      ? 'only what is in a registry has a digest'
      : 'a digest has 64 digits behind "sha256:", with small letters';
  report(deliveryProblems.create('delivery-version', { version, expected, hint }), ['version']);
}
