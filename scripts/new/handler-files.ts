import { formatArchive } from '../../packages/kurel/test/case-archive.ts';

export type HandlerKind = 'component' | 'trait' | 'policy';

export interface NewFile {
  /** Relative to packages/kurel/src. */
  readonly path: string;
  readonly text: string;
}

const folders: Readonly<Record<HandlerKind, string>> = { component: 'components', trait: 'traits', policy: 'policies' };

/** A new handler with its table, a valid case and one with wrong properties. */
export function createHandlerFiles(kind: HandlerKind, name: string): readonly NewFile[] {
  const catalog = 'forms/application/catalog';
  const folder = `${catalog}/${folders[kind]}`;
  const cases = `${folder}/cases/${name}`;
  return [
    { path: `${folder}/${name}.ts`, text: handlers[kind](name) },
    { path: `${cases}/minimal.case`, text: createCase(applications[kind](name, examples[kind].good)) },
    { path: `${cases}/wrong-properties.case`, text: createCase(applications[kind](name, examples[kind].wrong)) },
  ];
}

function createCase(application: string): string {
  return formatArchive({ comment: '', includes: [], files: new Map([['app.yaml', application]]), cases: new Map() });
}

/** The identifier of a handler: `env-policy` → `envPolicy`. */
function identifierOf(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

const handlers: Readonly<Record<HandlerKind, (name: string) => string>> = {
  component: (name) => `import { defineComponent } from '../define.ts';

export const ${identifierOf(name)} = defineComponent({
  type: '${name}',
  summary: 'Describe ${name} in one sentence.',
  properties: {
    text: { type: 'string', description: 'Content of the ConfigMap.', required: true, format: 'filled' },
  },
  render({ name, properties }) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: name } },
      data: { text: properties.text },
    };
    return { objects: [object] };
  },
});
`,
  trait: (name) => `import { defineTrait } from '../define.ts';

export const ${identifierOf(name)} = defineTrait({
  type: '${name}',
  summary: 'Describe what ${name} does to a component in one sentence.',
  properties: {
    text: { type: 'string', description: 'Content of the ConfigMap.', required: true, format: 'filled' },
  },
  render({ component, properties }) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: \`\${component.name}-${name}\` },
      data: { text: properties.text },
    };
    return { objects: [object] };
  },
});
`,
  policy: (name) => `import { definePolicy } from '../define.ts';

export const ${identifierOf(name)} = definePolicy({
  type: '${name}',
  summary: 'Describe what ${name} requires of an application in one sentence.',
  properties: {
    most: { type: 'integer', description: 'Maximum number of replicas of a component.', required: true, minimum: 1 },
  },
  apply: ({ properties }) => ({ rules: { enforced: { maxReplicas: properties.most } } }),
});
`,
};

const examples: Readonly<Record<HandlerKind, { readonly good: string; readonly wrong: string }>> = {
  component: { good: 'text: hello', wrong: 'text: 1' },
  trait: { good: 'text: hello', wrong: 'text: 1' },
  policy: { good: 'most: 3', wrong: 'most: many' },
};

const head = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata:
  name: shop
spec:
  components:
  - name: web
`;
const webservice = `${head}    type: webservice
    properties:
      image: ghcr.io/example/web:1.4.0
`;

const applications: Readonly<Record<HandlerKind, (name: string, properties: string) => string>> = {
  component: (name, properties) => `${head}    type: ${name}
    properties:
      ${properties}
`,
  trait: (name, properties) => `${webservice}    traits:
    - type: ${name}
      properties:
        ${properties}
`,
  policy: (name, properties) => `${webservice}  policies:
  - name: rules
    type: ${name}
    properties:
      ${properties}
`,
};
