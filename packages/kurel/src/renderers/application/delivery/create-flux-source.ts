import type { KubeObject, Path } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import { normalizeUrl } from './normalize-url.ts';
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
