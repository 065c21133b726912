import { createValuesSchema, writeJson } from '../../index.ts';
import type { ApplicationExamination, ExaminedPart, ParameterDeclaration } from '../../index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { describeRange } from '../format-field.ts';

/** An application package as data. */
export function describeApplication(examination: ApplicationExamination): JsonObject {
  const { package: pkg, path, name, namespace, declarations, components, capabilities, patches } = examination;
  return present({
    name: pkg?.metadata.name,
    version: pkg?.metadata.version,
    description: pkg?.metadata.description,
    path,
    application: present({ name, namespace }),
    parameters: declarations.map((declaration) => describeParameter(declaration, examination)),
    components: components.map(({ traits, ...component }) => present({ ...component, traits: traits.map(present) })),
    capabilities,
    patches,
  });
}

function describeParameter(declaration: ParameterDeclaration, { parameters }: ApplicationExamination): JsonObject {
  const { name, type, required, default: otherwise, description } = declaration;
  return present({
    name,
    type,
    required,
    default: otherwise,
    value: parameters?.values.get(name)?.value,
    description,
    ...describeLimits(declaration),
  });
}

/** Constraints other than the type, as declared. */
function describeLimits({ name, ...rest }: ParameterDeclaration): JsonObject {
  const { properties } = createValuesSchema([{ ...rest, name, default: undefined }]);
  const described = (properties as Record<string, JsonObject>)[name]!;
  const { type: _type, description: _description, required: requiredKeys, ...limits } = described;
  return present({ ...limits, requiredKeys });
}

function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** An application package as text. */
export function formatApplication(examination: ApplicationExamination): readonly string[] {
  const { package: pkg, name, namespace, declarations, components, capabilities, patches } = examination;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Package', pkg?.metadata.name],
    ['Version', pkg?.metadata.version],
    ['Description', pkg?.metadata.description],
    ['Application', namespace === undefined ? name : `${name} (namespace: ${namespace})`],
    ['Requires from the profile', capabilities.length === 0 ? undefined : capabilities.join(', ')],
  ];
  return [
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`])),
    '',
    `Parameters (${declarations.length}):`,
    ...declarations.map((declaration) => `  ${formatParameter(declaration, examination)}`),
    `Components (${components.length}):`,
    ...components.map((component) => `  - ${formatComponent(component)}`),
    `Patches (${patches.length}):`,
    ...patches.map((patch) => `  - ${patch}`),
  ];
}

function formatParameter(declaration: ParameterDeclaration, { parameters, optional }: ApplicationExamination): string {
  const { name, type, required, description, default: otherwise } = declaration;
  const value = parameters?.values.get(name)?.value ?? otherwise;
  const need = optional.has(name) ? ', required where it is used' : ', required';
  const state = value === undefined ? (required ? need : '') : ` = ${shorten(writeJson(value, 0).trim())}`;
  const limits = listLimits(declaration).map((limit) => `, ${limit}`);
  const words = description === undefined ? '' : `  (${description.trim().replaceAll(/\s+/g, ' ')})`;
  return `${name}: ${type}${state}${limits.join('')}${words}`;
}

function listLimits({
  enum: words,
  pattern,
  minimum,
  maximum,
  requiredKeys = [],
}: ParameterDeclaration): readonly string[] {
  const listed = words?.map((word) => (typeof word === 'string' ? word : writeJson(word, 0).trim())).join(', ');
  const range = describeRange({ minimum, maximum });
  return [
    ...(range === undefined ? [] : [range]),
    ...(listed === undefined ? [] : [`one of ${shorten(listed)}`]),
    ...(pattern === undefined ? [] : [`matching ${shorten(pattern.text)}`]),
    ...(requiredKeys.length === 0 ? [] : [`with ${shorten(requiredKeys.join(', '))}`]),
  ];
}

const longest = 60;

/** One line of a list. */
export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function formatComponent({ name, type, enabled, traits }: ExaminedPart): string {
  const named = traits.map((trait) => `${trait.type}${formatEnabled(trait.enabled)}`);
  return `${name}: ${type}${formatEnabled(enabled)}${named.length === 0 ? '' : ` with ${named.join(', ')}`}`;
}

function formatEnabled(enabled: Json | undefined): string {
  return enabled === undefined || typeof enabled === 'object' ? '' : ` [enabled: ${enabled}]`;
}
