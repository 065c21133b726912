import { escapeControls } from '../diagnostics/index.ts';
import { mergeRuleOf, writeJson } from '../index.ts';
import type { KindSchema, SchemaNode } from '../index.ts';
import { wrapText } from './wrap-text.ts';

export interface ShownField {
  readonly kind: KindSchema;
  /** As the user wrote it, after the kind: `spec.replicas`. */
  readonly path: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

/** A field the way `kubectl explain` prints it. */
export function formatField({ kind, path, node, required }: ShownField, recursive: boolean): string {
  const { group, version, kind: name } = kind.gvk;
  const lines = [
    ...(group === '' ? [] : [`GROUP:      ${group}`]),
    `KIND:       ${name}`,
    `VERSION:    ${version}`,
    `SOURCE:     ${kind.source}`,
    `SCOPE:      ${kind.scope}`,
    ...deprecationLines(kind),
    '',
  ];
  if (path !== '') lines.push(`FIELD: ${path} ${typeOf(node)}${required ? ' -required-' : ''}`, '');
  lines.push(...factLines(node));
  lines.push('DESCRIPTION:', ...indent(describe(node, 76), 4), '');
  const holder = holderOf(node);
  if (holder.propertyNames.length > 0) lines.push('FIELDS:', ...fieldLines(holder, 2, recursive));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The facts of a field as a record for other programs. */
export function fieldToJson({ kind, path, node, required }: ShownField): string {
  const { group, version, kind: name } = kind.gvk;
  const holder = holderOf(node);
  const facts = Object.entries({
    group,
    version,
    kind: name,
    scope: kind.scope,
    source: kind.source,
    path,
    type: typeOf(node).slice(1, -1),
    required,
    description: node.description,
    format: node.format,
    enum: node.enum,
    default: node.default,
    nullable: node.nullable,
    listType: node.listType,
    listMapKeys: node.listMapKeys,
    mergeKey: node.patchMergeKey,
    patchStrategy: node.patchStrategy,
    fields: holder.propertyNames.length === 0 ? undefined : holder.propertyNames,
  }).filter(([, value]) => value !== undefined);
  return `${writeJson(Object.fromEntries(facts) as Parameters<typeof writeJson>[0])}\n`;
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

function factLines(node: SchemaNode): readonly string[] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['ENUM', listValues(node)],
    ['FORMAT', node.format],
    ['DEFAULT', node.default === undefined ? undefined : writeJson(node.default, 0)],
    ['PATTERN', node.pattern],
    ['LIST', node.listType === undefined ? undefined : [node.listType, ...(node.listMapKeys ?? [])].join(' ')],
    ['MERGE', node.type === 'list' ? describeMerge(node) : undefined],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}:`.padEnd(12) + value]));
  return lines.length === 0 ? [] : [...lines, ''];
}

function listValues(node: SchemaNode): string | undefined {
  return node.enum?.map((value) => (typeof value === 'string' ? value : writeJson(value, 0))).join(', ');
}

function enumLines(node: SchemaNode, column: number): readonly string[] {
  const values = listValues(node);
  return values === undefined ? [] : [`${' '.repeat(column + 2)}enum: ${values}`];
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

// The names that Go programmers gave them, which is how people know them from kubectl.
const typeNames: Partial<Record<SchemaNode['type'], string>> = {
  object: 'Object',
  quantity: 'Quantity',
  'int-or-string': 'IntOrString',
};

/** A list of mappings is explained by the fields of its items, a mapping with any keys by those of its values. */
function holderOf(node: SchemaNode): SchemaNode {
  let holder = node;
  for (;;) {
    const inner = holder.type === 'list' ? holder.items : holder.propertyNames.length === 0 ? holder.values : undefined;
    if (inner === undefined) return holder;
    holder = inner;
  }
}

const DEEPEST = 12;

function fieldLines(holder: SchemaNode, column: number, recursive: boolean, depth = 0): readonly string[] {
  return holder.propertyNames.flatMap((name) => {
    const field = holder.property(name)!;
    const mark = holder.required?.includes(name) === true ? ' -required-' : '';
    const line = `${' '.repeat(column)}${name}\t${typeOf(field)}${mark}`;
    if (!recursive) return [line, ...enumLines(field, column), ...indent(describe(field, 72), column + 2), ''];
    // Kinds such as CustomResourceDefinition describe themselves without end.
    return depth === DEEPEST ? [line] : [line, ...fieldLines(holderOf(field), column + 2, true, depth + 1)];
  });
}

function indent(lines: readonly string[], column: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
}

/** Descriptions of CRDs are texts of strangers. */
function describe({ description = '<empty>' }: SchemaNode, width: number): readonly string[] {
  return wrapText(description, width).map((line) => escapeControls(line));
}
