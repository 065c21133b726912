import type { Json } from '../../../model/index.ts';
import { annotations, labels } from './field.ts';
import type { Field, Fields } from './field.ts';
import type { ReadingOptions } from './findings.ts';
import { meantKind } from './problems.ts';
import { readDocument } from './read-document.ts';
import { fleetFields } from './read-fleet.ts';
import type { FleetSettings } from './read-fleet.ts';

const metadata = {
  type: 'object',
  description: 'Has no effect.',
  default: {},
  properties: {
    name: { type: 'string', description: 'Name of the document.', format: 'dns-subdomain' },
    namespace: { type: 'string', description: 'Has no effect.' },
    labels: { ...labels, description: 'Has no effect.' },
    annotations: { ...annotations, description: 'For the program that calls the function.' },
  },
} as const satisfies Field;

const checkNames = ['policy', 'kubernetesVersion', 'crds', 'strict', 'accept'] as const;

const buildNames = [
  'profile',
  'noProfile',
  'values',
  'set',
  'patches',
  'enable',
  'namespace',
  'contentHash',
  ...checkNames,
] as const;

const buildSpec: Field = {
  type: 'object',
  required: true,
  properties: { package: { ...fleetFields['package']!, required: true }, ...pick(buildNames) },
};

const validateSpec: Field = { type: 'object', default: {}, properties: pick(checkNames) };

function pick(names: readonly (keyof FleetSettings)[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fleetFields[name]!]));
}

/** What a KRM function does: build a package, or validate the objects that it gets. */
export type FunctionDocument =
  | { readonly kind: 'KurelBuild'; readonly spec: FunctionBuildSettings }
  | { readonly kind: 'KurelValidate'; readonly spec: FunctionCheckSettings };

type FunctionCheckSettings = Pick<FleetSettings, (typeof checkNames)[number]>;

interface FunctionBuildSettings extends Pick<FleetSettings, (typeof buildNames)[number]> {
  readonly package: string;
}

/** Reads the configuration of a KRM function. */
export function readFunctionDocument(data: Json | undefined, options: ReadingOptions): FunctionDocument | undefined {
  const kind = kindOf(data);
  const spec = kind === 'KurelBuild' ? buildSpec : validateSpec;
  const document = readDocument(data, { kind, metadata, spec }, options);
  return document === undefined ? undefined : ({ kind, spec: document.spec } as FunctionDocument);
}

function kindOf(data: Json | undefined): FunctionDocument['kind'] {
  const kinds = ['KurelValidate', 'KurelBuild'] as const;
  const kind = typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined;
  const meant = typeof kind === 'string' ? meantKind(kind, kinds) : undefined;
  return kinds.find((one) => one === kind || one === meant) ?? 'KurelBuild';
}
