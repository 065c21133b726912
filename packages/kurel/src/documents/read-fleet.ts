import { textAt } from '../kube/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { settingNames, settingTable } from '../settings/index.ts';
import type { BuildSettings, SettingDefinition, SettingName, SettingTable } from '../settings/index.ts';
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

/** Rows of the table of settings that have a key, in the order of the documentation; others follow. */
const documented: readonly SettingName[] = [
  'profile',
  'noProfile',
  'policy',
  'values',
  'set',
  'patches',
  'enable',
  'namespace',
  'instance',
  'contentHash',
  'layout',
  'fluxNamespace',
  'fluxInterval',
  'fluxPath',
  'fluxSource',
  'fluxDecryption',
  'output',
  'kubernetesVersion',
  'crds',
  'strict',
  'accept',
];

/** Settings that are written as data, and not as words. */
const written: Readonly<Partial<Record<SettingName, Field>>> = {
  set: { type: 'object', open: { type: 'any' } },
  accept: { type: 'array', items: acceptance },
};

const groups: Readonly<Record<string, string>> = { flux: 'Options of the layout flux.' };

/** The field of a setting in a fleet file or KurelBuild. */
function fieldOf(name: SettingName): Field {
  const { type, choices, isScalar, summary, description = summary }: SettingDefinition = settingTable[name];
  if (written[name] !== undefined) return { ...written[name], description };
  if (type === 'switch') return flagField(description);
  if (choices !== undefined) return choiceField(choices, description);
  if (isScalar === true) return { type: 'scalar', description };
  return { ...(type === 'list' ? paths : path), description };
}

/** Fields by key, those of an object such as `flux` together. */
function fieldsOf(names: readonly SettingName[]): Fields {
  const fields: Record<string, Field> = {};
  const inner: Record<string, Record<string, Field>> = {};
  for (const name of names) {
    const { key = '' }: SettingDefinition = settingTable[name];
    const [outer = '', option] = key.split('.');
    if (option === undefined) {
      fields[outer] = fieldOf(name);
      continue;
    }
    inner[outer] ??= {};
    inner[outer][option] = fieldOf(name);
    fields[outer] = { type: 'object', description: groups[outer]!, properties: inner[outer] };
  }
  return fields;
}

const keyed = settingNames.filter((name) => 'key' in settingTable[name]);
const ordered = [...documented, ...keyed.filter((name) => !documented.includes(name))];
const fields = fieldsOf(ordered);

/** Only in fleet files. */
const ownFields = {
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
  optionalValues: {
    ...paths,
    description: 'Values files that may be missing. They are read after the values of the same level.',
  },
  artifact: {
    ...path,
    description:
      'Repository in a registry (oci://) that kurel fleet push publishes the output to. Each target has its own.',
  },
} as const satisfies Fields;

/** A field after another one, in the order of the documentation. */
const after: Readonly<Record<string, keyof typeof ownFields>> = { values: 'optionalValues', output: 'artifact' };

/** Every level of a fleet can set these; the order in which levels override each other is in `fleet/merge-settings.ts`. */
const settings: Fields = {
  extends: ownFields.extends,
  package: ownFields.package,
  version: ownFields.version,
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]) => {
      const next = after[key];
      return next === undefined
        ? [[key, field]]
        : [
            [key, field],
            [next, ownFields[next]],
          ];
    }),
  ),
};

const named = { type: 'object', default: {}, keys: 'path-name' } as const;

const group: Field = { type: 'object', properties: settings };

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

type Keys = {
  readonly [
    Name in SettingName as SettingTable[Name] extends { readonly key: infer Key extends string } ? Key : never
  ]: WrittenValue<Name>;
};

type WrittenValue<Name extends SettingName> = Name extends 'set'
  ? JsonObject
  : Name extends 'accept'
    ? readonly ValueOf<typeof acceptance>[]
    : NonNullable<BuildSettings[Name]>;

type KeysOf<Group extends string> = {
  readonly [Key in keyof Keys as Key extends `${Group}.${infer Option}` ? Option : never]?: Keys[Key];
};

/** What every level of a fleet can set. */
export type FleetSettings = ValueOf<{ readonly type: 'object'; readonly properties: typeof ownFields }> & {
  readonly [Key in keyof Keys as Key extends `${string}.${string}` ? never : Key]?: Keys[Key];
} & { readonly flux?: KeysOf<'flux'> };

export type FleetSettingName = Exclude<keyof FleetSettings, 'extends'>;

/** In the order of the documentation. */
export const fleetSettingNames = Object.keys(settings).filter((name) => name !== 'extends') as FleetSettingName[];

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
  const document: unknown = readDocument(data, { kind: 'Fleet', metadata, spec, check: checkSignatures }, options);
  // The types of settings come from their table as well.
  return document as FleetDocument | undefined;
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

const inFunction = (...specs: readonly string[]): Fields =>
  fieldsOf(
    ordered.filter((name) => {
      const { inFunction: spec }: SettingDefinition = settingTable[name];
      return spec !== undefined && specs.includes(spec);
    }),
  );

const buildSpec: Field = {
  type: 'object',
  required: true,
  properties: { package: { ...ownFields.package, required: true }, ...inFunction('build', 'check') },
};

const validateSpec: Field = { type: 'object', default: {}, properties: inFunction('check') };

/** What a KRM function does: build a package, or validate the objects that it gets. */
export type FunctionDocument =
  | { readonly kind: 'KurelBuild'; readonly spec: FunctionBuildSettings }
  | { readonly kind: 'KurelValidate'; readonly spec: FunctionCheckSettings };

type KeyIn<Spec> = {
  [Name in SettingName]: SettingTable[Name] extends { readonly key: infer Key; readonly inFunction: Spec }
    ? Key
    : never;
}[SettingName];

type FunctionCheckSettings = Pick<FleetSettings, KeyIn<'check'>>;

interface FunctionBuildSettings extends Pick<FleetSettings, KeyIn<'build' | 'check'>> {
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
