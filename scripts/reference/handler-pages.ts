import { join } from 'node:path';

import { builtIn } from '../../packages/kurel/src/forms/application/catalog/catalog.ts';
import { spellSummary } from '../../packages/kurel/src/cli/spell-findings.ts';
import type {
  ComponentDefinition,
  PolicyDefinition,
  Provision,
  TraitDefinition,
} from '../../packages/kurel/src/forms/application/catalog/define.ts';
import type { Field, Fields } from '../../packages/kurel/src/documents/field.ts';
import { describeFields, describeGroups, describeRelations, hasKubernetesFields } from './field-table.ts';
import { readGoldenCases } from './golden-cases.ts';
import type { Folder, GoldenCases } from './golden-cases.ts';

export interface HandlerPage {
  readonly path: string;
  readonly text: string;
  readonly type: string;
  readonly summary: string;
  readonly hasExample: boolean;
}

export interface HandlerPages {
  readonly components: readonly HandlerPage[];
  readonly traits: readonly HandlerPage[];
  readonly policies: readonly HandlerPage[];
}

type Handler = ComponentDefinition | TraitDefinition | PolicyDefinition;

/** A page per handler, from its tables and its golden cases below `root`. */
export async function describeHandlers(root: string): Promise<HandlerPages> {
  const cases = await readGoldenCases(join(root, 'packages/kurel/src/forms/application/catalog'));
  return {
    components: builtIn.components.map((handler) =>
      createPage('components', handler, { cases, facts: describeComponent }),
    ),
    traits: builtIn.traits.map((handler) => createPage('traits', handler, { cases, facts: describeTrait })),
    policies: builtIn.policies.map((handler) => createPage('policies', handler, { cases, facts: describePolicy })),
  };
}

interface PageParts<Definition> {
  readonly cases: GoldenCases;
  /** Paragraphs above and below the table of properties. */
  readonly facts: (handler: Definition, kinds: readonly string[]) => readonly [above: Lines, below: Lines];
}

type Lines = readonly string[];

function createPage<Definition extends Handler>(
  folder: Folder,
  handler: Definition,
  { cases, facts }: PageParts<Definition>,
): HandlerPage {
  const { type, summary } = handler;
  const properties = listedProperties(handler);
  const example = cases.exampleOf(folder, type);
  const [above, below] = facts(handler, cases.kindsOf(folder, type));
  const tables = Object.keys(properties).length === 0 ? ['None.'] : describeGroups(properties);
  const relations = describeRelations('relations' in handler ? handler.relations : undefined);
  const isShort = Object.keys(properties).length < Object.keys(handler.properties).length;
  const paragraphs = [
    `# ${type}`,
    summary,
    ...above,
    '## Properties',
    ...tables,
    ...(relations.length === 0 ? [] : [relations.join(' ')]),
    ...(hasKubernetesFields(properties) ? [shown] : []),
    ...(isShort ? ['Properties that only the profile can set are listed [below](#platform).'] : []),
    ...below,
    ...describeProblems(handler),
    ...(example.length === 0 ? [] : ['## Example', ...describeExample(example)]),
  ];
  const text = `${paragraphs.join('\n\n')}\n`;
  return { path: `${folder}/${type}.md`, text, type, summary, hasExample: example.length > 0 };
}

const shown =
  'A property that refers to a Kubernetes field has the same content. `kurel schema show` describes it, for example `kurel schema show Pod.spec.containers.env`.';

/** Without those in the table of the platform. */
function listedProperties(handler: Handler): Fields {
  const { rendering = {} } = ('capability' in handler ? handler.capability : undefined) ?? {};
  return Object.fromEntries(
    Object.entries(handler.properties).filter(
      ([key, { reserved }]) => reserved !== true || !Object.hasOwn(rendering, key),
    ),
  );
}

function describeComponent(
  { type, tier = 'apps', provides = [] }: ComponentDefinition,
  kinds: readonly string[],
): readonly [Lines, Lines] {
  const unfit = builtIn.traits.filter(({ needs = [] }: TraitDefinition) =>
    needs.some((need) => !provides.includes(need)),
  );
  const above = [
    `A component with \`type: ${type}\`. Its tier defaults to \`${tier}\`.`,
    ...(kinds.length === 0 ? [] : [`Creates, depending on its properties: ${listWords(kinds)}.`]),
    ...(unfit.length === 0
      ? []
      : [
          `Does not support the ${unfit.length === 1 ? 'trait' : 'traits'} ${listWords(unfit.map((one) => one.type))}.`,
        ]),
  ];
  return [above, []];
}

