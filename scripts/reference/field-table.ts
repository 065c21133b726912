import { describeRelation } from '../../packages/kurel/src/schema/index.ts';
import { listGroups } from '../../packages/kurel/src/documents/field.ts';
import type { Field, Fields } from '../../packages/kurel/src/documents/field.ts';

/** A table of properties, with nested ones below their parents. */
export function describeFields(fields: Fields): readonly string[] {
  const rows = listRows(fields, '');
  return ['| property | type | default | description |', '|---|---|---|---|', ...rows];
}

/** A table of the common properties, then one for each heading. */
export function describeGroups(fields: Fields): readonly string[] {
  return listGroups(fields).flatMap(({ group, fields: own }) => {
    const table = describeFields(own).join('\n');
    return group === undefined ? [table] : [`### ${group}`, table];
  });
}

function listRows(fields: Fields, above: string): readonly string[] {
  return Object.entries(fields).flatMap(([key, field]) => listField(`${above}${key}`, field));
}

function listField(name: string, field: Field): readonly string[] {
  const row = `| \`${name}\` | ${describeType(field)} | ${describeDefault(field)} | ${describeField(field)} |`;
  // Kubernetes documents the content of its own fields.
  return field.kubernetes === undefined ? [row, ...listInside(name, field)] : [row];
}

/** Whether any of the fields is a Kubernetes field. */
export function hasKubernetesFields(fields: Fields): boolean {
  return Object.values(fields).some(
    ({ kubernetes, items, open, properties = {} }) =>
      kubernetes !== undefined ||
      [items, open].some((inner) => inner !== undefined && hasKubernetesFields({ inner })) ||
      hasKubernetesFields(properties),
  );
}

function listInside(name: string, { items, open, properties }: Field): readonly string[] {
  if (items !== undefined) return items.kubernetes === undefined ? listInside(`${name}[]`, items) : [];
  const free = open === undefined || open.kubernetes !== undefined ? [] : listInside(`${name}.*`, open);
  return [...listRows(properties ?? {}, `${name}.`), ...free];
}

const typeWords = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  quantity: 'quantity',
  scalar: 'string, number or boolean',
  any: 'any',
} as const;

function describeType(field: Field): string {
  if (field.enum !== undefined) return field.enum.map((word) => `\`${word}\``).join(', ');
  switch (field.type) {
    case 'array':
      return field.items === undefined ? 'list' : `list of ${plural(field.items)}`;
    case 'object':
      return field.open === undefined || field.open.type === 'any' ? 'object' : `map of ${plural(field.open)}`;
    case 'integer':
    case 'number':
      return [typeWords[field.type], describeRange(field)].filter((word) => word !== '').join(' ');
    default:
      return field.format === undefined || field.format === 'filled' ? typeWords[field.type] : formatName(field.format);
  }
}

/** `dns-label` → DNS label, `chart-url` → chart URL. */
function formatName(format: string): string {
  if (format === 'sha256') return 'SHA-256 digest';
  return format
    .replace('dns-1035', 'DNS-1035')
    .replace(/^dns-/, 'DNS ')
    .replace(/-(?=[a-z])/g, ' ')
    .replace(/ url$/, ' URL');
}

function plural(field: Field): string {
  const type = describeType(field);
  if (field.enum !== undefined) return type;
  // The range comes after the noun.
  if (field.type === 'integer' || field.type === 'number') return type.replace(/^\w+/, '$&s');
  return (
    { array: 'lists', object: 'objects', any: 'any type', scalar: 'strings, numbers or booleans' }[
      field.type as 'any'
    ] ?? pluralOf(type)
  );
}

/** `registry` → registries, `ingress class` → ingress classes. */
function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

const largest = 2_147_483_647;

function describeRange({ minimum, maximum = largest }: Field): string {
  const [least, most] = [minimum, maximum >= largest ? undefined : maximum];
  if (least === undefined) return most === undefined ? '' : `≤ ${most}`;
  return most === undefined ? `≥ ${least}` : `${least} to ${most}`;
}

function describeDefault({ required, default: otherwise, policyDefault, reserved }: Field): string {
  const isEmpty = typeof otherwise === 'object' && otherwise !== null && Object.keys(otherwise).length === 0;
  const words = [
    otherwise === undefined || isEmpty ? '' : `\`${JSON.stringify(otherwise).replace(/^"(.+)"$/, '$1')}\``,
    policyDefault === undefined ? '' : `\`${policyDefault}\` of the policy`,
    required === true && reserved !== true ? 'required' : '',
  ];
  return words.filter((word) => word !== '').join(', or ');
}

/** Which fields exclude or require each other, in sentences. */
export function describeRelations(relations: Field['relations'] = []): readonly string[] {
  return relations.map((relation) => describeRelation(relation, (field) => `\`${field}\``));
}

function describeField({ description = '', kubernetes, items, reserved, relations = items?.relations }: Field): string {
  const place = kubernetes ?? items?.kubernetes;
  const sentences = [
    description,
    ...describeRelations(relations),
    place === undefined ? '' : `See \`${formatPlace(place)}\`.`,
    reserved === true ? '**Only the profile can set it.**' : '',
  ];
  return sentences
    .filter((sentence) => sentence !== '')
    .join(' ')
    .replaceAll('|', String.raw`\|`);
}

/** As an argument of `kurel schema show`. */
function formatPlace([apiVersion, kind, ...path]: NonNullable<Field['kubernetes']>): string {
  return [apiVersion.includes('/') ? `${apiVersion}/${kind}` : kind, ...path].join('.');
}
