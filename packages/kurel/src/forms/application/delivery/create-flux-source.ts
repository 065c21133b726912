import { formatDuration, parseDuration } from '../../../kube/index.ts';
import type { KubeObject, Path } from '../../../model/index.ts';
import type { ComponentInput, ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { Field } from '../documents/field.ts';
import { parseRange } from '../fetching/version-range.ts';
import { parseVersion } from '../fetching/version.ts';
import { deliveryProblems } from './problems.ts';

/** What is meant of all that stands at one place of a registry, as Flux says it. */
type OciVersion = { readonly tag: string } | { readonly digest: string } | { readonly semver: string };

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

const usual = '60m';

// No default in the table: whether the author wrote it matters where nothing looks for changes, or something else does.
export const interval = {
  type: 'string',
  description: `how often Flux looks for changes; every ${usual} unless given`,
  format: 'interval',
} as const satisfies Field;

/** As Flux writes it. */
export function formatInterval(asked: string = usual): string {
  return formatDuration(parseDuration(asked) ?? 0n);
}

export type SourceInput = Pick<ComponentInput<unknown>, 'name' | 'delivery' | 'share' | 'report'>;

interface AskedSource {
  readonly kind: 'HelmRepository' | 'OCIRepository';
  readonly url: string;
  /** In a registry. */
  readonly version?: OciVersion | undefined;
  readonly interval: string;
  /** Of the property that says what makes the source differ. */
  readonly path: Path;
}

interface FluxSource {
  /** Of the object that stands for the source, in the namespace of Flux. */
  readonly name: string;
  /** The object, unless another component makes it. */
  readonly objects: readonly KubeObject[];
}

/** Components with the same source have one object for it: that of the first, as it wrote it. */
export function createFluxSource(input: SourceInput, asked: AskedSource): FluxSource {
  const { kind, url, version, interval, path } = asked;
  const { name, isFirst, interval: first } = input.share(keyOf(asked), interval);
  if (!isFirst) {
    const args = { first: name, interval: first, own: interval };
    if (interval !== first) input.report(deliveryProblems.create('delivery-interval-shared', args), path);
    return { name: input.delivery.nameOf(name), objects: [] };
  }
  const called = input.delivery.nameOf(name);
  const source = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: { name: called, namespace: input.delivery.namespace },
    spec: given({ interval, url, ref: version }),
  };
  return { name: called, objects: [source] };
}

function keyOf({ kind, url, version }: AskedSource): string {
  const place = normalizeUrl(url);
  if (kind === 'HelmRepository') return `helm:${place}`;
  const [meant = 'latest'] = Object.values(version ?? {});
  return `oci:${place}:${meant}`;
}

const ports: ReadonlyMap<string, string> = new Map([
  ['http', ':80'],
  ['https', ':443'],
  ['oci', ':443'],
]);

/** One text for all URLs that lead to the same place: the case of the host, its usual port and a slash at the end do not count. */
export function normalizeUrl(url: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] = /^([a-z]+):\/\/([^/?]*)([^?]*)(.*)$/s.exec(url) ?? [];
  const port = ports.get(scheme) ?? '';
  const host = authority.toLowerCase();
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const place = port !== '' && host.endsWith(port) ? host.slice(0, -port.length) : host;
  return `${scheme}://${place}${path.slice(0, end)}${query}`;
}
