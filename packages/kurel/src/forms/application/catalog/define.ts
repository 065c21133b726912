import type { ProblemSummary } from '../../../diagnostics/index.ts';
import type { Scope } from '../../../kube/index.ts';
import type {
  Diagnostic,
  JsonObject,
  KubeObject,
  Location,
  Memory,
  Path,
  Range,
  Report,
} from '../../../model/index.ts';
import type { KustomizationSettings } from '../../../provenance/index.ts';
import type { AmountRules } from '../../../validate/index.ts';
import type { Field, Fields, ValueOf } from '../../../documents/index.ts';
import type { LoadedSource, SourceRequest } from '../sources/source-request.ts';

export type { AmountRules };

/** Reports a finding about a property. The path is relative to the properties; the caller adds the location. */
export type ReportAt = (diagnostic: Diagnostic, path: Path, at?: 'key') => void;

/** Tiers, in apply order. */
export const tiers = ['infra', 'services', 'apps'] as const;

export type Tier = (typeof tiers)[number];

/** The input of every handler. */
interface HandlerInput<Properties> {
  /** Name of the application. */
  readonly application: string;
  readonly namespace: string;
  /** Checked against the table, with defaults. */
  readonly properties: Properties;
  /** Does not throw: the build fails only after everything else has been checked. */
  readonly report: ReportAt;
}

export interface ComponentInput<Properties> extends HandlerInput<Properties> {
  /** Name of the component, and default name of its objects. */
  readonly name: string;
  /** The properties set by the author, without defaults. */
  readonly authored: JsonObject;
  /** Defaults and limits. */
  readonly policy: AmountRules;
  /** Annotations of the application and the component, which objects get unless they set them. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Reports a finding about the name, which is not a property. */
  readonly reportName: (diagnostic: Diagnostic) => void;
  readonly delivery: Delivery;
  /** The authored properties of its traits of a type. */
  readonly traitsOf: (trait: string) => readonly JsonObject[];
  /**
   * Loads the source that the property at the path names. `undefined` if it is missing or not loaded yet: the component is
   * rendered again after loading. Problems with the source are reported elsewhere.
   */
  readonly load: (request: SourceRequest, path: Path) => LoadedSource | undefined;
  /** Whether the policies allow a URL that the GitOps engine will fetch; reports it if they do not. */
  readonly checkUrl: (url: string, path: Path) => boolean;
  /** The name of a shared source object; the first component that requests a key creates it. */
  readonly share: (key: string, interval: string) => SharedSource;
  /** Locates a property. */
  readonly locate: (path: Path) => Location;
  /** Locates parts of the string at the path. */
  readonly locateText: (text: string, path: Path) => LocateText;
  /** Reports a finding that already has a location, such as one inside a manifest. */
  readonly reportPlaced: Report;
  readonly memory?: Memory | undefined;
}

/** Locates a field, or with `at` its key, of an object that was read from a text. */
export type LocateInText = (path: Path, at?: Location['at']) => Location;

/** Locates a part of a string by its range in the string. */
export type LocateText = (part: Range) => Location;

/** The GitOps engine of the platform. */
export interface Delivery {
  readonly engine: 'fluxcd' | 'argocd';
  /** Namespace of objects for the engine itself. */
  readonly namespace: string;
  /** Name of such an object, unique even if several instances of a package share the namespace. */
  readonly nameOf: (component: string) => string;
}

export interface SharedSource {
  readonly name: string;
  readonly isFirst: boolean;
  /** Interval set by the first component. */
  readonly interval: string;
}

