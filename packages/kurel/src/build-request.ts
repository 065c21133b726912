import type { Acceptance } from './accept/index.ts';
import { buildProblems } from './build-problems.ts';
import { nearest, quote } from './diagnostics/index.ts';
import { forms as builtInForms } from './forms/index.ts';
import { layouts } from './layout/index.ts';
import { isJsonObject } from './model/index.ts';
import type { Json } from './model/index.ts';
import type { LayoutName, LayoutOptions, OutputFormat } from './layout/index.ts';
import type {
  AcceptedFinding,
  Diagnostic,
  Filter,
  KubeObject,
  OutputFile,
  PostRenderer,
  SourceFile,
  TransformerStep,
} from './model/index.ts';
import type { ParameterLayer } from './parameters/index.ts';
import type { PatchFile, PatchOptions } from './patch/index.ts';
import type { Rendering } from './provenance/index.ts';
import type { Read } from './reads/index.ts';
import type { InputRequest } from './forms/index.ts';
import { listWords } from './schema/index.ts';
import type { SchemaStore } from './schema/index.ts';

/** What to build, from where, and how. Everything is read through `fileSystem`, `programs` and `stdin`. */
export interface BuildRequest extends InputRequest {
  /** Further paths; their objects come after those of `path` and are treated the same from then on. */
  readonly morePaths?: readonly string[] | undefined;
  /** Applied to the rendered objects, before filters and transformers. */
  readonly patches?: PatchSettings | undefined;
  /** Maximum number of rendered objects; defaults to 1,000,000. */
  readonly maxObjects?: number | undefined;
  readonly filters?: readonly Filter[] | undefined;
  /** Called when the filters drop all objects; returns the hint for the finding. */
  readonly explainNothingLeft?: ((objects: readonly KubeObject[]) => Promise<string | undefined>) | undefined;
  /** New names, applied before the transformers. References between the objects follow; Namespaces and CRDs keep their names. */
  readonly names?: NameChanges | undefined;
  readonly transformers?: readonly TransformerStep[] | undefined;
  readonly postRenderers?: readonly PostRenderer[] | undefined;
  readonly order?: 'source' | 'apply' | undefined;
  /** Defaults to one stream; `sources` returns the input files with only the changes applied. */
  readonly layout?: LayoutName | 'sources' | undefined;
  readonly layoutOptions?: LayoutOptions | undefined;
  readonly format?: OutputFormat | undefined;
  /** CustomResourceDefinitions in addition to those in `schemas/crds` of the input: files, directories and patterns. */
  readonly crds?: readonly string[] | undefined;
  /** Treats warnings as errors. */
  readonly strict?: boolean | undefined;
  /** Findings to accept, in addition to those in the files next to the input. */
  readonly acceptances?: readonly Acceptance[] | undefined;
  /** Findings of the caller, such as those about values files, which are treated like those of the build. */
  readonly findings?: readonly Diagnostic[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PatchSettings extends Pick<PatchOptions, 'variables' | 'trace' | 'conflicts'> {
  readonly files: readonly PatchFile[];
  /** The layers that the values of the variables come from, later ones win: findings about fields point there. */
  readonly layers?: readonly ParameterLayer[] | undefined;
}

export interface NameChanges {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  /** Appends a content hash to the names of ConfigMaps and Secrets, after the transformers, like kustomize. */
  readonly contentHash?: boolean | undefined;
}

export interface BuildResult {
  /** Whether there are only warnings and notes. After an error, `files` and `objects` are empty: a build returns all or nothing. */
  readonly ok: boolean;
  readonly files: readonly OutputFile[];
  readonly objects: readonly KubeObject[];
  /** The objects with their provenance and the facts about the package, as far as the build got. */
  readonly rendering: Rendering;
  /** The schemas of `store` or `validation` with the CustomResourceDefinitions of the input and of `crds`. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Whether the objects were validated, regardless of the result. */
  readonly isChecked: boolean;
  /** The objects of which only the metadata was validated, because their kinds have no schema. */
  readonly withoutSchema: ReadonlySet<KubeObject>;
  /** Findings that were accepted; `diagnostics` has the others. */
  readonly accepted: readonly AcceptedFinding[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into. */
  readonly sources: readonly SourceFile[];
  /** Everything that the build read, with digests: two builds with equal requests and reads are equal. */
  readonly reads: () => Promise<readonly Read[]>;
}

const choices = {
  layout: [...Object.keys(layouts), 'sources'],
  format: ['yaml', 'json'],
  order: ['source', 'apply'],
} satisfies Partial<Record<keyof BuildRequest, readonly string[]>>;

type SettingType = 'a string' | 'a number' | 'a boolean' | 'a function' | 'a list' | 'an object';

const types = {
  path: 'a string',
  fileSystem: 'an object',
  morePaths: 'a list',
  programs: 'an object',
  stdin: 'a string',
  as: 'a string',
  forms: 'a list',
  values: 'an object',
  namespace: 'a string',
  chart: 'an object',
  kustomization: 'an object',
  allowNetwork: 'a boolean',
  package: 'an object',
  application: 'an object',
  policy: 'a string',
  fetcher: 'an object',
  validation: 'an object',
  store: 'a function',
  budget: 'an object',
  progress: 'a function',
  patches: 'an object',
  maxObjects: 'a number',
  filters: 'a list',
  explainNothingLeft: 'a function',
  names: 'an object',
  transformers: 'a list',
  postRenderers: 'a list',
  order: 'a string',
  layout: 'a string',
  layoutOptions: 'an object',
  format: 'a string',
  crds: 'a list',
  strict: 'a boolean',
  acceptances: 'a list',
  findings: 'a list',
  signal: 'an object',
} satisfies Readonly<Record<keyof BuildRequest, SettingType>>;

/** Parts without which the setting is not one. */
const parts: readonly (readonly [keyof typeof types, part: string, SettingType])[] = [
  ['fileSystem', 'kindOf', 'a function'],
  ['fileSystem', 'readText', 'a function'],
  ['validation', 'store', 'an object'],
  ['patches', 'files', 'a list'],
];

const required: readonly string[] = ['path', 'fileSystem'];

const steps = ['filters', 'transformers', 'postRenderers'] as const;

/** What code without types can get wrong in a request, and what would otherwise fail later or have no effect. */
export function checkRequest(request: BuildRequest): readonly Diagnostic[] {
  const mistakes: Diagnostic[] = [];
  const refuse = (args: Parameters<typeof buildProblems.create<'request-invalid'>>[1]): void =>
    void mistakes.push(buildProblems.create('request-invalid', args));
  const settings: Readonly<Record<string, unknown>> = { ...request };
  const names = Object.keys(types);
  for (const setting of Object.keys(settings)) {
    if (!names.includes(setting)) refuse({ setting, near: nearest(setting, names) });
  }
  const { forms = builtInForms } = request ?? {};
  const choicesOf: Readonly<Record<string, readonly string[]>> = {
    ...choices,
    as: Array.from(forms, ({ name }) => name),
  };
  for (const [setting, wanted] of Object.entries(types)) {
    const got = settings[setting];
    const words = choicesOf[setting];
    if (got === undefined && !required.includes(setting)) continue;
    if (words === undefined && typeOf(got) !== wanted) refuse({ setting, wanted, got });
    if (words === undefined || words.includes(String(got))) continue;
    refuse({ setting, wanted: listWords(words.map(quote), 'or'), got, near: nearest(String(got), words) });
  }
  for (const [setting, part, wanted] of parts) {
    const holder = settings[setting];
    const got = typeOf(holder) === 'an object' ? (holder as Readonly<Record<string, unknown>>)[part] : undefined;
    if (typeOf(holder) === 'an object' && typeOf(got) !== wanted)
      refuse({ setting: `${setting}.${part}`, wanted, got });
  }
  for (const setting of steps) {
    const list = settings[setting];
    for (const [index, step] of (Array.isArray(list) ? (list as readonly Json[]) : []).entries()) {
      const isNamed = setting === 'transformers' && isJsonObject(step);
      const transform: unknown = isNamed ? (step['transform'] ?? step['prepare']) : step;
      if (typeof transform !== 'function') refuse({ setting: `${setting}[${index}]`, wanted: 'a function', got: step });
    }
  }
  return mistakes;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : `a ${typeof value}`;
}
