import { join } from 'node:path';

import { builtIn } from '../../packages/kurel/src/forms/application/catalog/catalog.ts';
import type {
  ComponentDefinition,
  PolicyDefinition,
  Provision,
  TraitDefinition,
} from '../../packages/kurel/src/forms/application/catalog/define.ts';
import type { Fields } from '../../packages/kurel/src/forms/application/documents/field.ts';
import { describeFields, hasKubernetesFields } from './field-table.ts';
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

/** A page for each handler, from its tables and its golden cases below `root`. */
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
  /** What is said above and below the table of properties. */
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
  const table = Object.keys(properties).length === 0 ? 'It has none.' : describeFields(properties).join('\n');
  const isShort = Object.keys(properties).length < Object.keys(handler.properties).length;
  const paragraphs = [
    `# ${type}`,
    summary,
    ...above,
    '## Properties',
    table,
    ...(hasKubernetesFields(properties) ? [shown] : []),
    ...(isShort ? ['What only the platform may give is [below](#platform).'] : []),
    ...below,
    ...describeProblems(handler),
    ...(example.length === 0 ? [] : ['## Example', ...describeExample(example)]),
  ];
  const text = `${paragraphs.join('\n\n')}\n`;
  return { path: `${folder}/${type}.md`, text, type, summary, hasExample: example.length > 0 };
}

const shown =
  'In brackets is the field of Kubernetes that a property becomes. `kurel schema show` says what is in it: `kurel schema show Pod.spec.containers.env`.';

/** Without those that stand in the table of the platform. */
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
    `A component: \`type: ${type}\`. Its objects are of the tier \`${tier}\` unless said otherwise.`,
    ...(kinds.length === 0 ? [] : [`It makes, as its properties ask for them: ${listWords(kinds)}.`]),
    ...(unfit.length === 0 ? [] : [`It cannot have: ${listWords(unfit.map((one) => one.type))}.`]),
  ];
  return [above, []];
}

function describeTrait(handler: TraitDefinition, kinds: readonly string[]): readonly [Lines, Lines] {
  const makes =
    kinds.length === 0
      ? 'It makes no objects of its own.'
      : `It makes, as its properties ask for them: ${listWords(kinds)}.`;
  const above = [`A trait of a component: \`type: ${handler.type}\`.`, makes, ...describeNeeds(handler)];
  return [above, describeCapability(handler)];
}

function describePolicy({ type }: PolicyDefinition): readonly [Lines, Lines] {
  return [[`An entry of \`spec.policies\` of an application: \`type: ${type}\`.`], []];
}

function listWords(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

const provisions: Readonly<Record<Provision, string>> = {
  pods: 'pods of its own',
  podTemplate: 'pods that it describes itself',
  scales: 'a number of pods that an autoscaler may choose',
  serviceAccount: 'a ServiceAccount',
};

function describeNeeds({ needs = [] }: TraitDefinition): readonly string[] {
  if (needs.length === 0) return [];
  const fit = builtIn.components.filter(({ provides = [] }: ComponentDefinition) =>
    needs.every((need) => provides.includes(need)),
  );
  const what = needs.map((need) => provisions[need]).join(' and ');
  return [`The component must have ${what}: ${listWords(fit.map(({ type }) => type))}.`];
}

function describeCapability({ type, capability, properties }: TraitDefinition): readonly string[] {
  if (capability === undefined) {
    const isReserved = Object.values(properties).some(({ reserved }) => reserved === true);
    const which = isReserved ? 'each that is not for the platform alone' : 'each';
    return [
      '## Platform',
      `A profile may give any of the properties as \`spec.capabilities.${type}.rendering\`, and the author may override ${which}.`,
    ];
  }
  if (Object.keys(capability.rendering).length === 0) {
    return ['## Platform', 'A profile has nothing to say about it: its rendering takes no properties.'];
  }
  const example = ['spec:', '  capabilities:', ...capability.example.split('\n').map((line) => `    ${line}`)];
  return [
    '## Platform',
    `What a profile may say as \`spec.capabilities.${type}.rendering\`; properties of the author are laid over it:`,
    describeFields(capability.rendering).join('\n'),
    ...(capability.example === ''
      ? []
      : [
          capability.isNeeded({}) ? 'A profile that the trait can do with:' : 'For example:',
          fence('yaml', example.join('\n')),
        ]),
  ];
}

function describeProblems({ problems }: Handler): readonly string[] {
  const definitions = Object.entries(problems?.definitions ?? {});
  if (definitions.length === 0) return [];
  const rows = definitions.map(([code, { severity, summary }]) => `| \`${code}\` | ${severity} | ${summary} |`);
  return ['## Findings', ['| code | severity | when |', '|---|---|---|', ...rows].join('\n')];
}

const titles: Readonly<Record<string, string>> = {
  'expected.yaml': 'The manifests:',
  'cluster.yaml': 'The profile, `cluster.yaml`:',
  'policy.yaml': 'The policy, `policy.yaml`:',
};

function describeExample(files: GoldenCases['example']): readonly string[] {
  return files.flatMap(([name, text]) => [titles[name] ?? `\`${name}\`:`, fence('yaml', text)]);
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