/** The result of a component, and facts for its traits. */
export interface ComponentResult {
  /** Without namespaces and the labels of the application, which are added later. */
  readonly objects: readonly KubeObject[];
  /** The Service that traffic to the component goes to. */
  readonly service?: ComponentService | undefined;
  /** What to do on the component so that it gets a Service with a port. */
  readonly serviceAdvice?: string | undefined;
  /** Further Services of its pods. */
  readonly otherServices?: readonly ComponentService[] | undefined;
  /** Labels that select its pods. */
  readonly pods?: Readonly<Record<string, string>> | undefined;
  /** The operator that runs its pods, which must reach them. */
  readonly operator?: Operator | undefined;
  /** The object that an autoscaler can scale; its name defaults to that of the component. */
  readonly scales?: ScaledObject | undefined;
  readonly serviceAccount?: string | undefined;
  /** PersistentVolumeClaims, by the volume names in the properties. */
  readonly claims?: readonly Claim[] | undefined;
  /** Locates fields of objects that were read from a text. */
  readonly places?: ReadonlyMap<KubeObject, LocateInText> | undefined;
  /** Scopes of objects, if they do not follow from their kinds. */
  readonly scopes?: ReadonlyMap<KubeObject, Scope> | undefined;
  /** Annotations of all its objects and those of its traits, unless the author sets them. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

export interface Operator {
  readonly name: string;
  /** Its default namespace. */
  readonly namespace: string;
  /** Labels that select its pods. */
  readonly pods: Readonly<Record<string, string>>;
  /** Ports of the component's pods that the operator and the other pods use. */
  readonly ports: readonly number[];
}

export interface ScaledObject extends Pick<KubeObject, 'apiVersion' | 'kind'> {
  readonly name?: string | undefined;
}

export interface ComponentService {
  readonly name: string;
  /** The first one is the default of traits. */
  readonly ports: readonly ServicePort[];
}

export interface ServicePort {
  readonly name?: string | undefined;
  readonly port: number;
  /** Defaults to the port of the Service. */
  readonly containerPort?: number | undefined;
  /** Defaults to TCP. */
  readonly protocol?: string | undefined;
}

export interface Claim {
  readonly volume: string;
  /** Name of the claim, or of the claim of one replica. */
  readonly claimName: (replica: number) => string;
  /** Number of claims, if each replica has its own. */
  readonly replicas?: number | undefined;
  /** Only one node or pod can mount it, so several pods cannot share it. */
  readonly isExclusive: boolean;
}

/** Parts of a result that a trait may require; `podTemplate` is an object with a pod template. */
export type Provision = 'pods' | 'podTemplate' | 'scales' | 'serviceAccount';

/** A component type. */
export interface ComponentDefinition<Properties extends Fields = Fields> {
  readonly type: string;
  /** One sentence for the reference. */
  readonly summary: string;
  /** Defaults to apps. */
  readonly tier?: Tier;
  /** Parts of the result that `render` always returns, so that traits can require them. */
  readonly provides?: readonly Provision[];
  readonly properties: Properties;
  /** Which of the properties exclude or require each other. */
  readonly relations?: Field['relations'];
  /** Hints for Kubernetes fields that have another name here. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Properties that users may expect here, and what to do instead. */
  readonly unsupported?: Readonly<Record<string, string>>;
  readonly problems?: HandlerProblems;
  render(input: ComponentInput<PropertiesOf<Properties>>): ComponentResult;
}

/** The component of a trait. */
export interface TraitOwner extends Omit<ComponentResult, 'objects' | 'places' | 'scopes' | 'annotations'> {
  readonly name: string;
}

export interface TraitInput<Properties> extends HandlerInput<Properties> {
  /** The properties set by the author, without those of the platform. */
  readonly authored: JsonObject;
  readonly component: TraitOwner;
  /** A Service of the application, by name. */
  readonly serviceOf: (name: string) => ComponentService | undefined;
  /** Annotations of the application and the component, which objects get unless they set them. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly delivery: Delivery;
  /** Minor version of the cluster, as in 1.34; computed on demand. */
  readonly kubernetesMinor: () => number;
  /** The `name` properties of all traits of a type in the application. */
  readonly namesOf: (trait: string) => readonly string[];
  /** The authored properties of all traits of a type of the component. */
  readonly siblingsOf: (trait: string) => readonly JsonObject[];
}

