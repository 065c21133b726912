import { describe, expect, it } from 'vitest';
import { createBudget } from '../../budget/index.ts';
import type { Json } from '../../model/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { check } from './check.ts';
import { describeRelation } from './relations.ts';
import type { Relation } from './relations.ts';
import type { CheckFinding } from './walk.ts';

const text: SchemaNode = {
  type: 'string',
  emptyIsAbsent: true,
  propertyNames: [],
  values: undefined,
  items: undefined,
  property: () => undefined,
};
const anything: SchemaNode = { ...text, type: 'any', emptyIsAbsent: false };
const fields: Readonly<Record<string, SchemaNode>> = { name: text, file: anything, url: anything, pin: anything };

/** The findings about an object at `spec` whose fields must keep a relation. */
function findingsOf(value: Json, relation: Relation): readonly CheckFinding[] {
  const node: SchemaNode = {
    type: 'object',
    relations: [relation],
    propertyNames: Object.keys(fields),
    values: undefined,
    items: undefined,
    property: (name) => fields[name],
  };
  const findings: CheckFinding[] = [];
  check(value, node, {
    source: { noun: 'field', whole: 'the document' },
    budget: createBudget(),
    path: ['spec'],
    report: (finding) => void findings.push(finding),
  });
  return findings;
}

const exclusive: Relation = { exclusive: ['name', 'file', 'url'] };
const anyOf: Relation = { anyOf: ['name', 'file'] };
const requirement: Relation = { fields: ['pin', 'name'], require: 'url' };

describe('a relation', () => {
  it.each<[string, Json, Relation, readonly unknown[]]>([
    ['one of exclusive fields', { name: 'x' }, exclusive, []],
    ['several exclusive fields', { url: 1, name: 'x', file: 1 }, exclusive, [['fields-exclusive', 'spec.file']]],
    ['null, false and an absent empty string, which are not set', { url: null, name: '', file: false }, exclusive, []],
    ['an empty string that is a value', { url: '', file: 'x' }, exclusive, [['fields-exclusive', 'spec.url']]],
    ['an empty list, which is set', { url: [], file: 'x' }, exclusive, [['fields-exclusive', 'spec.url']]],
    ['an empty list that does not count', { url: [], file: {} }, { ...exclusive, ignoresEmpty: true }, []],
    ['none of several fields', {}, anyOf, [['field-choice-missing', 'spec']]],
    ['an empty object', { file: {} }, anyOf, []],
    [
      'an empty object that does not count',
      { file: {} },
      { ...anyOf, ignoresEmpty: true },
      [['field-choice-missing', 'spec']],
    ],
    ['a misspelled field, which is reported as unknown', { fil: 1 }, anyOf, [['field-unknown', 'spec.fil']]],
    [
      'an unknown field',
      { other: 1 },
      anyOf,
      [
        ['field-choice-missing', 'spec'],
        ['field-unknown', 'spec.other'],
      ],
    ],
    [
      'fields without the one they require',
      { pin: 1, name: 'x' },
      requirement,
      [
        ['field-requires', 'spec.pin'],
        ['field-requires', 'spec.name'],
      ],
    ],
    ['a flag that is required and false', { pin: 1, url: false }, requirement, [['field-requires', 'spec.pin']]],
    ['the field that is required', { pin: 1, url: 1 }, requirement, []],
  ])('checks %s', (_, value, relation, expected) => {
    expect(findingsOf(value, relation).map(({ finding: [code], path }) => [code, path.join('.')])).toEqual(expected);
  });

  it('names the exclusive fields that are set', () => {
    const [finding] = findingsOf({ url: 1, name: 'x' }, exclusive);
    expect(finding?.finding).toEqual(['fields-exclusive', { holder: 'spec', fields: ['name', 'url'] }]);
  });

  it('has a sentence', () => {
    expect(
      [exclusive, anyOf, requirement, { fields: ['pin'], require: 'url' }].map((relation) =>
        describeRelation(relation),
      ),
    ).toEqual([
      '"name", "file" and "url" are mutually exclusive.',
      'Requires "name" or "file".',
      '"pin" and "name" require "url".',
      '"pin" requires "url".',
    ]);
  });
});
