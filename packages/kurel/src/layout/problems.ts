import { defineProblems, quote } from '../diagnostics/index.ts';

export const layoutProblems = defineProblems({
  'output-collision': {
    severity: 'error',
    summary: 'Two objects would be written to the same file.',
    message: ({ path, first, second }: { path: string; first: string; second: string }) =>
      `${first} and ${second} would both be written to ${quote(path)}`,
    hint: () => 'rename one of them, or write one stream with --output FILE.yaml',
  },
  'object-unwritable': {
    severity: 'error',
    summary: 'An object holds something that no manifest can hold.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot write ${object}: ${reason}`,
  },
  'output-name': {
    severity: 'error',
    summary: 'An object has no name that a file could carry.',
    message: ({ object }: { object: string }) => `${object} has no name to make a file name of`,
    hint: () => 'give it a metadata.name, or write one stream with --output FILE.yaml',
  },
});
