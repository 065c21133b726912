export interface ImageReference {
  /** Host and port; absent when the text names none. */
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

/** `undefined` for what no container runtime takes; `explainImageReference` says why. */
export function parseImageReference(text: string): ImageReference | undefined {
  const reference = split(text);
  return explain(text, reference) === undefined ? reference : undefined;
}

/** Why the text is no image reference: the end of a sentence, as in `image "Web" must …`. */
export function explainImageReference(text: string): string | undefined {
  return explain(text, split(text));
}

export function formatImageReference({ registry, path, tag, digest }: ImageReference): string {
  const host = registry === undefined ? '' : `${registry}/`;
  return `${host}${path}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** The digest goes with the old tag: it would win over the new one. */
export function withTag({ registry, path }: ImageReference, tag: string): ImageReference {
  return { ...(registry === undefined ? {} : { registry }), path, tag };
}

/** The tag stays, for people to read; runtimes go by the digest. */
export function withDigest(reference: ImageReference, digest: string): ImageReference {
  return { ...reference, digest };
}

/** The reference with what Docker Hub's short names leave out: `nginx` is `docker.io/library/nginx`. */
export function normalizeImageReference(reference: ImageReference): NamedImageReference {
  const registry =
    reference.registry === undefined || reference.registry === 'index.docker.io' ? 'docker.io' : reference.registry;
  const isShort = registry === 'docker.io' && !reference.path.includes('/');
  return { ...reference, registry, path: isShort ? `library/${reference.path}` : reference.path };
}

/** Takes the text apart without a look at the parts. */
function split(text: string): ImageReference {
  const at = text.indexOf('@');
  const named = at === -1 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const name = hasTag ? named.slice(0, colon) : named;
  const slash = name.indexOf('/');
  const host = slash === -1 ? '' : name.slice(0, slash);
  const hasRegistry = slash !== -1 && isRegistry(host);
  return {
    ...(hasRegistry ? { registry: host } : {}),
    path: hasRegistry ? name.slice(slash + 1) : name,
    ...(hasTag ? { tag: named.slice(colon + 1) } : {}),
    ...(at === -1 ? {} : { digest: text.slice(at + 1) }),
  };
}

/** The first part is a host only if it cannot be taken for a part of the path: the rule of Docker, which all others follow. */
function isRegistry(text: string): boolean {
  return /[.:]/.test(text) || text === 'localhost' || text !== text.toLowerCase();
}

function explain(text: string, reference: ImageReference): string | undefined {
  const { registry, path, tag, digest } = reference;
  if (text === '') return 'must not be empty';
  if (text.length > longest) return `must have at most ${longest} characters`;
  if (identifierPattern.test(text)) return 'must not be only the id of an image';
  if (registry !== undefined && !registryPattern.test(registry))
    return 'must begin with the host of a registry, or a path';
  if (path === '') return 'must name a repository';
  if (normalizeImageReference(reference).path.length > longestPath)
    return `must have a path of at most ${longestPath} characters`;
  if (path !== path.toLowerCase()) return 'must have a path of lower-case letters';
  if (!pathPattern.test(path)) {
    return 'must have a path of lower-case letters and digits, parted by "/", ".", "_", "__" or "-"';
  }
  if (tag !== undefined && !tagPattern.test(tag)) {
    return 'must have a tag of at most 128 letters, digits, "_", "." and "-" that does not begin with "." or "-"';
  }
  return digest === undefined ? undefined : explainDigest(digest);
}

function explainDigest(digest: string): string | undefined {
  const colon = digest.indexOf(':');
  const length = digestLengths.get(digest.slice(0, colon));
  if (length === undefined) return 'must have a digest that begins with "sha256:", "sha384:" or "sha512:"';
  const hex = digest.slice(colon + 1);
  if (hex.length === length && /^[a-f0-9]+$/.test(hex)) return undefined;
  return `must have a digest of ${length} lower-case hexadecimal digits`;
}
