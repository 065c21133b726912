import type { KubeObject, Path } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { OciVersion } from './oci-version.ts';
import { deliveryProblems } from './problems.ts';

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
    return { name, objects: [] };
  }
  const source = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: { name, namespace: input.delivery.namespace },
    spec: given({ interval, url, ref: version }),
  };
  return { name, objects: [source] };
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
