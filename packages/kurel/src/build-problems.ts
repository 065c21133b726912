import { defineProblems, quote } from './diagnostics/index.ts';

export const buildProblems = defineProblems({
  'nothing-left': {
    severity: 'warning',
    summary: 'Objects were rendered, but the filters keep none of them.',
    message: ({ count }: { count: number }) =>
      count === 1
        ? 'the one object that was rendered is dropped by the filters'
        : `all ${count} objects that were rendered are dropped by the filters`,
    hint: ({ kinds, reason }: { kinds: readonly string[]; reason?: string | undefined }) =>
      reason ?? `kinds that were rendered: ${kinds.join(', ')}`,
  },
  'nothing-rendered': {
    severity: 'error',
    summary: 'The input holds no objects at all.',
    message: ({ path }: { path: string }) => `${path === '-' ? 'standard input' : quote(path)} holds no objects`,
  },
  'too-many-objects': {
    severity: 'error',
    summary: 'The input holds more objects than a build may have.',
    message: ({ limit }: { limit: number }) => `there are more than ${limit} objects`,
    hint: () => 'if all of them are meant, --max-objects raises the limit',
  },
  'nothing-kept': {
    severity: 'warning',
    summary: 'Objects were rendered, but the patches take all of them out.',
    message: ({ count }: { count: number }) =>
      count === 1
        ? 'the one object that was rendered is taken out by the patches'
        : `all ${count} objects that were rendered are taken out by the patches`,
  },
  'filter-failed': {
    severity: 'error',
    summary: 'A filter could not say whether to keep an object.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot filter ${object}: ${reason}`,
    hint: ({ hint }: { hint?: string | undefined }) => hint,
  },
  'transformer-failed': {
    severity: 'error',
    summary: 'A transformer could not change an object.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot transform ${object}: ${reason}`,
    hint: ({ hint }: { hint?: string | undefined }) => hint,
  },
  'file-access': {
    severity: 'error',
    summary: 'A file of the input cannot be read.',
    message: ({ reason }: { reason: string }) => `cannot read ${reason}`,
  },
  'namespace-invalid': {
    severity: 'error',
    summary: 'The namespace to build for is not a name that Kubernetes takes.',
    message: ({ namespace, reason }: { namespace: string; reason: string }) =>
      `${namespace} cannot be a namespace: ${reason}`,
  },
});
