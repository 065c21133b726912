import type { Field, Fields } from '../../packages/kurel/src/forms/application/documents/field.ts';

/** A table of properties, nested ones below those that hold them. */
export function describeFields(fields: Fields): readonly string[] {
  const rows = listRows(fields, '');
  return ['| property | type | default | meaning |', '|---|---|---|---|', ...rows];
}

function listRows(fields: Fields, above: string): readonly string[] {
  return Object.entries(fields).flatMap(([key, field]) => listField(`${above}${key}`, field));
}

function listField(name: string, field: Field): readonly string[] {
  const row = `| \`${name}\` | ${describeType(field)} | ${describeDefault(field)} | ${describeMeaning(field)} |`;
  // What is in a field of Kubernetes is explained by Kubernetes.
  return field.kubernetes === undefined ? [row, ...listInside(name, field)] : [row];
}

/** Whether any of the fields is one of Kubernetes. */
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
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  quantity: 'quantity',
  scalar: 'text, number or boolean',
  any: 'anything',
} as const;

function describeType(field: Field): string {
  if (field.enum !== undefined) return field.enum.map((word) => `\`${word}\``).join(', ');
  switch (field.type) {
    case 'array':
      return field.items === undefined ? 'list' : `list of ${plural(field.items)}`;
    case 'object':
      return field.open === undefined || field.open.type === 'any' ? 'mapping' : `mapping of ${plural(field.open)}`;
    case 'integer':
    case 'number':
      return [typeWords[field.type], describeRange(field)].filter((word) => word !== '').join(' ');
    default:
      return field.format === undefined || field.format === 'filled' ? typeWords[field.type] : formatName(field.format);
  }
}

/** `dns-label` → DNS label. */
function formatName(format: string): string {
  return format.replace(/^dns/, 'DNS').replaceAll('-', ' ');
}

function plural(field: Field): string {
  const type = describeType(field);
  if (field.enum !== undefined) return type;
  // A range may stand behind the word.
  if (field.type === 'integer' || field.type === 'number') return type.replace(/^\w+/, '$&s');
  return { array: 'lists', object: 'mappings', any: 'anything', scalar: type }[field.type as 'any'] ?? pluralOf(type);
}

/** `registry` → registries, `ingress class` → ingress classes. */
function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

const largest = 2_147_483_647;

function describeRange({ minimum, maximum = largest }: Field): string {
  const [least, most] = [minimum, maximum >= largest ? undefined : maximum];
  if (least === undefined) return most === undefined ? '' : `up to ${most}`;
  return most === undefined ? `from ${least}` : `${least} to ${most}`;
}

function describeDefault({ required, default: otherwise, policyDefault, reserved }: Field): string {
  const isEmpty = typeof otherwise === 'object' && otherwise !== null && Object.keys(otherwise).length === 0;
  const words = [
    otherwise === undefined || isEmpty ? '' : `\`${JSON.stringify(otherwise).replace(/^"(.+)"$/, '$1')}\``,
    policyDefault === undefined ? '' : `\`${policyDefault}\` of a policy`,
    required === true && reserved !== true ? 'required' : '',
  ];
  return words.filter((word) => word !== '').join(', or ');
}

function describeMeaning({ description = '', kubernetes, items, reserved }: Field): string {
  const place = kubernetes ?? items?.kubernetes;
  const words = [
    place === undefined ? description : `${description} (\`${formatPlace(place)}\`)`,
    reserved === true ? '**only the platform may give it**' : '',
  ];
  return words
    .filter((word) => word !== '')
    .join('; ')
    .replaceAll('|', String.raw`\|`);
}

/** In the words of `kurel schema show`. */
function formatPlace([apiVersion, kind, ...path]: NonNullable<Field['kubernetes']>): string {
  return [apiVersion.includes('/') ? `${apiVersion}/${kind}` : kind, ...path].join('.');
}
