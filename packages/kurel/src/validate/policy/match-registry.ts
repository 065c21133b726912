import { getOrAdd } from '../../budget/index.ts';
import { parseImageReference } from '../../kube/index.ts';

// Docker Hub has several names.
const hubs: ReadonlySet<string> = new Set([
  'docker.io',
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
]);

/** Whether an image comes from one of the registries, or from below one of the paths in a registry. */
export function isFromRegistry(image: string, allowed: readonly string[]): boolean {
  const reference = parseImageReference(image);
  if (reference === undefined) return false;
  const { registry = 'docker.io', path } = reference;
  const [host = '', ...parts] = splitPlace(`${registry}/${path}`);
  // The names of official images omit `library`.
  const place = host === 'docker.io' && parts.length === 1 ? [host, 'library', ...parts] : [host, ...parts];
  return isBelow(place, treeOf(allowed));
}

/**
 * Whether a source is at one of the hosts: a URL, a git address (`git@github.com:team/app`), or a host with a path. A source that
 * programs could parse differently never is.
 */
export function isUrlFromRegistry(source: string, allowed: readonly string[]): boolean {
  const rest = withoutScheme(source);
  if (/[\\\s\p{Cc}]/u.test(rest)) return false;
  const end = rest.search(/[?#]/);
  const [authority = '', ...path] = (end === -1 ? rest : rest.slice(0, end)).split('/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]+)?$/i.test(host)) return false;
  if (path.some((part) => part === '.' || part === '..' || part.includes('%'))) return false;
  const place = splitPlace([host, ...path].join('/'));
  return isBelow(place, treeOf(allowed));
}

function withoutScheme(source: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/is.exec(source);
  if (url !== null) return url[1]!;
  const ofGit = /^([^/:]+@[^/:]+):(?![0-9]+(?:\/|$))\/?(.*)$/s.exec(source);
  return ofGit === null ? source : `${ofGit[1]}/${ofGit[2]}`;
}

/** Whether a redirect may go to a host: a registry in the list has this host. */
export function isHostAllowed(host: string, allowed: readonly string[]): boolean {
  const [own] = splitPlace(host);
  return allowed.some((registry) => splitPlace(registry)[0] === own);
}

/** A tree of path segments, so that a long list is as fast as a short one; built once, because every object is compared with it. */
interface PlaceTree {
  isPlace: boolean;
  readonly below: Map<string, PlaceTree>;
}

const trees = new WeakMap<readonly string[], PlaceTree>();

function treeOf(registries: readonly string[]): PlaceTree {
  return getOrAdd(trees, registries, () => {
    const root: PlaceTree = { isPlace: false, below: new Map() };
    for (const place of registries) {
      let tree = root;
      for (const part of splitPlace(place)) {
        const next = tree.below.get(part) ?? { isPlace: false, below: new Map() };
        tree.below.set(part, next);
        tree = next;
      }
      tree.isPlace = true;
    }
    return root;
  });
}

function isBelow(parts: readonly string[], root: PlaceTree): boolean {
  let tree: PlaceTree | undefined = root;
  for (const part of parts) {
    if (tree.isPlace) return true;
    tree = tree.below.get(part);
    if (tree === undefined) return false;
  }
  return tree.isPlace;
}

/** Host and path segments in canonical form. */
function splitPlace(place: string): readonly string[] {
  const trimmed = place.endsWith('/') ? place.slice(0, -1) : place;
  const [name = '', ...path] = trimmed.split('/');
  const host = name.toLowerCase();
  const bare = host.endsWith(':443') ? host.slice(0, -':443'.length) : host;
  return [hubs.has(bare) ? 'docker.io' : bare, ...path];
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

export function isListed(list: readonly string[], name: string): boolean {
  return getOrAdd(sets, list, () => new Set(list)).has(name);
}
