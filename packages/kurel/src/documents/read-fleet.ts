import { textAt } from '../kube/index.ts';
import type { Json } from '../model/index.ts';
import { choiceField, flagField, unusedMetadata } from './define-fields.ts';
import { annotations, labels } from './field.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import type { ReadingOptions } from './document-findings.ts';
import { meantKind } from './problems.ts';
import { acceptance } from './read-acceptances.ts';
import { readDocument } from './read-document.ts';
import type { DocumentTables } from './read-document.ts';
import { checkSignatures, signatures } from './read-signatures.ts';
import type { RequiredSignature } from './read-signatures.ts';

const metadata = unusedMetadata('fleet');

const path = { type: 'string', format: 'filled' } as const;
const paths = { type: 'array', items: path } as const;

const flux = {
  type: 'object',
  description: 'Options of the layout flux.',
  properties: {
    namespace: { ...path, description: 'Namespace of Flux objects.' },
    interval: { ...path, description: 'Reconcile interval. Defaults to 10m.' },
    path: {
      ...path,
      description:
        'Path of the output directory in the source. Defaults to its path in the git repository, or to the root of an artifact.',
    },
    source: { ...path, description: 'Flux source, such as OCIRepository/shop.apps. Required.' },
    decryption: {
      ...path,
      description: 'How Flux decrypts: sops/SECRET with the Secret of the keys, or sops if the controller has them.',
    },
  },
} as const satisfies Field;

/** Every level of a fleet can set these; the order in which levels override each other is in `fleet/merge-settings.ts`. */
const settings = {
  extends: { ...paths, description: 'Groups whose settings are inherited. Later groups override earlier ones.' },
  package: {
    ...path,
    description:
      'Input of the build: a package, chart, kustomization or manifests, or a package in a registry (oci://).',
  },
  version: {
    type: 'scalar',
    description: 'Version or range of versions of a package in a registry, such as ^1.2.0. Resolved by kurel update.',
    format: 'filled',
  },
  profile: { ...path, description: 'ClusterProfile of the cluster, for application packages.' },
  noProfile: flagField('Build application packages without a profile.'),
  policy: { ...path, description: 'Policy that the output must meet.' },
  values: {
    ...paths,
    description: 'Values files. Those of all levels are read in order; later files override earlier ones.',
  },
  optionalValues: {
    ...paths,
    description: 'Values files that may be missing. They are read after the values of the same level.',
  },
  set: {
    type: 'object',
    description: 'Single values, written as in a values file. They override all values files.',
    open: { type: 'any' },
  },
  patches: { ...paths, description: 'Patch files or directories, applied in order.' },
  enable: { ...paths, description: 'Patches of a patch package to enable.' },
  namespace: { ...path, description: 'Namespace of the objects.' },
  instance: { ...path, description: 'Owner of the files in the output directory. Defaults to the package name.' },
  contentHash: flagField('Append a content hash to the names of ConfigMaps and Secrets and to the references to them.'),
  layout: choiceField(
    ['stream', 'flat', 'phases', 'flux', 'argocd', 'by-kind', 'by-resource'],
    'Layout of the output directory.',
  ),
  flux,
  output: { ...path, description: 'Output directory. Each target has its own.' },
  artifact: {
    ...path,
    description:
      'Repository in a registry (oci://) that kurel fleet push publishes the output to. Each target has its own.',
  },
  kubernetesVersion: { type: 'scalar', description: 'Kubernetes version of the schemas, such as 1.34.' },
  crds: {
    ...paths,
    description: 'CustomResourceDefinitions to use besides those of the package: files, directories or patterns.',
  },
  strict: flagField('Treat warnings as errors.'),
  accept: { type: 'array', description: 'Findings to accept.', items: acceptance },
} as const satisfies Fields;

const named = { type: 'object', default: {}, keys: 'path-name' } as const;

const group = { type: 'object', properties: settings } as const satisfies Field;

const target = {
  type: 'object',
  properties: {
    name: { ...path, description: 'Name of the target. Defaults to "{cluster}/{app}".' },
    application: { ...path, description: 'Application whose settings are inherited.' },
    cluster: { ...path, description: 'Cluster whose settings are inherited.' },
    ...settings,
  },
} as const satisfies Field;

const pair = {
  type: 'object',
  properties: {
    application: { ...path, description: 'Name or pattern of an application. Defaults to all of them.' },
    cluster: { ...path, description: 'Name or pattern of a cluster. Defaults to all of them.' },
  },
} as const satisfies Field;

