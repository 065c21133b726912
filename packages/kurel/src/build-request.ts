import type { Acceptance } from './accept/index.ts';
import { buildProblems } from './build-problems.ts';
import { nearest, quote } from './diagnostics/index.ts';
import { forms as builtInForms } from './forms/index.ts';
import { layouts } from './layout/index.ts';
import { isJsonObject } from './model/index.ts';
import type { LayoutName, LayoutOptions, OutputFormat } from './layout/index.ts';
import type {
  AcceptedFinding,
  Diagnostic,
  Filter,
  KubeObject,
  OutputFile,
  Path,
  PostRenderer,
  SourceFile,
  Transformer,
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
  readonly transformers?: readonly (Transformer | NamedTransformer)[] | undefined;
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

/** A transformer, and its name in traces of the fields that it changes. */
export interface NamedTransformer {
  /** `--label team=shop` */
  readonly words: string;
  readonly transform: Transformer;
  /** The field that it sets, even if the value is unchanged. */
  readonly sets?: Path | undefined;
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

const lists = ['filters', 'transformers', 'postRenderers'] as const;

/** What code without types can get wrong in a request, and what would otherwise fail later or have no effect. */
export function checkRequest(request: BuildRequest): readonly Diagnostic[] {
  const mistakes: Diagnostic[] = [];
  const refuse = (args: Parameters<typeof buildProblems.create<'request-invalid'>>[1]): void =>
    void mistakes.push(buildProblems.create('request-invalid', args));
  if (typeof request.path !== 'string') refuse({ setting: 'path', wanted: 'a string', got: request.path });
  const forms = (request.forms ?? builtInForms).map(({ name }) => name);
  for (const [setting, words] of Object.entries({ ...choices, as: forms })) {
    const got = request[setting as keyof typeof choices | 'as'];
    if (got === undefined || words.includes(got)) continue;
    refuse({ setting, wanted: listWords(words.map(quote), 'or'), got, near: nearest(String(got), words) });
  }
  for (const setting of lists) {
    for (const [index, step] of (request[setting] ?? []).entries()) {
      const transform = setting === 'transformers' && isJsonObject(step) ? step['transform'] : step;
      if (typeof transform !== 'function') refuse({ setting: `${setting}[${index}]`, wanted: 'a function', got: step });
    }
  }
  return mistakes;
}
