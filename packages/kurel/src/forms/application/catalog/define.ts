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
import type { Field, Fields, ValueOf } from '../documents/field.ts';
import type { LoadedSource, SourceRequest } from '../sources/source-request.ts';

export type { AmountRules };

/** Tells what is wrong with a property. The path leads into the properties; the line is found by whoever calls. */
export type ReportAt = (diagnostic: Diagnostic, path: Path, at?: 'key') => void;

/** Parts of an application are applied in this order. */
export const tiers = ['infra', 'services', 'apps'] as const;

export type Tier = (typeof tiers)[number];

/** What every handler is reported besides its properties. */
interface HandlerInput<Properties> {
  /** Of the application. */
  readonly application: string;
  readonly namespace: string;
  /** As its table says: checked, with defaults in them. */
  readonly properties: Properties;
  /** Goes on: what is reported ends the build, but not before everything else was looked at. */
  readonly report: ReportAt;
}

export interface ComponentInput<Properties> extends HandlerInput<Properties> {
  /** Of the component, and so of its objects. */
  readonly name: string;
  /** What is given where the author says nothing, and what that may not exceed. */
  readonly policy: AmountRules;
  /** Tells what is wrong with the name, which is none of the properties. */
  readonly reportName: (diagnostic: Diagnostic) => void;
  readonly delivery: Delivery;
  /**
   * Something that stands elsewhere, named by the property at the path. `undefined` when it is not there, or not yet: the
   * component is rendered again when it is. Whatever is wrong with it is reported by others.
   */
  readonly load: (request: SourceRequest, path: Path) => LoadedSource | undefined;
  /** Whether the policies let something be taken from a URL that others will take it from; if not, that is reported. */
  readonly checkUrl: (url: string, path: Path) => boolean;
  /** The name of the object that stands for a source; the first component that asks for a key gives it its name and makes it. */
  readonly share: (key: string, interval: string) => SharedSource;
  /** Where a property stands. */
  readonly locate: (path: Path) => Location;
  /** Where parts of a text stand that is the property at the path. */
  readonly locateText: (text: string, path: Path) => LocateText;
  /** Tells what is wrong with a text that a property holds or names; the finding says itself where that is. */
  readonly reportPlaced: Report;
  /** For texts that are read. */
  readonly memory?: Memory | undefined;
}

/** Where a part of a text stands, by its place in the text alone. */
export type LocateText = (part: Range) => Location;

/** What applies the manifests on the platform. */
export interface Delivery {
  readonly engine: 'fluxcd' | 'argocd';
  /** Of the objects that are for the engine itself. */
  readonly namespace: string;
  /** Of such an object, by the component: not the same for two instances of a package whose objects share the namespace. */
  readonly nameOf: (component: string) => string;
}

export interface SharedSource {
  readonly name: string;
  readonly isFirst: boolean;
  /** How often the first wants it to be looked at. */
  readonly interval: string;
}

/** What a component makes, and what its traits may know of it. */
export interface ComponentResult {
  /** Their namespaces, and the labels of the application, are put in afterwards. */
  readonly objects: readonly KubeObject[];
  /** The Service that traffic to the component goes to. */
  readonly service?: ComponentService | undefined;
  /** Labels that select its pods. */
  readonly pods?: Readonly<Record<string, string>> | undefined;
  /** The operator that runs its pods, which must reach them. */
  readonly operator?: Operator | undefined;
  /** The object whose number of pods may be left to an autoscaler. */
  readonly scales?: Pick<KubeObject, 'apiVersion' | 'kind'> | undefined;
  readonly serviceAccount?: string | undefined;
  /** PersistentVolumeClaims by the names that its volumes have in the properties. */
  readonly claims?: readonly Claim[] | undefined;
  /** Where the fields of objects stand that were read from a text. */
  readonly places?: ReadonlyMap<KubeObject, (path: Path) => Location> | undefined;
  /** Whether objects live in a namespace, where that is not left to what is known of their kinds. */
  readonly scopes?: ReadonlyMap<KubeObject, Scope> | undefined;
}

export interface Operator {
  readonly name: string;
  /** Where it usually runs. */
  readonly namespace: string;
  /** Labels that select its pods. */
  readonly pods: Readonly<Record<string, string>>;
  /** Ports of the component's pods that the operator and the other pods of the component use. */
  readonly ports: readonly number[];
}

export interface ComponentService {
  readonly name: string;
  /** `undefined` when the Service has no port. */
  readonly port?: number | undefined;
  readonly portName?: string | undefined;
}

export interface Claim {
  readonly volume: string;
  /** Of the volume, or of one replica of it. */
  readonly claimName: (replica: number) => string;
  /** How many there are when each replica has its own. */
  readonly replicas?: number | undefined;
  /** One node or one pod at a time may write to it, so that it cannot be shared by several. */
  readonly isExclusive: boolean;
}

/** Parts of a result that a trait may need; `podTemplate` is an object that describes its pods. */
export type Provision = 'pods' | 'podTemplate' | 'scales' | 'serviceAccount';

/** What makes objects of one type of component. */
export interface ComponentDefinition<Properties extends Fields = Fields> {
  readonly type: string;
  /** One sentence for the reference. */
  readonly summary: string;
  /** When its objects are applied; with the applications unless said. */
  readonly tier?: Tier;
  /** What traits may rely on; each is then among what `render` gives. */
  readonly provides?: readonly Provision[];
  readonly properties: Properties;
  /** Names that Kubernetes has for what the component does by other properties: the hint for those who write them. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Properties that one might look for here, and what to do instead. */
  readonly unsupported?: Readonly<Record<string, string>>;
  readonly problems?: HandlerProblems;
  render(input: ComponentInput<PropertiesOf<Properties>>): ComponentResult;
}

