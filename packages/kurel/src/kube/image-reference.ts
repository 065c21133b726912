import { valueAt } from '../model/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { eachMapping, pathTo, containerLists } from './pod-site.ts';
import { gvkOf } from './identity.ts';
import { has, listAt, mappingAt, textAt } from './metadata.ts';
import { placesOf } from './workload-fields.ts';

/** A field that names a container image. */
export interface ImageSite {
  readonly path: Path;
  /** As written. */
  readonly image: string;
}

const imagesOfCatalog = 'spec.images[].image spec.images[].extensions[].image.reference spec.componentImages[].image';

/** Image fields of kinds that name images outside of pods, as dotted paths separated by blanks. */
const ownImages: ReadonlyMap<string, string> = new Map([
  ['postgresql.cnpg.io/Cluster', 'spec.imageName spec.postgresql.extensions[].image.reference'],
  ['postgresql.cnpg.io/ImageCatalog', imagesOfCatalog],
  ['postgresql.cnpg.io/ClusterImageCatalog', imagesOfCatalog],
  ['postgresql.cnpg.io/Pooler', 'spec.pgbouncer.image'],
  ['monitoring.coreos.com/Alertmanager', 'spec.image'],
  ['monitoring.coreos.com/Prometheus', 'spec.image spec.thanos.image'],
  ['monitoring.coreos.com/PrometheusAgent', 'spec.image'],
  ['monitoring.coreos.com/ThanosRuler', 'spec.image'],
]);

/**
 * Every image that an object names: those of containers and image volumes wherever it contains a pod spec, which also covers
 * custom resources, and the image fields of well-known kinds.
 */
export function imageSitesOf(object: KubeObject): readonly ImageSite[] {
  const kind = kindOf(object);
  // Its fields describe the fields of other objects.
  if (kind === 'apiextensions.k8s.io/CustomResourceDefinition') return [];
  const sites: ImageSite[] = [];
  const add = (pathOf: () => Path, image: Json | undefined): void => {
    if (typeof image === 'string' && image !== '') sites.push({ path: pathOf(), image });
  };
  for (const pattern of ownImages.get(kind)?.split(' ') ?? []) {
    for (const path of placesOf(object, pattern)) add(() => path, valueAt(object, path));
  }
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

/** Why the images of an object are not named in it; `undefined` if they are, or if there are none. */
export function explainHiddenImages(object: KubeObject): string | undefined {
  // A key with the group would have to be built for each object.
  if (!hidingKinds.has(object.kind)) return undefined;
  const kind = kindOf(object);
  if (kind !== ofDatabases) return hiding.get(kind);
  const spec = mappingAt(object, 'spec');
  return has(spec, 'imageName') || has(spec, 'imageCatalogRef') ? undefined : 'its operator chooses the image';
}

const ofDatabases = 'postgresql.cnpg.io/Cluster';
const hiding: ReadonlyMap<string, string> = new Map([
  ['argoproj.io/Application', 'its sources are rendered in the cluster'],
  ['argoproj.io/ApplicationSet', 'its sources are rendered in the cluster'],
  ['helm.toolkit.fluxcd.io/HelmRelease', 'its chart is rendered in the cluster'],
  ['kustomize.toolkit.fluxcd.io/Kustomization', 'its sources are rendered in the cluster'],
  ['operators.coreos.com/Subscription', 'its operator is installed in the cluster'],
]);
const hidingKinds: ReadonlySet<string> = new Set(
  [...hiding.keys(), ofDatabases].map((kind) => kind.slice(kind.indexOf('/') + 1)),
);

function kindOf(object: KubeObject): string {
  const gvk = gvkOf(object);
  return gvk === undefined ? '' : `${gvk.group}/${gvk.kind}`;
}

export interface ImageReference {
  /** Host and port; absent if the reference has no registry. */
  readonly registry?: string;
  readonly path: string;
  readonly tag?: string;
  readonly digest?: string;
}

export interface NamedImageReference extends ImageReference {
  readonly registry: string;
}

const longest = 4096;
const longestPath = 255;
const domainName = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const registryPattern = new RegExp(`^(?:${domainName}(?:\\.${domainName})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const pathPattern = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const identifierPattern = /^[a-f0-9]{64}$/;
const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** `undefined` for references that container runtimes reject; `explainImageReference` returns the reason. */
export function parseImageReference(text: string): ImageReference | undefined {
  const reference = split(text);
  return explain(text, reference) === undefined ? reference : undefined;
}

/** Why the text is not an image reference: the end of a sentence, as in `image "Web" must …`. */
export function explainImageReference(text: string): string | undefined {
  return explain(text, split(text));
}

export function formatImageReference({ registry, path, tag, digest }: ImageReference): string {
  const host = registry === undefined ? '' : `${registry}/`;
  return `${host}${path}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** Adds the parts that Docker Hub's short names omit: `nginx` is `docker.io/library/nginx`. */
export function normalizeImageReference(reference: ImageReference): NamedImageReference {
  const registry =
    reference.registry === undefined || reference.registry === 'index.docker.io' ? 'docker.io' : reference.registry;
  const isShort = registry === 'docker.io' && !reference.path.includes('/');
  return { ...reference, registry, path: isShort ? `library/${reference.path}` : reference.path };
}

/** Splits the text without checking the parts. */
function split(text: string): ImageReference {
  const at = text.indexOf('@');
  const named = at === -1 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const name = hasTag ? named.slice(0, colon) : named;
  const slash = name.indexOf('/');
  const host = slash === -1 ? '' : name.slice(0, slash);
  const hasRegistry = slash !== -1 && isRegistry(host);
  const reference: { -readonly [Part in keyof ImageReference]: ImageReference[Part] } = hasRegistry
    ? { registry: host, path: name.slice(slash + 1) }
    : { path: name };
  if (hasTag) reference.tag = named.slice(colon + 1);
  if (at !== -1) reference.digest = text.slice(at + 1);
  return reference;
}

/** The first part is a host only if it cannot be part of the path: Docker's rule, which everyone follows. */
function isRegistry(text: string): boolean {
  return /[.:]/.test(text) || text === 'localhost' || text !== text.toLowerCase();
}

function explain(text: string, reference: ImageReference): string | undefined {
  const { registry, path, tag, digest } = reference;
  if (text === '') return 'must not be empty';
  if (text.length > longest) return `must have at most ${longest} characters`;
  if (identifierPattern.test(text)) return 'must not be an image ID';
  if (registry !== undefined && !registryPattern.test(registry)) return 'must start with a registry host or a path';
  if (path === '') return 'must name a repository';
  if (path.length > longestPath - 'library/'.length && normalizeImageReference(reference).path.length > longestPath)
    return `must have a path of at most ${longestPath} characters`;
  if (path !== path.toLowerCase()) return 'must have a lower-case path';
  if (!pathPattern.test(path)) {
    return 'must have a path of lower-case letters and digits, separated by "/", ".", "_", "__" or "-"';
  }
  if (tag !== undefined && !tagPattern.test(tag)) {
    return 'must have a tag of at most 128 letters, digits, "_", "." and "-" that does not start with "." or "-"';
  }
  return digest === undefined ? undefined : explainDigest(digest);
}

function explainDigest(digest: string): string | undefined {
  const colon = digest.indexOf(':');
  const length = digestLengths.get(digest.slice(0, colon));
  if (length === undefined) return 'must have a digest that starts with "sha256:", "sha384:" or "sha512:"';
  const hex = digest.slice(colon + 1);
  if (hex.length === length && /^[a-f0-9]+$/.test(hex)) return undefined;
  return `must have a digest of ${length} lower-case hexadecimal digits`;
}
