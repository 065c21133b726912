import {
  causesOf,
  countNoun,
  defineProblems,
  diagnosticsOf,
  didYouMean,
  quote,
  sentence,
  setting,
} from './diagnostics/index.ts';
import { FilterError, JqError, messageOf, PostRendererError, TransformerError } from './engine/index.ts';
import { describeObject } from './kube/index.ts';
import { FileAccessError } from './model/index.ts';
import type { Diagnostic, Message } from './model/index.ts';

function describeGot(got: unknown): string {
  if (typeof got === 'string') return quote(got);
  return got === null ? 'null' : Array.isArray(got) ? 'a list' : typeof got;
}

interface RequestMistake {
  readonly setting: string;
  /** Absent if there is no such setting. */
  readonly wanted?: string | undefined;
  readonly got?: unknown;
  readonly near?: string | undefined;
}

export const buildProblems = defineProblems(() => ({
  'nothing-left': {
    severity: 'warning',
    summary: 'The filters drop all rendered objects.',
    message: ({ count }: { count: number }) =>
      count === 1 ? 'the filters drop the only rendered object' : `the filters drop all ${count} rendered objects`,
    hint: ({ kinds, reason }: { kinds: readonly string[]; reason?: string | undefined }) =>
      reason ?? `rendered kinds: ${kinds.join(', ')}`,
    fix: sentence`Compare the filters, such as ${setting('kinds')} and ${setting('selector')}, with the rendered objects. Build once without filters to see all of them.`,
  },
  'nothing-rendered': {
    summary: 'The input contains no objects.',
    message: ({ path }: { path: string }) => `${path === '-' ? 'standard input' : quote(path)} contains no objects`,
    fix: 'Check the path. A directory must contain .yaml, .yml or .json files with objects that have apiVersion and kind; a chart may need values that enable its objects.',
  },
  'too-many-objects': {
    summary: 'The input contains more objects than a build may have.',
    message: ({ limit }: { limit: number }) => `the input has more than ${countNoun(limit, 'object')}`,
    hint: () => sentence`raise ${setting('maxObjects')} if you need all of them`,
    fix: sentence`Build a smaller part of the input, or raise the limit with ${setting('maxObjects', 'N')}.`,
  },
  'nothing-kept': {
    severity: 'warning',
    summary: 'The patches remove all rendered objects.',
    message: ({ count }: { count: number }) =>
      count === 1 ? 'the patches remove the only rendered object' : `the patches remove all ${count} rendered objects`,
    fix: 'Narrow the targets of the patches that delete objects, or leave these patches out.',
  },
  'sops-changed': {
    summary: 'A patch, flag or package setting changes an object that is encrypted with SOPS.',
    message: ({ object, field }: { object: string; field: string }) =>
      `${object} is encrypted with SOPS, which could not decrypt it after the change of ${quote(field)}`,
    hint: () =>
      'make the change in the file with "sops edit", or encrypt it with mac_only_encrypted to change what is readable',
    fix: 'SOPS writes a MAC over all values of a file into it, so that nobody can change it without the key. Make the change in the file itself with `sops edit`, and leave the object out of the patch or flag, for example with a selector. With `mac_only_encrypted: true` in `.sops.yaml`, fields that are not encrypted can be changed.',
  },
  'request-invalid': {
    summary: 'A program that uses kurel as a library passes a setting that build does not know.',
    message: ({ setting, wanted, got }: RequestMistake) =>
      wanted === undefined
        ? `unknown setting ${quote(setting)} of the build`
        : `${setting} of the build must be ${wanted}, got ${describeGot(got)}`,
    hint: ({ near }: { near?: string | undefined }) => didYouMean(near),
    fix: 'Correct the setting. The types of BuildRequest list what each one may be.',
  },
  'post-renderer-failed': {
    summary: 'A post-renderer of a program that uses kurel as a library failed.',
    message: ({ reason }: { reason: string }) => `a post-renderer failed: ${reason}`,
    fix: 'Correct the function in postRenderers. It must return a list of objects with apiVersion and kind.',
  },
  'filter-failed': {
    summary: 'A filter failed for an object.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot filter ${object}: ${reason}`,
    hint: ({ hint }: { hint?: Message | undefined }) => hint,
    fix: sentence`Correct the program of ${setting('jqFilters')} so that it works for every object, even without the field that it reads, as in \`.spec.replicas // 0\`.`,
  },
  'transformer-failed': {
    summary: 'A transformer failed for an object.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot transform ${object}: ${reason}`,
    hint: ({ hint }: { hint?: Message | undefined }) => hint,
    fix: sentence`Correct the program of ${setting('jq')} so that it works for every object and returns one object with apiVersion and kind.`,
  },
  'file-access': {
    summary: 'An input file cannot be read.',
    message: ({ reason }: { reason: string }) => `cannot read ${reason}`,
    fix: sentence`Check that the path exists and that you may read it. Files must be inside the input directory and below the size limit (${setting('maxFileSize')}).`,
  },
  'namespace-invalid': {
    summary: 'The namespace of the build is not a valid Kubernetes name.',
    message: ({ namespace, reason }: { namespace: string; reason: string }) =>
      `${namespace} is not a valid namespace: it ${reason}`,
    fix: 'Use lower-case letters, digits and "-", with a letter or digit at both ends and at most 63 characters.',
  },
}));

/** The findings in a failure; a failure without findings is a defect and is rethrown. */
export function findingsOfFailure(error: unknown): readonly Diagnostic[] {
  const diagnostics = diagnosticsOf(error);
  if (diagnostics !== undefined) return diagnostics;
  for (const cause of causesOf(error)) {
    if (cause instanceof FilterError || cause instanceof TransformerError) {
      const code = cause instanceof FilterError ? 'filter-failed' : 'transformer-failed';
      const hint = cause.cause instanceof JqError ? (cause.cause.hintParts ?? cause.cause.hint) : undefined;
      const args = { object: describeObject(cause.object), reason: messageOf(cause.cause), hint };
      return [buildProblems.create(code, args, { subject: { object: cause.object, path: [] } })];
    }
    if (cause instanceof PostRendererError) {
      return [buildProblems.create('post-renderer-failed', { reason: messageOf(cause.cause) })];
    }
    if (cause instanceof FileAccessError) {
      return [buildProblems.create('file-access', { reason: cause.message }, { location: { file: cause.path } })];
    }
  }
  throw error;
}
