import type { Budget, GroupVersionKind, Json, KubeObject } from '../model/index.ts';
import type { Scope } from '../kube/index.ts';

export type SchemaType =
  | 'object'
  | 'list'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  /** Kubernetes' IntOrString: `80` and `http` are both fine. */
  | 'int-or-string'
  /** A resource.Quantity: `1`, `0.5`, `500m`, `1Gi`. */
  | 'quantity'
  /** A string, a number or a boolean. */
  | 'scalar'
  /** Nothing is said about the value. */
  | 'any'
  /** No value fits. */
  | 'none';

/**
 * What a value may be: a field of Kubernetes, a property of a component, a key of a document, a parameter. Children are resolved when asked for, so that one kind costs only what it needs.
 * Facts that are not stated may be present as `undefined`: all nodes have one shape, which keeps reading them fast.
 */
export interface SchemaNode {
  readonly type: SchemaType;
  /** What to use instead of fields that one might look for here, by their names. */
  readonly instead?: Readonly<Record<string, string>> | undefined;
  /** Several types in place of one; `type` is then `any`. */
  readonly types?: readonly SchemaType[] | undefined;
  /** Of shipped kinds only in a store with `descriptions`. */
  readonly description?: string | undefined;
  /** `int32`, `int64`, `byte`, `date-time`, `duration`, … */
  readonly format?: string | undefined;
  /** What is wrong with a scalar beyond that, as the rest of a sentence: `must be a duration such as 90s`. */
  readonly check?: ((value: string | number | bigint | boolean) => string | undefined) | undefined;
  readonly enum?: readonly Json[] | undefined;
  readonly nullable?: boolean | undefined;
  /** `null` says that the field is not set, as Kubernetes' own types take it; a required field is then missing. */
  readonly nullIsAbsent?: boolean | undefined;
  /** `null` is a value as any other, and not as good as no field at all. */
  readonly nullIsValue?: boolean | undefined;
  /** `null` is an empty object. */
  readonly nullIsEmpty?: boolean | undefined;
  /** An empty string is as good as no field at all. */
  readonly emptyIsAbsent?: boolean | undefined;
  readonly default?: Json | undefined;
  /** A string that matches `pattern`. */
  readonly example?: string | undefined;
  /** What the value is for, as advice for one that is missing says it. */
  readonly meaning?: string | undefined;
  /** What the values of a long `enum` are: `trait`. */
  readonly noun?: string | undefined;
  /** Of objects: fields that must be there. */
  readonly required?: readonly string[] | undefined;
  /** Of objects: fields beyond `propertyNames` are allowed and not described (`x-kubernetes-preserve-unknown-fields`). */
  readonly open?: boolean | undefined;
  /** Of values of any type: fields beyond `propertyNames` are unknown when the value is an object. */
  readonly closed?: boolean | undefined;
  /** Of objects: what their keys must be. */
  readonly keys?: SchemaNode | undefined;
  /** Of objects: it is a whole Kubernetes object (`x-kubernetes-embedded-resource`). */
  readonly embedded?: boolean | undefined;
  /** Of objects: `atomic` when it is only ever replaced as a whole (`x-kubernetes-map-type`). */
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** Of lists. */
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  /** Strategic merge: `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[] | undefined;
  readonly patchMergeKey?: string | undefined;
  /** Structural constraints, as JSON Schema has them. */
  readonly pattern?: string | undefined;
  /** Whether a string matches `pattern`; without it the pattern is one of Go. */
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
  /** Rules in CEL (`x-kubernetes-validations`). */
  readonly rules?: readonly SchemaRule[] | undefined;
  /** The field is going away, in the words of its description. */
  readonly deprecated?: string | undefined;

  /** The schema of a field of an object, whether named or any (`additionalProperties`); `undefined` when there is none. */
  property(name: string): SchemaNode | undefined;
  /** Fields that are named, in the order of the source. */
  readonly propertyNames: readonly string[];
  /** Fields are described by what their names look like too. */
  readonly hasPatterns?: boolean | undefined;
  /** Schema of the values of a mapping with any keys (`additionalProperties`). */
  readonly values: SchemaNode | undefined;
  /** Schema of the items of a list. */
  readonly items: SchemaNode | undefined;
  /** Schemas of the first items of a list; `items` is that of the others. */
  readonly firstItems?: readonly SchemaNode[] | undefined;
  /** Fields of items whose own schema is not at hand, for advice. */
  readonly itemFields?: readonly string[] | undefined;
}

export interface SchemaLogic {
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  /** Some item of a list must fit. */
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
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A kind as a store knows it. */
export interface KindSchema {
  readonly gvk: GroupVersionKind;
  readonly scope: Scope;
  readonly schema: SchemaNode;
  /** In words, for messages: `Kubernetes 1.37`, `cert-manager 1.21.0`, `crds/widget.yaml`. */
  readonly source: string;
  /** The version of the kind is deprecated in the store's Kubernetes version, or in the CRD's own words. */
  readonly deprecation?: Deprecation;
}

export interface Deprecation {
  /** Kubernetes version since which it is deprecated, `1.31`. */
  readonly since?: string;
  /** Kubernetes version in which it is gone. */
  readonly removedIn?: string;
  /** What to use instead: `policy/v1 PodDisruptionBudget`. */
  readonly replacement?: string;
  /** The words of a CRD (`deprecationWarning`). */
  readonly warning?: string;
}

/** Everything that is known about kinds for one Kubernetes version. */
export interface SchemaStore {
  /** `1.37` */
  readonly kubernetesVersion: string;
  find(gvk: GroupVersionKind): KindSchema | undefined;
  /** Versions in which a group and kind exists in this store, newest first; empty when the kind is not known at all. */
  versionsOf(kind: Pick<GroupVersionKind, 'group' | 'kind'>): readonly string[];
  /** A kind that existed in an earlier Kubernetes version and is gone from this one. */
  removed(gvk: GroupVersionKind): Deprecation | undefined;
  /** The first Kubernetes version with a kind that this one does not have yet. */
  addedIn(gvk: GroupVersionKind): string | undefined;
  /** The schema of the metadata that objects of all kinds have. */
  objectMeta(): SchemaNode;
  /** All kinds, for did-you-mean and listings. */
  kinds(): readonly GroupVersionKind[];
  /**
   * The same store with the kinds that CustomResourceDefinitions describe, which win over shipped ones and earlier ones of
   * the same group and kind; other objects among them are passed over.
   */
  with(definitions: readonly KubeObject[], source: (definition: KubeObject) => string): SchemaStore;
}

/** Where the shipped data is read from; `host` reads it from the package, browsers and tests from memory. */
export interface SchemaFiles {
  /** The text of a file of the data, decompressed: `manifest.json`, `kubernetes.jsonl`. Throws when there is none. */
  read(name: string): string;
}
