import { valueAt } from '../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../model/index.ts';
import { eachMapping, pathTo } from './each-mapping.ts';
import { gvkOf } from './identity.ts';
import { has, listAt, mappingAt, textAt } from './read-fields.ts';

/** A field that names a container image. */
export interface ImageSite {
  readonly path: Path;
  /** As it is written. */
  readonly image: string;
}

type Paths = readonly Path[];

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Images of kinds that name them outside of pods. */
const ownImages = new Map<string, (spec: JsonObject) => Paths>([
  ['postgresql.cnpg.io/Cluster', imagesOfCluster],
  ['postgresql.cnpg.io/ImageCatalog', imagesOfCatalog],
  ['postgresql.cnpg.io/ClusterImageCatalog', imagesOfCatalog],
  ['monitoring.coreos.com/Alertmanager', () => [['image']]],
  ['monitoring.coreos.com/Prometheus', () => [['image'], ['thanos', 'image']]],
  ['monitoring.coreos.com/PrometheusAgent', () => [['image']]],
  ['monitoring.coreos.com/ThanosRuler', () => [['image']]],
]);

function imagesOfCluster(spec: JsonObject): Paths {
  const extensions = listAt(mappingAt(spec, 'postgresql'), 'extensions');
  return [['imageName'], ...extensions.map((_, index) => ['postgresql', 'extensions', index, 'image', 'reference'])];
}

function imagesOfCatalog(spec: JsonObject): Paths {
  return listAt(spec, 'images').map((_, index) => ['images', index, 'image']);
}

/**
 * Every image that an object names: those of containers and of image volumes wherever pods are described in it, which finds
 * those of custom resources too, and the fields of well-known kinds that are about nothing else.
 */
export function imageSitesOf(object: KubeObject): readonly ImageSite[] {
  const kind = kindOf(object);
  // Its fields are about the fields of others.
  if (kind === 'apiextensions.k8s.io/CustomResourceDefinition') return [];
  const sites: ImageSite[] = [];
  const add = (pathOf: () => Path, image: Json | undefined): void => {
    if (typeof image === 'string' && image !== '') sites.push({ path: pathOf(), image });
  };
  const spec = mappingAt(object, 'spec') ?? {};
  for (const path of ownImages.get(kind)?.(spec) ?? []) add(() => ['spec', ...path], valueAt(spec, path));
  eachMapping(object, (mapping, place) => {
    const pathOf = (): Path => pathTo(place);
    for (const list of containerLists) {
      for (const [index, container] of listAt(mapping, list).entries())
        add(() => [...pathOf(), list, index, 'image'], textAt(container, 'image'));
    }
    for (const [index, volume] of listAt(mapping, 'volumes').entries())
      add(() => [...pathOf(), 'volumes', index, 'image', 'reference'], textAt(mappingAt(volume, 'image'), 'reference'));
  });
  return sites;
}

/** Why images that an object leads to are not named in it; `undefined` when they are, or there are none. */
export function explainHiddenImages(object: KubeObject): string | undefined {
  const kind = kindOf(object);
  if (kind !== 'postgresql.cnpg.io/Cluster') return hiding.get(kind);
  const spec = mappingAt(object, 'spec');
  return has(spec, 'imageName') || has(spec, 'imageCatalogRef') ? undefined : 'its operator chooses the image';
}

const hiding: ReadonlyMap<string, string> = new Map([
  ['argoproj.io/Application', 'what it names is rendered in the cluster'],
  ['argoproj.io/ApplicationSet', 'what it names is rendered in the cluster'],
  ['helm.toolkit.fluxcd.io/HelmRelease', 'its chart is rendered in the cluster'],
  ['kustomize.toolkit.fluxcd.io/Kustomization', 'what it names is read in the cluster'],
  ['operators.coreos.com/Subscription', 'the operator that it names is installed in the cluster'],
]);

function kindOf(object: KubeObject): string {
  const gvk = gvkOf(object);
  return gvk === undefined ? '' : `${gvk.group}/${gvk.kind}`;
}
