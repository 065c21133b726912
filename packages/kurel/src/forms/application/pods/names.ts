import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { checkDns1035Label, checkDnsLabel } from '../../../kube/index.ts';
import type { Diagnostic } from '../../../model/index.ts';
import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import { annotationMap, flagField, labelMap, textField } from '../../../documents/index.ts';
import type { Field, Fields } from '../../../documents/index.ts';
import { podProblems } from './problems.ts';

export const nameProblems = defineProblems(() => ({
  'selector-labels-empty': {
    summary: 'The selector labels of a component are empty and would select all pods.',
    message: () => '"selectorLabels" is empty: it would select all pods of the namespace',
    hint: () => 'add the labels of the pods, or remove it',
    fix: 'Add at least one label, or remove selectorLabels to use the label app with the name of the component.',
  },
  'pod-label-taken': {
    summary: 'A label of the pods differs from the selector of the component.',
    message: ({ key, value, selected }: { key: string; value: string; selected: string }) =>
      `pod label ${quote(key)} must be ${quote(selected)}, as in the selector, got ${quote(value)}`,
    hint: () => 'remove it, or set "selectorLabels"',
    fix: 'Remove the label from podLabels. To change the selector and the pods together, set selectorLabels.',
  },
}));

export const nameProperties = {
  nameOverride: textField(
    'dns-label',
    'Name of the objects of the component, instead of the name of the component. Traits still use the name of the component.',
  ),
  selectorLabels: {
    ...labelMap,
    description: 'Labels that select the pods. Default to "app" with the name of the component.',
  },
  podLabels: { ...labelMap, description: 'Additional labels of the pods.' },
  podAnnotations: { ...annotationMap, description: 'Annotations of the pods.' },
  containerName: textField('dns-label', 'Name of the main container. Defaults to the name of the component.'),
  serviceAccountName: textField(
    'dns-subdomain',
    'Existing ServiceAccount of the pods. Without it, the component creates its own.',
  ),
  serviceAccount: {
    type: 'object',
    description: 'ServiceAccount that the component creates.',
    instead: {
      create: 'use "enabled", or "serviceAccountName" for an existing ServiceAccount',
      automount: 'use "automountServiceAccountToken" of the component, or the "rbac" trait',
      automountServiceAccountToken: 'use "automountServiceAccountToken" of the component, or the "rbac" trait',
      imagePullSecrets: 'use "imagePullSecrets" of the component',
      secrets: 'remove it; use "volumes" of type secret',
    },
    properties: {
      enabled: {
        ...flagField(
          'Whether to create a ServiceAccount. Without it, the pods name none and use that of the namespace.',
        ),
        default: true,
      },
      name: textField('dns-subdomain', 'Name of the ServiceAccount. Defaults to that of the other objects.'),
      annotations: { ...annotationMap, description: 'Annotations of the ServiceAccount.' },
      labels: { ...labelMap, description: 'Additional labels of the ServiceAccount.' },
    },
  },
} as const satisfies Fields;

export const nameRelations: NonNullable<Field['relations']> = [
  {
    exclusive: ['serviceAccountName', 'serviceAccount'],
    hint: 'remove one of them; "serviceAccount.name" names the account that the component creates',
  },
];

export type NameProperties = PropertiesOf<typeof nameProperties>;

type Labels = Readonly<Record<string, string>>;

export interface WorkloadNames {
  /** Name of the workload, and default name of the other objects. */
  readonly object: string;
  readonly container: string;
  /** `undefined` if the pods use that of the namespace. */
  readonly serviceAccount: string | undefined;
  /** Labels of the objects themselves. */
  readonly labels: Labels;
  /** The only selector of the pods. */
  readonly selector: Labels;
  readonly podLabels: Labels;
}

type NameInput = Pick<ComponentInput<NameProperties>, 'name' | 'properties'>;

/** All names and selectors of a component, and the only place that determines them. */
export function namesOf({ name, properties }: NameInput): WorkloadNames {
  const { nameOverride: object = name, selectorLabels: selector = { app: name }, serviceAccount } = properties;
  const isCreated = serviceAccount?.enabled ?? true;
  return {
    object,
    container: properties.containerName ?? name,
    serviceAccount: properties.serviceAccountName ?? (isCreated ? (serviceAccount?.name ?? object) : undefined),
    labels: { app: name },
    selector,
    podLabels: { ...selector, ...properties.podLabels, ...selector },
  };
}

export function checkNames(input: ComponentInput<NameProperties>): void {
  const { properties, report } = input;
  const { selectorLabels, podLabels = {} } = properties;
  if (selectorLabels !== undefined && Object.keys(selectorLabels).length === 0) {
    report(nameProblems.create('selector-labels-empty', {}), ['selectorLabels']);
  }
  const { selector } = namesOf(input);
  for (const [key, value] of Object.entries(podLabels)) {
    const selected = Object.hasOwn(selector, key) ? selector[key]! : value;
    if (selected === value) continue;
    report(nameProblems.create('pod-label-taken', { key, value, selected }), ['podLabels', key]);
  }
}

type NamedInput = ComponentInput<NameProperties>;

/** A Service name must be a DNS-1035 label, which is stricter than a component name. */
export function checkServiceName(input: NamedInput, advice = 'rename the component'): void {
  const { object: name } = namesOf(input);
  // A name that is not even a DNS label was already reported.
  const reason = checkDnsLabel(name) === undefined ? checkDns1035Label(name) : undefined;
  if (reason === undefined) return;
  const isOverridden = input.properties.nameOverride !== undefined;
  const args = { name, reason, advice: isOverridden ? 'change "nameOverride"' : advice };
  reportObjectName(input, podProblems.create('service-name', args));
}

// Kubernetes appends a hash of up to 11 characters, and labels are limited to 63.
const longest = 52;

/** The API server accepts a longer name of a StatefulSet, but then rejects the pods because of their label. */
export function checkStatefulSetName(input: NamedInput): void {
  const { object: name } = namesOf(input);
  if (name.length > longest) reportObjectName(input, podProblems.create('workload-name', { name, longest }));
}

/** Reports a finding about the name of the objects where it is set. */
function reportObjectName({ properties, report, reportName }: NamedInput, diagnostic: Diagnostic): void {
  if (properties.nameOverride === undefined) reportName(diagnostic);
  else report(diagnostic, ['nameOverride']);
}

/** Joins two names with `-` and doubles hyphens inside them, so that different pairs never give the same name. */
export function joinNames(first: string, second: string): string {
  return [first, second].map((part) => part.replaceAll('-', '--')).join('-');
}
