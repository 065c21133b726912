import type { TextFormat } from '../schema/index.ts';
import { annotations, labels } from './field.ts';
import type { Field, FieldGroup, Fields, KubernetesField } from './field.ts';
import type { RewriteRule } from './rewrite.ts';

/** Selects the capability; a property of every trait. */
export const scope = {
  type: 'string',
  description:
    'Scope of the capability to use, such as internal for expose.internal. Defaults to the capability without a scope.',
  format: 'scope',
} as const satisfies Field;

export function flagField(description: string) {
  return { type: 'boolean', description } as const satisfies Field;
}

/** A number that Kubernetes stores in 32 bits. */
export function countField(description: string) {
  return { type: 'integer', description, minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;
}

export function choiceField<const Words extends readonly string[]>(words: Words, description: string) {
  return { type: 'string', description, enum: words } as const satisfies Field;
}

export function textField(format: TextFormat, description: string) {
  return { type: 'string', description, format } as const satisfies Field;
}

/** The metadata of a document that must have a name. */
export function namedMetadata(what: string) {
  return {
    type: 'object',
    description: `Object with the name of the ${what}.`,
    required: true,
    properties: { name: { ...textField('dns-subdomain', `Name of the ${what}.`), required: true } },
  } as const satisfies Field;
}

/** The metadata of a document that nothing refers to. */
export function unusedMetadata(what: string) {
  return {
    type: 'object',
    description: 'Has no effect.',
    default: {},
    properties: { name: textField('dns-subdomain', `Name of the ${what}.`) },
  } as const satisfies Field;
}

/** The field with another sentence in its description. */
export function describeMore<F extends Field>(field: F, sentence: string): F {
  return { ...field, description: `${field.description} ${sentence}` };
}

export const labelMap = { type: 'object', open: labels.open, keys: labels.keys } as const satisfies Field;

export const annotationMap = {
  type: 'object',
  open: annotations.open,
  keys: annotations.keys,
} as const satisfies Field;

/** Labels that must be strings, as in a selector. */
export const selectorMap = {
  type: 'object',
  open: { type: 'string', format: 'label-value' },
  keys: 'label-key',
} as const satisfies Field;

function addFacts<Table extends Fields>(fields: Table, factsOf: (name: string) => Partial<Field>): Table {
  const entries = Object.entries(fields).map(([name, field]) => [name, { ...field, ...factsOf(name) }]);
  return Object.fromEntries(entries) as Table;
}

/** The same fields below a heading. */
export function inGroup<const Table extends Fields>(group: FieldGroup, fields: Table): Table {
  return addFacts(fields, () => ({ group }));
}

/** Properties that only the platform can set. */
export function reserveFields<const Table extends Fields>(fields: Table): Table {
  return addFacts(fields, () => ({ reserved: true }));
}

/**
 * Properties with the names of Kubernetes fields. These are not described again: their content is checked against the schema
 * of the object that has them.
 */
export function kubernetesFields<const Table extends Fields>(holder: KubernetesField, fields: Table): Table {
  return addFacts(fields, (name) => ({ kubernetes: [...holder, name] }));
}

export function containerFields<const Table extends Fields>(fields: Table): Table {
  return kubernetesFields(['v1', 'Pod', 'spec', 'containers'], fields);
}

export function podFields<const Table extends Fields>(fields: Table): Table {
  return kubernetesFields(['v1', 'Pod', 'spec'], fields);
}

/** The settings of a hardened pod, for the trait of an author and the defaults of a platform. */
export const hardening = {
  psaLevel: {
    ...choiceField(['privileged', 'baseline', 'restricted'], 'Level of the Pod Security Standards.'),
    required: true,
  },
  runAsNonRoot: flagField('Whether containers must not run as root.'),
  allowPrivilegeEscalation: flagField('Whether a process can gain more privileges than its parent.'),
  readOnlyRootFilesystem: flagField('Whether the root file system is read-only.'),
  runAsUser: countField('User ID of the containers.'),
  runAsGroup: countField('Group ID of the containers.'),
  fsGroup: countField('Group ID that owns the volumes.'),
} as const satisfies Fields;

const ofRequests: readonly RewriteRule[] = [
  [['httpGet', 'scheme'], 'any-case'],
  [['httpGet', 'httpHeaders', '*'], 'without-value'],
];
const ofHooks = below(['postStart', 'preStop'], ofRequests);
const ofSelectors: readonly RewriteRule[] = [[['matchLabels', '*'], 'as-text']];

/** Input accepted in addition to the Kubernetes schema. */
export const lenient = {
  probe: ofRequests,
  lifecycle: ofHooks,
  container: [
    ...below(['startupProbe', 'livenessProbe', 'readinessProbe'], ofRequests),
    ...below(['lifecycle'], ofHooks),
  ],
  tolerations: [[['*', 'effect'], 'empty']],
  selector: ofSelectors,
  networkRules: [
    [['*', 'ports', '*', 'protocol'], 'any-case'],
    ...['from', 'to'].flatMap((peers) =>
      below(['podSelector', 'namespaceSelector'], ofSelectors).map(([steps, leniency]): RewriteRule => [
        ['*', peers, '*', ...steps],
        leniency,
      ]),
    ),
  ],
} as const satisfies Readonly<Record<string, readonly RewriteRule[]>>;

function below(holders: readonly string[], rules: readonly RewriteRule[]): readonly RewriteRule[] {
  return holders.flatMap((holder) => rules.map(([steps, leniency]): RewriteRule => [[holder, ...steps], leniency]));
}
