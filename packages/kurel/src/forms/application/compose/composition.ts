import type { Scope } from '../../../kube/index.ts';
import type { Diagnostic, KubeObject, Location, Memory, Path, Report } from '../../../model/index.ts';
import type { KustomizationPart } from '../../../provenance/index.ts';
import type { Rules } from '../../../validate/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Delivery, Inspect, LocateText, Tier } from '../catalog/define.ts';
import type { KubernetesCheck, WrittenAt } from '../documents/findings.ts';
import type { ApplicationDocument } from '../documents/read-application-document.ts';
import type { LoadedSource, RequestedSource } from '../sources/source-request.ts';
import type { LocatedData } from './located-data.ts';
import type { Capabilities } from './read-capabilities.ts';
import type { SourceSharing } from './share-sources.ts';

/** Everything that decides what is made of an application. */
export interface CompositionInput {
  /** With its parameters filled in, and without the parts that are switched off. */
  readonly application: LocatedData;
  readonly profile?: LocatedData | undefined;
  readonly policy?: LocatedData | undefined;
  /** CapabilityDefinitions. */
  readonly definitions?: readonly LocatedData[] | undefined;
  /** Takes the place of the application's own. */
  readonly namespace?: string | undefined;
  /** The namespace is not fixed in the package, so there may be instances of it in several. */
  readonly isNamespaceChosen?: boolean | undefined;
  /** Where objects of Flux go; outranks what the profile says. */
  readonly fluxNamespace?: string | undefined;
  /** What stands elsewhere and was loaded, by the keys of the requests. */
  readonly sources?: ReadonlyMap<string, LoadedSource> | undefined;
  /** Hears of everything that is asked for and not loaded. */
  readonly onRequest?: ((requested: RequestedSource) => void) | undefined;
  readonly catalog: Catalog;
  readonly report: Report;
  readonly memory?: Memory | undefined;
  /** Numbers and booleans as their author wrote them. */
  readonly writtenAt?: WrittenAt | undefined;
  /** Finds the parts of a text in the file that holds the text. */
  readonly locateText?: ((text: string, place: Location) => LocateText) | undefined;
  /** Checks properties that are fields of Kubernetes. */
  readonly checkKubernetes?: KubernetesCheck | undefined;
  /** Of the cluster; without it, the newest rules apply. */
  readonly kubernetesMinor?: (() => number) | undefined;
  /** Every component of the application is switched off. */
  readonly isAllOff?: boolean | undefined;
  /** Goes on after errors as far as there is something to go on with; what comes out is only for comparing. */
  readonly isDraft?: boolean | undefined;
}

/** An object, and what made it. */
export interface ComposedObject {
  readonly object: KubeObject;
  /** `component "web"`, `the trait "expose" of component "web"`. */
  readonly maker: string;
  /** The type whose handler made it: `webservice`, `ingress`. */
  readonly handler: string;
  /** The type that the author wrote: `expose` for the ingress that it stands for. */
  readonly type: string;
  /** Of the component or trait in the application. */
  readonly path: Path;
  /** The components that had a part in it, by their position; the one that made it first. */
  readonly components: readonly number[];
  readonly tier: Tier;
  /** Where its fields stand, when it was read from a text or is written out in the properties. */
  readonly locate?: ((path: Path) => Location) | undefined;
  /** As it stands there, before anything was put into it. */
  readonly written?: KubeObject | undefined;
  /** Whether it lives in a namespace, when its maker says so. */
  readonly scope?: Scope | undefined;
  /** By the trait that made it, or those of the component that did, of what they promise. */
  readonly inspections?: readonly Inspect[] | undefined;
}

/** Something about a field of an object, whose author is to be found. */
export interface ObjectFinding {
  readonly made: ComposedObject;
  readonly path: Path;
  /** It is about what made the object: told there, unless one of its own properties decides the field. */
  readonly isAboutMaker?: true;
  readonly diagnostic: Diagnostic;
}

export interface Composition {
  /** Of the application. */
  readonly name: string;
  readonly namespace: string;
  /** Where objects are that are for Flux or Argo CD itself. */
  readonly deliveryNamespace: string;
  readonly rules: Rules;
  /** In the order in which they are printed. */
  readonly objects: readonly ComposedObject[];
  /** After an error, objects are missing or wrong, and there are only findings that are errors by themselves. */
  readonly findings: readonly ObjectFinding[];
  readonly kustomizationParts: readonly KustomizationPart[];
}

/** What all parts of one composition know. */
export interface Composing extends CompositionInput {
  readonly document: ApplicationDocument;
  readonly namespace: string;
  readonly capabilities: Capabilities;
  /** Traits that a CapabilityDefinition describes. */
  readonly defined: ReadonlySet<string>;
  readonly rules: Rules;
  readonly delivery: Delivery;
  readonly sharing: SourceSharing;
  /** Hears of which component everything is that is reported from then on; `undefined` for all of them. */
  readonly onPart: (component: number | undefined) => void;
}
