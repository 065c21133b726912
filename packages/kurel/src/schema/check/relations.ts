import { quote } from '../../diagnostics/index.ts';
import { listWords } from './names.ts';
import type { ValueFinding } from './problems.ts';

/** A rule about fields of an object that depend on each other. */
export type Relation = Exclusion | Choice | Requirement;

interface RelationBase {
  /** Overrides the usual hint. */
  readonly hint?: string;
  /** Empty lists and objects count as not set. */
  readonly ignoresEmpty?: true;
}

/** At most one of the fields is set. */
interface Exclusion extends RelationBase {
  readonly exclusive: readonly string[];
}

/** At least one of the fields is set. */
interface Choice extends RelationBase {
  readonly anyOf: readonly string[];
}

/** The fields are set only together with another one. */
interface Requirement extends RelationBase {
  readonly fields: readonly string[];
  readonly require: string;
}

/** The relation as a sentence, for documentation. */
export function describeRelation(relation: Relation, show: (field: string) => string = quote): string {
  if ('anyOf' in relation) return `Requires ${listWords(relation.anyOf.map(show), 'or')}.`;
  if ('exclusive' in relation) return `${listWords(relation.exclusive.map(show), 'and')} are mutually exclusive.`;
  const { fields, require } = relation;
  return `${listWords(fields.map(show), 'and')} ${fields.length === 1 ? 'requires' : 'require'} ${show(require)}.`;
}

const codes = ['fields-exclusive', 'field-choice-missing', 'field-requires'] as const;

/** The codes of findings about relations. Each value is valid on its own then. */
export const relationCodes: ReadonlySet<string> = new Set(codes);

interface BrokenRelation {
  readonly finding: Extract<ValueFinding, readonly [(typeof codes)[number], unknown]>;
  /** The field to change; without one, the object lacks a field. */
  readonly field?: string;
}

interface RelatedFields {
  /** The object as messages name it. */
  readonly holder: () => string;
  readonly isSet: (field: string) => boolean;
}

/** What is wrong with an object whose fields must keep a relation. */
export function findBroken(relation: Relation, { holder, isSet }: RelatedFields): readonly BrokenRelation[] {
  const { hint: advice } = relation;
  if ('anyOf' in relation) {
    const { anyOf: fields } = relation;
    return fields.some(isSet) ? [] : [{ finding: ['field-choice-missing', { holder: holder(), fields, advice }] }];
  }
  if ('exclusive' in relation) {
    const fields = relation.exclusive.filter(isSet);
    if (fields.length < 2) return [];
    return [{ finding: ['fields-exclusive', { holder: holder(), fields, advice }], field: fields[1]! }];
  }
  const { fields, require } = relation;
  if (isSet(require)) return [];
  return fields
    .filter(isSet)
    .map((field) => ({ finding: ['field-requires', { holder: holder(), field, require, advice }], field }));
}
