import type { Json, JsonObject } from '../../../model/index.ts';
import type { TextFormat } from '../../../schema/index.ts';
import type { RewriteRule } from './rewrite.ts';

/**
 * A `quantity` may be written as a number or a text, a `scalar` also as a boolean; both are read as texts, a scalar exactly as it
 * was written: `1.10`, `0755`.
 */
export type FieldType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'quantity'
  | 'scalar'
  | 'any';

/** What a field holds: data, so that checks, defaults, types, editors' schemas and reference pages have one source. */
export interface Field {
  readonly type: FieldType;
  readonly description?: string;
  readonly required?: boolean;
  /** Taken when the field is absent or null; fields inside it get their own defaults. */
  readonly default?: Json;
  /** Whether null means absent, as it does unless said otherwise. */
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  /** What the words of a long `enum` are, as in `"x" is no known …`. */
  readonly noun?: string;
  readonly format?: TextFormat;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Field;
  readonly minItems?: number;
  /** The field that no two items of a list may share. */
  readonly uniqueBy?: string;
  readonly properties?: Fields;
  /** What to use instead of fields that one might look for here, by their names. */
  readonly instead?: Readonly<Record<string, string>>;
  /** What keys beyond `properties` hold; without it there may be none. */
  readonly open?: Field;
  /** What the keys of an open mapping must look like. */
  readonly keys?: TextFormat;
  /** A field of Kubernetes: what is in it is checked against the schema that Kubernetes has for it. */
  readonly kubernetes?: KubernetesField;
  /** What is understood in a field of Kubernetes beyond what its schema takes. */
  readonly rewrite?: readonly RewriteRule[];
  /** Only the platform may give it, never the author. */
  readonly reserved?: true;
  /** The default of a policy that is taken where the author says nothing. */
  readonly policyDefault?: PolicyDefault;
}

export type KubernetesField = readonly [apiVersion: string, kind: string, ...path: string[]];

export type PolicyDefault = 'replicas' | 'storageSize' | 'scalerMinReplicas' | 'scalerMaxReplicas';

export type Fields = Readonly<Record<string, Field>>;

/** The data that a field holds once it was read. */
export type ValueOf<F extends Field> = F extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : F extends { readonly type: 'string' | 'quantity' | 'scalar' }
    ? string
    : F extends { readonly type: 'integer' | 'number' }
      ? number
      : F extends { readonly type: 'boolean' }
        ? boolean
        : F extends { readonly type: 'array' }
          ? readonly (F extends { readonly items: infer Item extends Field } ? ValueOf<Item> : Json)[]
          : F extends { readonly type: 'object' }
            ? MappingOf<F>
            : Json;

type MappingOf<F extends Field> = F extends { readonly properties: infer Properties extends Fields }
  ? {
      readonly [Key in keyof Properties as IsPresent<Properties[Key]> extends true ? Key : never]: ValueOf<
        Properties[Key]
      >;
    } & {
      readonly [Key in keyof Properties as IsPresent<Properties[Key]> extends true ? never : Key]?: ValueOf<
        Properties[Key]
      >;
    }
  : F extends { readonly open: infer Value extends Field }
    ? Value extends { readonly type: 'any' }
      ? JsonObject
      : Readonly<Record<string, ValueOf<Value>>>
    : JsonObject;

type IsPresent<F extends Field> = F extends { readonly required: true }
  ? true
  : F extends { readonly default: Json }
    ? true
    : false;

/** A mapping that is handed on as it is. */
export const anyMapping = { type: 'object', open: { type: 'any' }, default: {} } as const satisfies Field;

export const labels = {
  type: 'object',
  description: 'labels of every object',
  open: { type: 'scalar', format: 'label-value' },
  keys: 'label-key',
  default: {},
} as const satisfies Field;

export const annotations = {
  type: 'object',
  description: 'annotations, by key',
  open: { type: 'scalar' },
  keys: 'annotation-key',
  default: {},
} as const satisfies Field;