export interface TraitResult {
  /** Output after the objects of all components. */
  readonly objects?: readonly KubeObject[] | undefined;
  /** Changes the objects of the component itself. */
  readonly decorate?: ((objects: readonly KubeObject[]) => readonly KubeObject[]) | undefined;
  /** Checks that a finished object of the component keeps what the trait guarantees. The path is relative to the object. */
  readonly inspect?: Inspect | undefined;
  /** The same for the objects of the trait itself. */
  readonly inspectOwn?: Inspect | undefined;
  /** Settings for the Flux Kustomizations that apply the objects. */
  readonly kustomization?: KustomizationSettings | undefined;
  /** Traffic of the trait, for network policies if the platform declares traffic sources. */
  readonly routes?: readonly Route[] | undefined;
}

export type Inspect = (object: KubeObject, report: (diagnostic: Diagnostic, path: Path) => void) => void;

/** Traffic that a trait sends to a Service. */
export interface Route {
  readonly service: string;
  readonly port: number | string;
  /** Its pods are those of the trait's component, even if the component does not create the Service. */
  readonly isOwn?: boolean | undefined;
  /** Pod labels of a Service that no component owns. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly sources: readonly TrafficSource[];
  /** Path of the property that names the Service. */
  readonly path: Path;
}

export interface TrafficSource {
  readonly namespace: string;
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> } | undefined;
}

/** The capability of a trait. */
export interface Capability {
  /** Whether a trait with these properties requires it. */
  isNeeded(authored: JsonObject): boolean;
  /** The properties of a rendering. */
  readonly rendering: Fields;
  /** Rules that a table cannot express. */
  check?(rendering: JsonObject, report: ReportAt): void;
  /** Minimal lines of a profile, for the hint about a missing capability. */
  readonly example: string;
}

export interface TraitDefinition<Properties extends Fields = Fields> {
  readonly type: string;
  readonly summary: string;
  /** What the component must provide. */
  readonly needs?: readonly Provision[];
  /** Without one, a rendering can set everything the author can, and the author takes precedence. */
  readonly capability?: Capability;
  readonly properties: Properties;
  /** Which of the properties, also those of the platform, exclude or require each other. */
  readonly relations?: Field['relations'];
  readonly problems?: HandlerProblems;
  render(input: TraitInput<PropertiesOf<Properties>>): TraitResult;
}

/** The result of an entry of `spec.policies`. */
export interface PolicyResult {
  /** Tightens the policy of the platform; it cannot allow more. */
  readonly rules?: JsonObject | undefined;
  /** Tiers of components, by name. */
  readonly tiers?: Readonly<Record<string, Tier>> | undefined;
}

export interface PolicyDefinition<Properties extends Fields = Fields> {
  readonly type: string;
  readonly summary: string;
  readonly properties: Properties;
  readonly problems?: HandlerProblems;
  apply(input: HandlerInput<PropertiesOf<Properties>>): PolicyResult;
}

/** The findings of a handler, as returned by `defineProblems`. */
export interface HandlerProblems {
  readonly definitions: Readonly<Record<string, ProblemSummary>>;
}

/** The type of a handler's properties. */
export type PropertiesOf<Properties extends Fields> = ValueOf<{
  readonly type: 'object';
  readonly properties: Properties;
}>;

// Property types help authors of handlers; callers have already checked the properties against the table.

export function defineComponent<const Properties extends Fields>(
  definition: ComponentDefinition<Properties>,
): ComponentDefinition {
  return definition;
}

export function defineTrait<const Properties extends Fields>(definition: TraitDefinition<Properties>): TraitDefinition {
  return definition;
}

export function definePolicy<const Properties extends Fields>(
  definition: PolicyDefinition<Properties>,
): PolicyDefinition {
  return definition;
}
