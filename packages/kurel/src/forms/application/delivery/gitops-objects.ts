import { formatDuration, parseDuration } from '../../../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ComponentInput, ReportAt } from '../catalog/define.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import { parseRange, parseVersion } from '../../../registry/index.ts';
import { deliveryProblems } from './problems.ts';
import { textField } from '../../../documents/index.ts';

/** A version in a registry, in the form of an OCIRepository reference. */
type OciVersion = { readonly tag: string } | { readonly digest: string } | { readonly semver: string };

const tag = /^\w[\w.-]{0,127}$/;
const digest = /^sha256:[0-9a-f]{64}$/;

/** A tag or a digest; `undefined` otherwise. */
export function readArtifactVersion(version: string): OciVersion | undefined {
  if (digest.test(version)) return { digest: version };
  return tag.test(version) ? { tag: version } : undefined;
}

/** Chart versions can be invalid as tags: `1.0.0+a`, which helm writes with `_`, and ranges. */
export function readChartVersion(version: string): OciVersion | undefined {
  const text = parseVersion(version) === undefined ? version : version.replaceAll('+', '_');
  return readArtifactVersion(text) ?? (parseRange(version) === undefined ? undefined : { semver: version });
}

export function reportVersion(version: string, expected: string, report: ReportAt): void {
  const isDigest = version.startsWith('sha256:');
  const hint = !isDigest
    ? undefined
    : digest.test(version)
      ? 'use a version: only charts in a registry have a digest'
      : 'write "sha256:" followed by 64 lower-case hexadecimal digits';
  report(deliveryProblems.create('delivery-version', { version, expected, hint }), ['version']);
}

const usual = '60m';

// Not a default in the table: code must know whether the author set it, because Argo CD and rendered charts do not use it.
export const interval = textField('interval', `Interval at which Flux checks for changes. Defaults to ${usual}.`);

export const secretRef = {
  type: 'object',
  description: 'Secret with the credentials of the source, in the namespace of the Flux source.',
  properties: {
    name: { ...textField('dns-subdomain', 'Name of the Secret.'), required: true },
  },
} as const satisfies Field;

/** In the format of Flux. */
export function formatInterval(asked: string = usual): string {
  return formatDuration(parseDuration(asked) ?? 0n);
}

type SourceInput = Pick<ComponentInput<unknown>, 'name' | 'namespace' | 'delivery' | 'share' | 'report'>;

interface AskedSource {
  readonly kind: 'HelmRepository' | 'OCIRepository';
  readonly url: string;
  /** For registries. */
  readonly version?: OciVersion | undefined;
  readonly secretRef?: ValueOf<typeof secretRef> | undefined;
  readonly interval: string;
  /** Path of the property that findings about the source point at. */
  readonly path: Path;
}

/** Components with the same source share one object, created by the first of them. Returns its name, and the new object. */
export function createFluxSource(
  input: SourceInput,
  asked: AskedSource,
): { readonly name: string; readonly objects: readonly KubeObject[] } {
  const { kind, url, version, secretRef: secret, interval, path } = asked;
  const { delivery, report } = input;
  const { namespace } = delivery;
  // A Flux source can only reference a Secret in its own namespace, which may not be that of the application.
  if (secret !== undefined && namespace !== input.namespace) {
    const args = { name: secret.name, namespace, own: input.namespace };
    report(deliveryProblems.create('delivery-secret-elsewhere', args), ['source', 'secretRef', 'name']);
  }
  const { name: first, isFirst, interval: shared } = input.share(keyOf(asked), interval);
  const name = delivery.nameOf(first);
  if (!isFirst && interval !== shared) {
    const args = { first, interval: shared, own: interval };
    report(deliveryProblems.create('delivery-interval-shared', args), path);
  }
  const source = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: { name, namespace },
    spec: defined({ interval, url, ref: version, secretRef: secret }),
  };
  return { name, objects: isFirst ? [source] : [] };
}

/** Sources with different credentials are different objects. */
function keyOf({ kind, url, version, secretRef: secret }: AskedSource): string {
  const place = `${normalizeUrl(url)}${secret === undefined ? '' : ` with ${secret.name}`}`;
  if (kind === 'HelmRepository') return `helm:${place}`;
  const [meant = 'latest'] = Object.values(version ?? {});
  return `oci:${place}:${meant}`;
}

/** Argo CD finds the credentials of a source by its URL. */
export function reportCredentials(
  { delivery: { namespace }, report }: Pick<SourceInput, 'delivery' | 'report'>,
  { url, secretRef: secret }: Pick<AskedSource, 'url' | 'secretRef'>,
): void {
  if (secret === undefined) return;
  const args = { name: secret.name, url, namespace };
  report(deliveryProblems.create('argocd-credentials', args), ['source', 'secretRef'], 'key');
}

interface AskedApplication {
  readonly source: JsonObject;
  /** For objects without a namespace. */
  readonly namespace: string;
  /** Whether objects removed from the source are deleted, and all objects together with the Application. */
  readonly prune: boolean;
  /** Whether changes made in the cluster are reverted. */
  readonly selfHeal: boolean;
  readonly syncOptions?: readonly string[];
}

/**
 * An Application that behaves like the Flux objects: it syncs automatically, and its objects are deleted together with it.
 */
export function createArgocdApplication(
  { name, delivery }: Pick<SourceInput, 'name' | 'delivery'>,
  { source, namespace, prune, selfHeal, syncOptions }: AskedApplication,
): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: defined({
      name: delivery.nameOf(name),
      namespace: delivery.namespace,
      finalizers: prune ? ['resources-finalizer.argocd.argoproj.io'] : undefined,
    }),
    spec: {
      project: 'default',
      source,
      destination: { server: 'https://kubernetes.default.svc', namespace },
      syncPolicy: defined({
        automated: defined({ prune: prune || undefined, selfHeal: selfHeal || undefined }),
        syncOptions: filled(syncOptions),
      }),
    },
  };
}

const ports: ReadonlyMap<string, string> = new Map([
  ['http', ':80'],
  ['https', ':443'],
  ['oci', ':443'],
]);

/** A canonical form of URLs that address the same resource: ignores the case of the host, default ports and trailing slashes. */
export function normalizeUrl(url: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] = /^([a-z]+):\/\/([^/?]*)([^?]*)(.*)$/s.exec(url) ?? [];
  const port = ports.get(scheme) ?? '';
  const host = authority.toLowerCase();
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const place = port !== '' && host.endsWith(port) ? host.slice(0, -port.length) : host;
  return `${scheme}://${place}${path.slice(0, end)}${query}`;
}
