import type { Budget, GroupVersionKind, Json, KubeObject } from '../model/index.ts';
import type { Scope } from '../kube/index.ts';
import type { Relation } from './check/relations.ts';

export type SchemaType =
  | 'object'
  | 'list'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  /** Kubernetes' IntOrString: `80` and `http` are both valid. */
  | 'int-or-string'
  /** A resource.Quantity: `1`, `0.5`, `500m`, `1Gi`. */
  | 'quantity'
  /** A string, a number or a boolean. */
  | 'scalar'
  /** Any value. */
  | 'any'
  /** No value. */
  | 'none';

/**
 * What a value may be: a Kubernetes field, a component property, a document key or a parameter. Children are resolved on demand, so
 * that one kind costs only what it needs. Absent facts may be present as `undefined`: all nodes have one shape, which is faster to read.
 */
export interface SchemaNode {
  readonly type: SchemaType;
  /** What to use instead of fields that a user might expect here, by name. */
  readonly instead?: Readonly<Record<string, string>> | undefined;
  /** How to print the fields, if there are too many for a hint. */
  readonly listing?: string | undefined;
  /** What to use instead of a string, where another type is required. */
  readonly insteadOfText?: string | undefined;
  /** What to use instead of a boolean, where another type is required. */
  readonly insteadOfBoolean?: string | undefined;
  /** Several types instead of one; `type` is then the usual one, or `any`. */
  readonly types?: readonly SchemaType[] | undefined;
  /** For shipped kinds, only in a store with `descriptions`. */
  readonly description?: string | undefined;
  /** `int32`, `int64`, `byte`, `date-time`, `duration`, … */
  readonly format?: string | undefined;
  /** A further check of a scalar; returns the end of a sentence: `must be a duration such as 90s`. */
  readonly check?: ((value: string | number | bigint | boolean) => string | undefined) | undefined;
  readonly enum?: readonly Json[] | undefined;
  readonly nullable?: boolean | undefined;
  /** `null` means that the field is not set, as in Kubernetes' own types; a required field is then missing. */
  readonly nullIsAbsent?: boolean | undefined;
  /** `null` is a value like any other, and does not mean that the field is absent. */
  readonly nullIsValue?: boolean | undefined;
  /** `null` is an empty object. */
  readonly nullIsEmpty?: boolean | undefined;
  /** An empty string means that the field is absent. */
  readonly emptyIsAbsent?: boolean | undefined;
  readonly default?: Json | undefined;
  /** A string that matches `pattern`. */
  readonly example?: string | undefined;
  /** The purpose of the value, for the hint about a missing one. */
  readonly meaning?: string | undefined;
  /** What the values of a long `enum` are: `trait`. */
  readonly noun?: string | undefined;
  /** Words of other languages for the values of `enum`, in lower case. */
  readonly otherWords?: Readonly<Record<string, string>> | undefined;
  /** Of objects: required fields. */
  readonly required?: readonly string[] | undefined;
  /** Of objects: which fields exclude or require each other. */
  readonly relations?: readonly Relation[] | undefined;
  /** Of objects: fields beyond `propertyNames` are allowed and have no schema (`x-kubernetes-preserve-unknown-fields`). */
  readonly open?: boolean | undefined;
  /** Of values of any type: fields beyond `propertyNames` are unknown if the value is an object. */
  readonly closed?: boolean | undefined;
  /** Of objects: the schema of their keys. */
  readonly keys?: SchemaNode | undefined;
  /** Of objects: a complete Kubernetes object (`x-kubernetes-embedded-resource`). */
  readonly embedded?: boolean | undefined;
  /** Of objects: `atomic` if it can only be replaced as a whole (`x-kubernetes-map-type`). */
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** Of lists. */
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  /** Strategic merge: `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[] | undefined;
  readonly patchMergeKey?: string | undefined;
  /** Structural constraints, as in JSON Schema. */
  readonly pattern?: string | undefined;
  /** Whether a string matches `pattern`; without it, the pattern is a Go pattern. */
  readonly matches?: ((text: string, budget: Budget) => boolean) | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly multipleOf?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  /** In structural schemas these only constrain and never describe new fields. */
  readonly logic?: SchemaLogic | undefined;
  /** CEL rules (`x-kubernetes-validations`). */
  readonly rules?: readonly SchemaRule[] | undefined;
  /** Set if the field is deprecated: the text of its description. */
  readonly deprecated?: string | undefined;

