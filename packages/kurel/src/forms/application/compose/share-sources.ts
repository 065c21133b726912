import type { KubeObject } from '../../../model/index.ts';
import type { SharedSource } from '../catalog/define.ts';

interface Asking {
  /** The requesting component. */
  readonly component: string;
  readonly interval: string;
}

/** Tracks which components share a source. */
export interface SourceSharing {
  /** The first component that requests a source creates its object; the others use it. */
  share(key: string, asking: Asking): SharedSource;
  /** Components that create the sources this one uses, possibly including itself. */
  makersFor(component: string): readonly string[];
  /** Components that use the sources this one creates, including itself. */
  usersOf(component: string): readonly string[];
}

export function createSharing(): SourceSharing {
  const first = new Map<string, Asking>();
  const uses: { readonly maker: string; readonly user: string }[] = [];
  return {
    share(key, asking) {
      const maker = first.get(key) ?? asking;
      first.set(key, maker);
      uses.push({ maker: maker.component, user: asking.component });
      return { name: maker.component, isFirst: maker === asking, interval: maker.interval };
    },
    makersFor: (component) => uses.filter(({ user }) => user === component).map(({ maker }) => maker),
    usersOf: (component) => uses.filter(({ maker }) => maker === component).map(({ user }) => user),
  };
}

/** Whether an object is a Flux source. */
export function isSource({ apiVersion }: KubeObject): boolean {
  return apiVersion.startsWith('source.toolkit.fluxcd.io/');
}
