import type { Scope } from '../../../kube/index.ts';
import type { Diagnostic, KubeObject, Location, Memory, Path, Report } from '../../../model/index.ts';
import type { KustomizationPart } from '../../../provenance/index.ts';
import type { Rules } from '../../../validate/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Delivery, Inspect, LocateInText, LocateText, SharedSource, Tier } from '../catalog/define.ts';
import type { ApplicationDocument, ClusterProfile, KubernetesCheck, LocatedData } from '../../../documents/index.ts';
import type { LoadedSource, RequestedSource } from '../sources/source-request.ts';
import type { Capabilities } from './read-capabilities.ts';

/** Everything that determines the result of a composition. */
export interface CompositionInput {
  /** With parameters filled in and disabled parts removed. */
  readonly application: LocatedData;
  readonly profile?: LocatedData | undefined;
  readonly policy?: LocatedData | undefined;
  readonly definitions?: readonly LocatedData[] | undefined;
  /** Overrides the namespace of the application. */
  readonly namespace?: string | undefined;
  /** The package does not fix the namespace, so it can have instances in several. */
  readonly isNamespaceChosen?: boolean | undefined;
  /** Namespace for Flux objects; overrides the profile. */
  readonly fluxNamespace?: string | undefined;
  /** Loaded sources, by request key. */
  readonly sources?: ReadonlyMap<string, LoadedSource> | undefined;
  /** Called for each requested source that is not loaded. */
  readonly onRequest?: ((requested: RequestedSource) => void) | undefined;
  readonly catalog: Catalog;
  readonly report: Report;
  readonly memory?: Memory | undefined;
  /** Locates parts of a string in the file that contains it. */
  readonly locateText?: ((text: string, place: Location) => LocateText) | undefined;
  /** Checks properties that are Kubernetes fields. */
  readonly checkKubernetes?: KubernetesCheck | undefined;
  /** Minor version of the cluster; defaults to the newest rules. */
  readonly kubernetesMinor?: (() => number) | undefined;
  /** Every component of the application is disabled. */
  readonly isAllOff?: boolean | undefined;
  /** Continues after errors as far as possible; the result is only good for comparison. */
  readonly isDraft?: boolean | undefined;
}

/** An object and its origin. */
export interface ComposedObject {
  readonly object: KubeObject;
  /** `component "web"`, `trait "expose" of component "web"`. */
  readonly maker: string;
  /** The type whose handler created it: `webservice`, `expose`. */
  readonly type: string;
  /** Of the component or trait in the application. */
  readonly path: Path;
  /** Indexes of the components involved; the one that created it first. */
  readonly components: readonly number[];
  readonly tier: Tier;
  /** Locates its fields, if it was read from a text or is inline in the properties. */
  readonly locate?: LocateInText | undefined;
  /** As written, before namespace, labels and annotations were added. */
  readonly written?: KubeObject | undefined;
  /** Its scope, if its handler knows it. */
  readonly scope?: Scope | undefined;
  /** Checks of what the traits of this object guarantee. */
  readonly inspections?: readonly Inspect[] | undefined;
}

/** A finding about a field of an object; its location is determined later. */
export interface ObjectFinding {
  readonly composed: ComposedObject;
  readonly path: Path;
  /** Located at the origin of the object, unless one of its own properties determines the field. */
  readonly isAboutMaker?: true;
  readonly diagnostic: Diagnostic;
}

export interface Composition {
  /** Name of the application. */
  readonly name: string;
  readonly namespace: string;
  /** Namespace of objects for Flux or Argo CD itself. */
  readonly deliveryNamespace: string;
  readonly rules: Rules;
  /** In output order. */
  readonly objects: readonly ComposedObject[];
  /** After an error objects may be missing or wrong, so only findings that are errors on their own are included. */
  readonly findings: readonly ObjectFinding[];
  readonly kustomizationParts: readonly KustomizationPart[];
}

/** Context shared by all parts of one composition. */
export interface Composing extends CompositionInput {
  readonly document: ApplicationDocument;
  readonly namespace: string;
  readonly capabilities: Capabilities;
  /** Traits with a CapabilityDefinition. */
  readonly defined: ReadonlySet<string>;
  readonly rules: Rules;
  readonly delivery: Delivery;
  /** Labels of the application for all pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  /** Options of the platform for all components. */
  readonly platform: Pick<ClusterProfile['spec'], 'podSecurity' | 'networkPolicies'>;
  readonly sharing: SourceSharing;
  /** Sets the component that the following findings belong to; `undefined` for all of them. */
  readonly onPart: (component: number | undefined) => void;
}

interface Asking {
  /** The requesting component. */
  readonly component: string;
  readonly interval: string;
}

/** Tracks which components share a source. */
interface SourceSharing {
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