  /** The schema of a field, named or from `additionalProperties`; `undefined` if there is none. */
  property(name: string): SchemaNode | undefined;
  /** Named fields, in the order of the source. */
  readonly propertyNames: readonly string[];
  /** Some fields are described by a pattern of their names. */
  readonly hasPatterns?: boolean | undefined;
  /** Schema of the values of an object with arbitrary keys (`additionalProperties`). */
  readonly values: SchemaNode | undefined;
  /** Schema of the items of a list. */
  readonly items: SchemaNode | undefined;
  /** Schemas of the first items of a list; `items` applies to the others. */
  readonly firstItems?: readonly SchemaNode[] | undefined;
  /** Fields of items whose own schema is not available, for hints. */
  readonly itemFields?: readonly string[] | undefined;
}

/** What a schema of constants consists of. */
interface NodeParts extends Partial<Omit<SchemaNode, 'property' | 'propertyNames' | 'values'>> {
  readonly type: SchemaType;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** A schema with named fields, or with items. */
export function defineNode({ properties = {}, items, ...facts }: NodeParts): SchemaNode {
  return {
    ...facts,
    property: (name) => (Object.hasOwn(properties, name) ? properties[name] : undefined),
    propertyNames: Object.keys(properties),
    values: undefined,
    items,
  };
}

export interface SchemaLogic {
  readonly allOf?: readonly SchemaNode[] | undefined;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly oneOf?: readonly SchemaNode[] | undefined;
  readonly not?: SchemaNode | undefined;
  /** At least one item of a list must match. */
  readonly contains?: SchemaNode;
  readonly conditions?: readonly SchemaCondition[];
}

export interface SchemaCondition {
  readonly if: SchemaNode;
  readonly then?: SchemaNode | undefined;
  readonly else?: SchemaNode | undefined;
}

export interface SchemaRule {
  readonly rule: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean;
  /** Of the rules of shipped schemas, whose trees are in the data. */
  readonly tree?: RuleTree | undefined;
}

/**
 * The syntax tree of a rule as JSON: an operator with its operands. A string is a name, a number an integer; `['text', word]` is a string
 * of the rule.
 */
export type RuleTree = string | number | boolean | readonly RuleTree[];

/** A kind in a store. */
export interface KindSchema {
  readonly gvk: GroupVersionKind;
  readonly scope: Scope;
  readonly schema: SchemaNode;
  /** The origin, for messages: `Kubernetes 1.37`, `cert-manager 1.21.0`, `crds/widget.yaml`. */
  readonly source: string;
  /** Set if this version of the kind is deprecated in the store's Kubernetes version, or by the CRD itself. */
  readonly deprecation?: Deprecation;
}

export interface Deprecation {
  /** Kubernetes version that deprecated it, `1.31`. */
  readonly since?: string;
  /** Kubernetes version that removed it. */
  readonly removedIn?: string;
  /** What to use instead: `policy/v1 PodDisruptionBudget`. */
  readonly replacement?: string;
  /** The `deprecationWarning` of a CRD. */
  readonly warning?: string;
}

/** All known kinds for one Kubernetes version. */
export interface SchemaStore {
  /** `1.37` */
  readonly kubernetesVersion: string;
  /** `1.37.2`, if a patch version was requested. Schemas are the same for all of them. */
  readonly patchVersion?: string | undefined;
  find(gvk: GroupVersionKind): KindSchema | undefined;
  /** Versions of a group and kind in this store, newest first; empty if the kind is unknown. */
  versionsOf(kind: Pick<GroupVersionKind, 'group' | 'kind'>): readonly string[];
  /** A kind that existed in an earlier Kubernetes version but not in this one. */
  removed(gvk: GroupVersionKind): Deprecation | undefined;
  /** The first Kubernetes version with a kind that this version does not have yet. */
  addedIn(gvk: GroupVersionKind): string | undefined;
  /** The schema of the metadata of all kinds. */
  objectMeta(): SchemaNode;
  /** All kinds, for suggestions and listings. */
  kinds(): readonly GroupVersionKind[];
  /**
   * The same store with the kinds of CustomResourceDefinitions, which override shipped and earlier ones with
   * the same group and kind; other objects are ignored.
   */
  with(definitions: readonly KubeObject[], source: (definition: KubeObject) => string): SchemaStore;
}

/** The source of the shipped data; `host` reads it from the package, browsers and tests from memory. */
export interface SchemaFiles {
  /** The decompressed text of a data file: `manifest.json`, `kubernetes.jsonl`. Throws if it does not exist. */
  read(name: string): string;
}