/** The component that a trait is of. */
export interface TraitOwner extends Omit<ComponentResult, 'objects' | 'places' | 'scopes'> {
  readonly name: string;
  /** It has a property "port", with which it would have a Service. */
  readonly canHavePort?: boolean | undefined;
}

export interface TraitInput<Properties> extends HandlerInput<Properties> {
  /** What the author wrote of the properties, for where it matters that it was not the platform. */
  readonly authored: JsonObject;
  readonly component: TraitOwner;
  /** That objects of the component get unless they have their own: of the application and of the component. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly delivery: Delivery;
  /** Of the cluster, as in 1.34; worked out when it is asked for. */
  readonly kubernetesMinor: () => number;
  /** What all traits of a type in the application say as their `name`. */
  readonly namesOf: (trait: string) => readonly string[];
  /** What the author wrote as the properties of all traits of a type that the component has. */
  readonly siblingsOf: (trait: string) => readonly JsonObject[];
}

export interface TraitResult {
  /** They come behind those of all components. */
  readonly objects?: readonly KubeObject[] | undefined;
  /** Changes the objects of the component itself. */
  readonly decorate?: ((objects: readonly KubeObject[]) => readonly KubeObject[]) | undefined;
  /** Holds a finished object of the component against what the trait promises of it. The path leads into the object. */
  readonly inspect?: Inspect | undefined;
  /** The same for the objects that the trait makes itself. */
  readonly inspectOwn?: Inspect | undefined;
  /** For the Flux Kustomizations that apply the objects. */
  readonly kustomization?: KustomizationSettings | undefined;
  /** Where traffic is sent; network policies are made of it when the platform says where it comes from. */
  readonly routes?: readonly Route[] | undefined;
}

export type Inspect = (object: KubeObject, report: (diagnostic: Diagnostic, path: Path) => void) => void;

/** Traffic that a trait sends to a Service. */
export interface Route {
  readonly service: string;
  readonly port: number | string;
  /** Its pods are those of the component that the trait is of, even when the component does not make the Service. */
  readonly isOwn?: boolean | undefined;
  /** Labels of the pods behind a Service that no component owns. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly sources: readonly TrafficSource[];
  /** Of the property that names the Service. */
  readonly path: Path;
}

export interface TrafficSource {
  readonly namespace: string;
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> } | undefined;
}

/** A trait of another type that takes the place of one. */
export interface LoweredTrait {
  readonly type: string;
  readonly properties: JsonObject;
  /** Where a property of the new trait stands in the properties of the old one. */
  readonly pathOf: (path: Path) => Path;
  /** Holds what the new trait makes against what the old one promises. */
  readonly inspectOwn?: Inspect | undefined;
}

/** What the platform says about a trait. */
export interface Capability {
  /** Whether a trait with these properties is of no use without it. */
  isNeeded(authored: JsonObject): boolean;
  /** What a rendering may hold. */
  readonly rendering: Fields;
  /** Rules of a rendering that no table can say. */
  check?(rendering: JsonObject, report: ReportAt): void;
  /** The lines of a profile that a person must write, as the hint of a missing capability. */
  readonly example: string;
}

interface TraitBase<Properties extends Fields> {
  readonly type: string;
  readonly summary: string;
  /** What the component must have, so that the trait can be of it. */
  readonly needs?: readonly Provision[];
  /** Without one, a rendering may hold whatever the author may write, and outranks nothing of it. */
  readonly capability?: Capability;
  readonly properties: Properties;
  readonly problems?: HandlerProblems;
}

export interface RenderedTrait<Properties extends Fields = Fields> extends TraitBase<Properties> {
  render(input: TraitInput<PropertiesOf<Properties>>): TraitResult;
}

export interface LoweringTrait<Properties extends Fields = Fields> extends TraitBase<Properties> {
  /** Other traits that do what this one asks for; none after something was told. */
  lower(input: TraitInput<PropertiesOf<Properties>>): readonly LoweredTrait[];
}

export type TraitDefinition<Properties extends Fields = Fields> = RenderedTrait<Properties> | LoweringTrait<Properties>;

/** What an entry of `spec.policies` asks for. */
export interface PolicyResult {
  /** Tightens what the policy of the platform says; it cannot allow more. */
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

/** What a handler can find wrong, as `defineProblems` gives it. */
export interface HandlerProblems {
  readonly definitions: Readonly<Record<string, ProblemSummary>>;
}

/** The properties of a handler as its code gets them. */
export type PropertiesOf<Properties extends Fields> = ValueOf<{
  readonly type: 'object';
  readonly properties: Properties;
}>;

// The types of properties are for those who write a handler; whoever calls one has checked the properties by its table.

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

// What the checker makes of a field is kept with the field, so that a table has one.
const fields = new WeakMap<Fields, Field>();

/** The table of a handler as one field. */
export function fieldOf({ properties, instead }: Pick<ComponentDefinition, 'properties' | 'instead'>): Field {
  const field = fields.get(properties) ?? { type: 'object', properties, ...(instead === undefined ? {} : { instead }) };
  fields.set(properties, field);
  return field;
}
