import { getOrAdd } from '../budget/index.ts';
import type { Json, Path } from '../model/index.ts';
import { textField } from './define-fields.ts';
import { annotations, anyMapping, labels } from './field.ts';
import type { Field } from './field.ts';
import type { DocumentFindings, ReadingOptions } from './document-findings.ts';
import { documentProblems } from './problems.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';

/** The types that documents can use. */
export interface KnownTypes {
  readonly components: Iterable<string>;
  readonly traits: Iterable<string>;
}

interface ApplicationOptions extends ReadingOptions {
  readonly known: KnownTypes;
  /** Every component is disabled, so the list may be empty. */
  readonly isAllOff?: boolean | undefined;
}

const metadata = {
  type: 'object',
  description: 'Object with the name of the application.',
  required: true,
  properties: {
    name: { ...textField('dns-subdomain', 'Name of the application.'), required: true },
    namespace: textField('dns-label', 'Namespace of its objects.'),
    labels,
    annotations,
  },
} as const satisfies Field;

const enabled = {
  type: 'boolean',
  description: 'Whether to build this component or trait.',
  default: true,
  nullable: false,
} as const satisfies Field;

const trait = {
  type: 'object',
  properties: {
    type: { type: 'string', description: 'Trait type.', required: true, noun: 'trait' },
    properties: anyMapping,
    enabled,
  },
} as const satisfies Field;

const component = {
  type: 'object',
  properties: {
    name: { ...textField('dns-label', 'Name of the component and its objects.'), required: true },
    type: { type: 'string', description: 'Component type.', required: true, noun: 'component type' },
    properties: anyMapping,
    traits: { type: 'array', default: [], items: trait },
    labels: { ...labels, description: 'Labels of the objects of the component.' },
    annotations,
    enabled,
  },
} as const satisfies Field;

const policy = {
  type: 'object',
  properties: {
    name: { ...textField('dns-subdomain', 'Name of the policy.'), required: true },
    type: { ...textField('filled', 'Policy type.'), required: true },
    properties: anyMapping,
  },
} as const satisfies Field;

const fewestComponents: number = 1;

const spec = {
  type: 'object',
  description: 'Object with the components of the application.',
  required: true,
  properties: {
    components: {
      type: 'array',
      description: 'List of components.',
      required: true,
      minItems: fewestComponents,
      uniqueBy: 'name',
      items: component,
    },
    policies: { type: 'array', default: [], uniqueBy: 'name', items: policy },
  },
} as const satisfies Field;

export const applicationTables = { kind: 'Application', metadata, spec } as const;

export type ApplicationDocument = Document<typeof metadata, typeof spec>;

/** Reads `app.yaml` with parameters filled in; properties are left to the components and traits. */
export function readApplicationDocument(
  data: Json | undefined,
  options: ApplicationOptions,
): ApplicationDocument | undefined {
  return readDocument(data, { ...applicationTables, spec: knowTypes(options) }, options);
}

/** Tables by the types that they know: a process that builds many applications mostly has one set of them. */
const tables = new Map<string, typeof spec>();
const mostTables = 20;

/** The table with the types that exist in this build. */
function knowTypes({ known: types, isAllOff = false }: ApplicationOptions): typeof spec {
  const [components, traits] = [[...types.components].toSorted(), [...types.traits].toSorted()];
  const key = JSON.stringify([components, traits, isAllOff]);
  if (tables.size >= mostTables) tables.clear();
  return getOrAdd(tables, key, () => createTable(components, traits, isAllOff));
}

function createTable(components: readonly string[], traits: readonly string[], isAllOff: boolean): typeof spec {
  const knownTrait = { ...trait.properties.type, enum: traits };
  const traitItems = { ...trait, properties: { ...trait.properties, type: knownTrait } };
  const type = { ...component.properties.type, enum: components };
  const properties = { ...component.properties, type, traits: { ...component.properties.traits, items: traitItems } };
  const items = { ...component, properties };
  const list = { ...spec.properties.components, minItems: isAllOff ? 0 : fewestComponents, items };
  return { ...spec, properties: { ...spec.properties, components: list } };
}

export interface PlatformOptions extends ReadingOptions {
  /** If set, unknown types are reported, because rules about them have no effect. */
  readonly known?: { readonly traits: readonly string[]; readonly components?: readonly string[] } | undefined;
}

type TypeCheck = (type: string, path: Path, at?: 'key') => void;

/** Reports references to unknown types of components or traits. */
export function createTypeCheck(
  types: readonly string[] | undefined,
  findings: DocumentFindings,
  code: 'capability-trait-unknown' | 'policy-trait-unknown' | 'policy-component-unknown' | 'policy-volume-type-unknown',
): TypeCheck {
  if (types === undefined) return () => undefined;
  const names = new Set(types);
  const sorted = [...names].toSorted();
  return (type, path, at) => {
    if (names.has(type) || findings.has(path)) return;
    findings.add(path, documentProblems.create(code, { type, known: sorted }), at);
  };
}
