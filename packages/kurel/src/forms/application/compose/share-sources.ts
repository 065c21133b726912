import type { KubeObject } from '../../../model/index.ts';
import type { SharedSource } from '../catalog/define.ts';

interface Asking {
  /** Who asks. */
  readonly component: string;
  readonly interval: string;
}

/** Which components use the same sources. */
export interface SourceSharing {
  /** The first component that asks for a source makes the object for it, and the others use that. */
  share(key: string, asking: Asking): SharedSource;
  /** Components that make what this one uses, itself among them if it does. */
  makersFor(component: string): readonly string[];
  /** Components that use what this one makes, itself among them. */
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

/** Whether an object stands for a place that Flux takes something from. */
export function isSource({ apiVersion }: KubeObject): boolean {
  return apiVersion.startsWith('source.toolkit.fluxcd.io/');
}
