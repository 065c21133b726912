import { describeRange, escapeControls, wrapText } from '../diagnostics/index.ts';
import { mergeRuleOf, writeJson } from '../index.ts';
import type { DescribedType, KindSchema, SchemaNode } from '../index.ts';

export interface ShownField {
  readonly subject: ShownSubject;
  /** As the user wrote it, after the kind: `spec.replicas`. */
  readonly path: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

interface FieldOptions {
  /** Print the names of all fields below, instead of descriptions of the direct ones. */
  readonly recursive: boolean;
  readonly width: number | undefined;
}

// The width that kubectl uses.
const usualWidth = 80;

/** A field the way `kubectl explain` prints it. */
export function formatField({ subject, path, node, required }: ShownField, options: FieldOptions): string {
  const isType = 'category' in subject;
  const lines = [...(isType ? typeLines(subject) : kindLines(subject)), ''];
  const add = (more: readonly string[]): void => {
    for (const line of more) lines.push(line);
  };
  if (path !== '') lines.push(`FIELD: ${path} ${typeOf(node)}${required ? ' -required-' : ''}`, '');
  add(factLines(node, isType));
  add(['DESCRIPTION:', ...indent(describe(node, widthFor(4, options)), 4), '']);
  if (!isType || path !== '') add(sectionLines('FIELDS', node, options));
  else {
    for (const { title, names } of subject.groups) {
      const heading = title === undefined ? 'PROPERTIES' : `PROPERTIES, ${title}`;
      add(sectionLines(heading, { ...node, propertyNames: names }, options));
    }
    if (subject.rendering !== undefined) {
      add(sectionLines('RENDERING, which a profile gives', subject.rendering, options));
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function widthFor(indentation: number, { width = usualWidth }: FieldOptions): number {
  return Math.min(width, usualWidth) - indentation;
}

function sectionLines(title: string, node: SchemaNode, options: FieldOptions): readonly string[] {
  const holder = holderOf(node);
  return holder.propertyNames.length === 0
    ? []
    : [`${title}:`, ...fieldLines(holder, { ...options, column: 2, depth: 0 }), ...(options.recursive ? [''] : [])];
}

/** The facts of a field as a record for other programs. */
export function fieldToJson({ subject, path, node, required }: ShownField): string {
  const holder = holderOf(node);
  const facts = Object.entries({
    ...subjectToJson(subject),
    path,
    type: typeOf(node).slice(1, -1),
    required,
    description: node.description,
    format: node.format,
    enum: node.enum,
    default: node.default,
    minimum: node.minimum,
    maximum: node.maximum,
    nullable: node.nullable,
    listType: node.listType,
    listMapKeys: node.listMapKeys,
    mergeKey: node.patchMergeKey,
    patchStrategy: node.patchStrategy,
    fields: holder.propertyNames.length === 0 ? undefined : holder.propertyNames,
    rendering: 'category' in subject && path === '' ? subject.rendering?.propertyNames : undefined,
  }).filter(([, value]) => value !== undefined);
  return `${writeJson(Object.fromEntries(facts) as Parameters<typeof writeJson>[0])}\n`;
}

function factLines(node: SchemaNode, isType: boolean): readonly string[] {
  // The maximum of a type is not worth a word.
  const maximum = node.maximum !== undefined && node.maximum >= largest ? undefined : node.maximum;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['ENUM', listValues(node)],
    ['FORMAT', node.format],
    ['DEFAULT', node.default === undefined ? undefined : writeJson(node.default, 0)],
    ['RANGE', describeRange({ minimum: node.minimum, maximum })],
    ['PATTERN', node.pattern],
    ['LIST', node.listType === undefined ? undefined : [node.listType, ...(node.listMapKeys ?? [])].join(' ')],
    // Properties are merged by other rules than patches.
    ['MERGE', node.type === 'list' && !isType ? describeMerge(node) : undefined],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}:`.padEnd(12) + value]));
  return lines.length === 0 ? [] : [...lines, ''];
}

function listValues(node: SchemaNode): string | undefined {
  const words = node.enum ?? node.items?.enum;
  return words?.map((value) => (typeof value === 'string' ? value : writeJson(value, 0))).join(', ');
}

const largest = 2_147_483_647;

/** Details of a field other than its description. */
function noteLines(node: SchemaNode, column: number): readonly string[] {
  const notes = {
    enum: listValues(node),
    default: node.default === undefined ? undefined : writeJson(node.default, 0),
  };
  return Object.entries(notes).flatMap(([name, text]) =>
    text === undefined ? [] : [`${' '.repeat(column + 2)}${name}: ${text}`],
  );
}

function describeMerge(node: SchemaNode): string {
  const { strategy, key } = mergeRuleOf(node);
  return key === undefined ? strategy : `${strategy} by ${key}`;
}

function typeOf(node: SchemaNode): string {
  return `<${describeType(node)}>`;
}

function describeType(node: SchemaNode): string {
  if (node.type === 'list') return `[]${node.items === undefined ? 'any' : describeType(node.items)}`;
  if (node.type === 'object' && node.propertyNames.length === 0 && node.values !== undefined) {
    return `map[string]${describeType(node.values)}`;
  }
  return typeNames[node.type] ?? node.type;
}

// The Go names, which users know from kubectl.
const typeNames: Partial<Record<SchemaNode['type'], string>> = {
  object: 'Object',
  quantity: 'Quantity',
  'int-or-string': 'IntOrString',
};

/** A list of objects is described by the fields of its items, a map by those of its values. */
export function holderOf(node: SchemaNode): SchemaNode {
  let holder = node;
  for (;;) {
    const inner = holder.type === 'list' ? holder.items : holder.propertyNames.length === 0 ? holder.values : undefined;
    if (inner === undefined) return holder;
    holder = inner;
  }
}

const DEEPEST = 12;

interface FieldPlace extends FieldOptions {
  readonly column: number;
  readonly depth: number;
}

function fieldLines(holder: SchemaNode, place: FieldPlace): readonly string[] {
  const { column, depth, recursive } = place;
  return holder.propertyNames.flatMap((name) => {
    const field = holder.property(name)!;
    const mark = holder.required?.includes(name) === true ? ' -required-' : '';
    const line = `${' '.repeat(column)}${name}\t${typeOf(field)}${mark}`;
    if (!recursive) {
      return [line, ...noteLines(field, column), ...indent(describe(field, widthFor(8, place)), column + 2), ''];
    }
    // Kinds such as CustomResourceDefinition are recursive.
    if (depth === DEEPEST) return [line];
    return [line, ...fieldLines(holderOf(field), { ...place, column: column + 2, depth: depth + 1 })];
  });
}

function indent(lines: readonly string[], column: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
}

/** Descriptions of CRDs are untrusted text. */
function describe({ description = '<empty>' }: SchemaNode, width: number): readonly string[] {
  return wrapText(description, { width }).map((line) => escapeControls(line));
}

/** Owner of a field: a kind or a type of the catalog. */
type ShownSubject = KindSchema | ShownType;

/** A type of the catalog, and whether authors or platforms set its properties. */
interface ShownType extends DescribedType {
  readonly writer: 'author' | 'platform';
  /** A kind whose name differs only in case. */
  readonly namesake: string | undefined;
}

function subjectToJson(subject: ShownSubject): Readonly<Record<string, string>> {
  if ('category' in subject) return { [subject.category]: subject.type, writer: subject.writer };
  const { gvk, scope, source } = subject;
  return { group: gvk.group, version: gvk.version, kind: gvk.kind, scope, source };
}

function kindLines(kind: KindSchema): readonly string[] {
  const { group, version, kind: name } = kind.gvk;
  return [
    ...(group === '' ? [] : [`GROUP:      ${group}`]),
    `KIND:       ${name}`,
    `VERSION:    ${version}`,
    `SOURCE:     ${kind.source}`,
    `SCOPE:      ${kind.scope}`,
    ...deprecationLines(kind),
  ];
}

function deprecationLines({ deprecation }: KindSchema): readonly string[] {
  if (deprecation === undefined) return [];
  const { since, removedIn, replacement, warning } = deprecation;
  const words = [
    since === undefined ? undefined : `since ${since}`,
    removedIn === undefined ? undefined : `gone in ${removedIn}`,
    replacement === undefined ? undefined : `use ${replacement}`,
    warning,
  ].filter((word) => word !== undefined);
  return [`DEPRECATED: ${words.join(', ')}`];
}

const placesOf: Readonly<Record<DescribedType['category'], string>> = {
  component: 'spec.components[].properties of app.yaml',
  trait: 'spec.components[].traits[].properties of app.yaml',
  policy: 'spec.policies[].properties of app.yaml',
};

function typeLines({ category, type, writer, namesake }: ShownType): readonly string[] {
  const place = writer === 'author' ? placesOf[category] : `spec.capabilities.${type}.rendering of a ClusterProfile`;
  return [
    `${category.toUpperCase()}:`.padEnd(12) + type,
    `WRITTEN IN: ${place}`,
    ...(namesake === undefined ? [] : [`SEE ALSO:   kurel schema show ${namesake}, for the kind`]),
  ];
}
