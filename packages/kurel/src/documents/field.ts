import type { Json, JsonObject } from '../model/index.ts';
import type { Relation, TextFormat } from '../schema/index.ts';
import type { RewriteRule } from './rewrite.ts';

/**
 * A `quantity` can be a number or a string, a `scalar` also a boolean. Both are read as strings, a scalar exactly as
 * written: `1.10`, `0755`.
 */
type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'quantity' | 'scalar' | 'any';

/** Describes a field. One source for checks, defaults, types, editor schemas and reference pages. */
export interface Field {
  readonly type: FieldType;
  /** All types, if there are several; `type` is then the usual one. */
  readonly types?: readonly FieldType[];
  /** The name of the table in editor schemas, for a table that contains itself. */
  readonly definition?: string;
  readonly description?: string;
  readonly required?: boolean;
  /** Applies if the field is absent or null; nested fields have their own defaults. */
  readonly default?: Json;
  /** Whether null means absent. Defaults to true. */
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  /** Names the values of a long `enum` in messages: `must be a known …`. */
  readonly noun?: string;
  /** Words of other languages for the values of `enum`, in lower case: `bool` for `boolean`. */
  readonly otherWords?: Readonly<Record<string, string>>;
  readonly format?: TextFormat;
  /** Integers of any size are allowed, which are read as `bigint` if necessary. */
  readonly exact?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Field;
  readonly minItems?: number;
  /** The field that must be unique among the items of a list. */
  readonly uniqueBy?: string;
  readonly properties?: Fields;
  /** Which of the fields exclude or require each other. */
  readonly relations?: readonly Relation[];
  /** Advice for fields that users may look for here, by name. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Advice for other unknown fields, if there are too many known ones to list: how to print them. */
  readonly listing?: string;
  /** Advice for a string where another type is required. */
  readonly insteadOfText?: string;
  /** Advice for a boolean where another type is required. */
  readonly insteadOfBoolean?: string;
  /** The value of keys that are not in `properties`; without it no other keys are allowed. */
  readonly open?: Field;
  /** The format of the keys of an open object. */
  readonly keys?: TextFormat;
  /** The Kubernetes field whose schema its content is checked against. */
  readonly kubernetes?: KubernetesField;
  /** Input accepted in addition to the Kubernetes schema. */
  readonly rewrite?: readonly RewriteRule[];
  /** Only the platform can set it, never the author. */
  readonly reserved?: true;
  /** The default of a policy that applies if the author does not set the field. */
  readonly policyDefault?: PolicyDefault;
  /** Heading of a property in descriptions of its handler. Properties without one are common and come first. */
  readonly group?: FieldGroup;
}

/** Headings of properties, in the order of descriptions. */
export const fieldGroups = [
  'Jobs',
  'Container',
  'Pod',
  'Scheduling',
  'Storage',
  'Network',
  'Rollout',
  'Names and labels',
] as const;

export type FieldGroup = (typeof fieldGroups)[number];

export interface GroupedFields {
  /** `undefined` for the common properties. */
  readonly group: FieldGroup | undefined;
  readonly fields: Fields;
}

/** The fields by heading, without empty groups. */
export function listGroups(fields: Fields): readonly GroupedFields[] {
  return [undefined, ...fieldGroups].flatMap((group) => {
    const own = Object.entries(fields).filter(([, field]) => field.group === group);
    return own.length === 0 ? [] : [{ group, fields: Object.fromEntries(own) }];
  });
}

export type KubernetesField = readonly [apiVersion: string, kind: string, ...path: string[]];

export type PolicyDefault = 'replicas' | 'storageSize' | 'scalerMinReplicas' | 'scalerMaxReplicas';

export type Fields = Readonly<Record<string, Field>>;

export const anything: Field = { type: 'any' };
export const noFields: Fields = {};

/** The value of a field after reading. */
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

/** The field of an item or entry. */
export function fieldIn({ properties = {}, open, items }: Field, step: string | number): Field | undefined {
  if (typeof step === 'number') return items;
  return Object.hasOwn(properties, step) ? properties[step] : open;
}

/** The default for editors and descriptions; an empty one has no meaning there. */
export function shownDefault({ default: value }: Field): Json | undefined {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

/** An object that is passed on unchanged. */
export const anyMapping = { type: 'object', open: { type: 'any' }, default: {} } as const satisfies Field;

export const labels = {
  type: 'object',
  description: 'Labels of every object.',
  open: { type: 'scalar', format: 'label-value' },
  keys: 'label-key',
  default: {},
} as const satisfies Field;

export const annotations = {
  type: 'object',
  description: 'Annotations of every object.',
  open: { type: 'scalar' },
  keys: 'annotation-key',
  default: {},
} as const satisfies Field;