function describeTrait(handler: TraitDefinition, kinds: readonly string[]): readonly [Lines, Lines] {
  const makes =
    kinds.length === 0
      ? 'Creates no objects of its own.'
      : `Creates, depending on its properties: ${listWords(kinds)}.`;
  const above = [`A trait with \`type: ${handler.type}\`.`, makes, ...describeNeeds(handler)];
  return [above, describeCapability(handler)];
}

function describePolicy({ type }: PolicyDefinition): readonly [Lines, Lines] {
  return [[`An entry of \`spec.policies\` of an application with \`type: ${type}\`.`], []];
}

function listWords(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

const provisions: Readonly<Record<Provision, string>> = {
  pods: 'pods of its own',
  podTemplate: 'a pod template',
  scales: 'replicas that an autoscaler can change',
  serviceAccount: 'a ServiceAccount',
};

function describeNeeds({ needs = [] }: TraitDefinition): readonly string[] {
  if (needs.length === 0) return [];
  const fit = builtIn.components.filter(({ provides = [] }: ComponentDefinition) =>
    needs.every((need) => provides.includes(need)),
  );
  const what = needs.map((need) => provisions[need]).join(' and ');
  return [`Requires a component with ${what}: ${listWords(fit.map(({ type }) => type))}.`];
}

function describeCapability({ type, capability, properties }: TraitDefinition): readonly string[] {
  if (capability === undefined) {
    const isReserved = Object.values(properties).some(({ reserved }) => reserved === true);
    const exception = isReserved ? ', except properties that only the profile can set' : '';
    return [
      '## Platform',
      `A profile can set any of the properties in \`spec.capabilities.${type}.rendering\`. The author can override them${exception}.`,
    ];
  }
  if (Object.keys(capability.rendering).length === 0) {
    return ['## Platform', 'A profile cannot set any properties of this trait.'];
  }
  const isRequired = capability.isNeeded({});
  const rendering = Object.fromEntries(
    Object.entries(capability.rendering).map(([key, field]) => [
      key,
      properties[key]?.reserved === true ? { ...field, reserved: true as const } : field,
    ]),
  );
  const example = ['spec:', '  capabilities:', ...capability.example.split('\n').map((line) => `    ${line}`)];
  return [
    '## Platform',
    ...(isRequired ? [`Requires from the profile: \`${type}\`.`] : []),
    `A profile can set these properties in \`spec.capabilities.${type}.rendering\`. ${describeOverride(Object.values(rendering))}`,
    describeFields(rendering).join('\n'),
    ...(capability.example === ''
      ? []
      : [isRequired ? 'A minimal profile:' : 'For example:', fence('yaml', example.join('\n'))]),
  ];
}

function describeOverride(fields: readonly Field[]): string {
  if (fields.every(({ reserved }) => reserved === true)) return 'The author cannot set them:';
  const exception = fields.some(({ reserved }) => reserved === true)
    ? ', except those that only the profile can set'
    : '';
  return `The author can override them${exception}:`;
}

function describeProblems({ problems }: Handler): readonly string[] {
  const definitions = Object.entries(problems?.definitions ?? {});
  if (definitions.length === 0) return [];
  const rows = definitions.map(([code, definition]) => {
    const { severity, summary } = spellSummary(definition);
    return `| \`${code}\` | ${severity} | ${summary} |`;
  });
  return ['## Findings', ['| code | severity | when |', '|---|---|---|', ...rows].join('\n')];
}

const titles: Readonly<Record<string, string>> = {
  'expected.yaml': 'Manifests:',
  'cluster.yaml': 'Profile, `cluster.yaml`:',
  'policy.yaml': 'Policy, `policy.yaml`:',
};

function describeExample(files: ReturnType<GoldenCases['exampleOf']>): readonly string[] {
  return files.flatMap(([name, text]) => [titles[name] ?? `\`${name}\`:`, fence('yaml', text)]);
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