const matrix = {
  type: 'object',
  properties: {
    name: { ...path, description: 'Name of each target. Defaults to "{cluster}/{app}".' },
    applications: { ...paths, description: 'Names or patterns of applications. Defaults to all of them.' },
    clusters: { ...paths, description: 'Names or patterns of clusters. Defaults to all of them.' },
    exclude: { type: 'array', description: 'Pairs that are not targets.', default: [], items: pair },
    include: {
      type: 'array',
      description: 'Additional pairs, or settings for single pairs.',
      default: [],
      items: target,
    },
    ...settings,
  },
} as const satisfies Field;

const directory = {
  type: 'object',
  properties: {
    path: {
      ...path,
      description:
        'Pattern of directories or files; each match is a target. "{app}" matches a name, which is available as a placeholder.',
      required: true,
    },
    name: { ...path, description: 'Name of each target. Defaults to the names that the placeholders match.' },
    exclude: { ...paths, description: 'Patterns of paths that are not targets.', default: [] },
    ...settings,
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  required: true,
  properties: {
    defaults: { ...group, description: 'Settings of every target.', default: {} },
    groups: { ...named, description: 'Named settings that other levels can extend.', open: group },
    clusters: { ...named, description: 'Settings per cluster.', open: group },
    applications: { ...named, description: 'Settings per application.', open: group },
    matrix: {
      type: 'array',
      description: 'Targets for each pair of an application and a cluster.',
      default: [],
      items: matrix,
    },
    directories: {
      type: 'array',
      description: 'Targets for each directory or file that matches a pattern.',
      default: [],
      items: directory,
    },
    targets: { type: 'array', description: 'Single targets.', default: [], items: target },
    signatures,
  },
} as const satisfies Field;

/** The exact type of the tables would make the declarations of this file very long. */
export const fleetTables: DocumentTables = { kind: 'Fleet', metadata, spec };

/** What every level of a fleet can set. */
export type FleetSettings = ValueOf<typeof group>;

export type FleetSettingName = Exclude<keyof FleetSettings, 'extends'>;

/** In the order of the documentation. */
export const fleetSettingNames = Object.keys(settings).filter((name): name is FleetSettingName => name !== 'extends');

type FleetEntry = FleetSettings & Partial<Record<'name' | 'application' | 'cluster', string>>;

interface FleetMatrix extends FleetSettings {
  readonly name?: string;
  readonly applications?: readonly string[];
  readonly clusters?: readonly string[];
  readonly exclude: readonly Pick<FleetEntry, 'application' | 'cluster'>[];
  readonly include: readonly FleetEntry[];
}

interface FleetDirectories extends FleetSettings {
  readonly path: string;
  readonly name?: string;
  readonly exclude: readonly string[];
}

export interface FleetDocument {
  readonly metadata: { readonly name?: string };
  readonly spec: {
    readonly defaults: FleetSettings;
    readonly groups: Readonly<Record<string, FleetSettings>>;
    readonly clusters: Readonly<Record<string, FleetSettings>>;
    readonly applications: Readonly<Record<string, FleetSettings>>;
    readonly matrix: readonly FleetMatrix[];
    readonly directories: readonly FleetDirectories[];
    readonly targets: readonly FleetEntry[];
    readonly signatures?: readonly RequiredSignature[];
  };
}

/** Reads `kurel.fleet.yaml`; what its targets are is decided in the module `fleet`. */
export function readFleetDocument(data: Json | undefined, options: ReadingOptions): FleetDocument | undefined {
  return readDocument(data, { kind: 'Fleet', metadata, spec, check: checkSignatures }, options);
}

const ownMetadata = unusedMetadata('document');

const functionMetadata = {
  ...ownMetadata,
  properties: {
    ...ownMetadata.properties,
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
  properties: { package: { ...settings.package, required: true }, ...pick(buildNames) },
};

const validateSpec: Field = { type: 'object', default: {}, properties: pick(checkNames) };

function pick(names: readonly (keyof FleetSettings)[]): Fields {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
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
  const kinds = ['KurelValidate', 'KurelBuild'] as const;
  const meant = meantKind(textAt(data, 'kind') ?? '', kinds);
  const kind = kinds.find((word) => word === meant) ?? 'KurelBuild';
  const spec = kind === 'KurelBuild' ? buildSpec : validateSpec;
  const document = readDocument(data, { kind, metadata: functionMetadata, spec }, options);
  return document === undefined ? undefined : ({ kind, spec: document.spec } as FunctionDocument);
}
