import { describeRange, hiddenText } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, withoutUndefined } from '../../model/index.ts';
import type { Json, JsonObject, Report } from '../../model/index.ts';
import type { ParameterDeclaration } from '../../parameters/index.ts';
import { once, wordsOfValue } from '../../provenance/index.ts';
import { writeJson } from '../../yaml/index.ts';
import type { DescriptionRequest, PackageDescription, PublishedParts } from '../form-types.ts';
import { cut, formatList, formatRows, joinLines, showBriefly } from '../package-info.ts';
import { createCatalog } from './catalog/catalog.ts';
import { checkDocument } from './check-document.ts';
import { createValuesSchema, describeValue } from './editor-schemas/values-schema.ts';
import { examineApplication } from './examine-application.ts';
import type { ApplicationExamination, ExaminedPart } from './examine-application.ts';
import { loadApplication } from './load-application.ts';
import { listSecretWords } from './static-secrets.ts';

export async function describe(request: DescriptionRequest, report: Report): Promise<PackageDescription | undefined> {
  const { path, fileSystem, published, package: { layers = [], limits } = {}, application = {} } = request;
  const pkg = await loadApplication({ fileSystem, path, profile: false, limits }, report);
  if (pkg === undefined) return undefined;
  const secretWords = once(() => listSecretWords(pkg, layers));
  request.onSecrets?.(secretWords);
  const catalog = createCatalog(application.handlers);
  const examined = examineApplication(pkg, { catalog, layers, report });
  for (const source of request.isToBePublished === true ? [pkg.declaration, ...pkg.definitions] : []) {
    if (source !== undefined) checkDocument(source, { catalog, definitions: pkg.definitions, report });
  }
  if (examined === undefined) return undefined;
  const examination = published === undefined ? examined : await addPublished(examined, published);
  const { package: declared, name, declarations, optional } = examination;
  const hide: Hide = (value) => (wordsOfValue(value).some((word) => secretWords().includes(word)) ? hiddenText : value);
  const { version, description } = declared?.metadata ?? {};
  return {
    name: declared?.metadata.name ?? name,
    version,
    description,
    listParameters: () => declarations,
    createSchema: () => createValuesSchema(declarations, { optional }),
    createInfo: async () => ({
      data: () => describeApplication(examination, hide),
      lines: () => formatApplication(examination, hide),
    }),
  };
}

/** The value of a parameter as `kurel info` may show it. */
type Hide = (value: Json | undefined) => Json | undefined;

/** Patches use parameters, too, so that of a package without them only the schema knows which are required. */
async function addPublished(
  examined: ApplicationExamination,
  { files, fetchSchema }: PublishedParts,
): Promise<ApplicationExamination> {
  const schema = await fetchSchema();
  const required = isJsonObject(schema) && isJsonArray(schema['required']) ? schema['required'] : [];
  return {
    ...examined,
    patches: files.filter((file) => /^patches\/[^/]+\.kpatch$/.test(file)),
    optional: new Set(examined.declarations.map(({ name }) => name).filter((name) => !required.includes(name))),
  };
}

function describeApplication(examination: ApplicationExamination, hide: Hide): JsonObject {
  const { package: pkg, path, name, namespace, declarations, components, capabilities, patches } = examination;
  return withoutUndefined({
    name: pkg?.metadata.name,
    version: pkg?.metadata.version,
    description: pkg?.metadata.description,
    path,
    application: withoutUndefined({ name, namespace }),
    parameters: declarations.map((declaration) => describeParameter(declaration, examination, hide)),
    components: components.map(({ traits, ...component }) =>
      withoutUndefined({ ...component, traits: traits.map((trait) => withoutUndefined({ ...trait })) }),
    ),
    capabilities,
    patches,
  });
}

function describeParameter(
  declaration: ParameterDeclaration,
  { parameters }: ApplicationExamination,
  hide: Hide,
): JsonObject {
  const { name, type, required, default: otherwise, description } = declaration;
  return withoutUndefined({
    name,
    type,
    required,
    default: hide(otherwise),
    value: hide(parameters?.values.get(name)?.value),
    description,
    ...describeLimits(declaration),
  });
}

/** Constraints other than the type, as declared. */
function describeLimits(declaration: ParameterDeclaration): JsonObject {
  const { type: _type, description: _description, required: requiredKeys, ...limits } = describeValue(declaration);
  return withoutUndefined({ ...limits, requiredKeys });
}

function formatApplication(examination: ApplicationExamination, hide: Hide): readonly string[] {
  const { package: pkg, name, namespace, declarations, components, capabilities, patches } = examination;
  const parameters = declarations.map((declaration) => formatParameter(declaration, examination, hide));
  return [
    ...formatRows([
      ['Package', pkg?.metadata.name],
      ['Version', pkg?.metadata.version],
      ['Description', pkg?.metadata.description],
      ['Application', namespace === undefined ? name : `${name} (namespace: ${namespace})`],
      ['Requires from the profile', capabilities.length === 0 ? undefined : capabilities.join(', ')],
    ]),
    '',
    ...formatList('Parameters', parameters, ''),
    ...formatList('Components', components.map(formatComponent)),
    ...formatList('Patches', patches),
  ];
}

function formatParameter(
  declaration: ParameterDeclaration,
  { parameters, optional }: ApplicationExamination,
  hide: Hide,
): string {
  const { name, type, required, description, default: otherwise } = declaration;
  const value = hide(parameters?.values.get(name)?.value ?? otherwise);
  const need = optional.has(name) ? ', required where it is used' : ', required';
  const state = value === undefined ? (required ? need : '') : ` = ${showBriefly(value)}`;
  const limits = listLimits(declaration).map((limit) => `, ${limit}`);
  const words = description === undefined ? '' : `  (${joinLines(description)})`;
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
    ...(listed === undefined ? [] : [`one of ${cut(listed)}`]),
    ...(pattern === undefined ? [] : [`matching ${cut(pattern.text)}`]),
    ...(requiredKeys.length === 0 ? [] : [`with ${cut(requiredKeys.join(', '))}`]),
  ];
}

function formatComponent({ name, type, enabled, traits }: ExaminedPart): string {
  const named = traits.map((trait) => `${trait.type}${formatEnabled(trait.enabled)}`);
  return `${name}: ${type}${formatEnabled(enabled)}${named.length === 0 ? '' : ` with ${named.join(', ')}`}`;
}

function formatEnabled(enabled: Json | undefined): string {
  return enabled === undefined || typeof enabled === 'object' ? '' : ` [enabled: ${enabled}]`;
}
