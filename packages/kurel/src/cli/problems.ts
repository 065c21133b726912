import { defineProblems, quote } from '../diagnostics/index.ts';

interface PathArgs {
  readonly path: string;
}

/** What can be wrong between what a build gives and where it is to go. */
export const cliProblems = defineProblems({
  'output-stale': {
    severity: 'error',
    summary: 'With --check: a file is not what a build would write.',
    message: ({ path, state }: PathArgs & { readonly state: 'missing' | 'different' | 'left over' }) =>
      ({
        missing: `${quote(path)} is missing`,
        different: `${quote(path)} is not up to date`,
        'left over': `${quote(path)} is no longer produced`,
      })[state],
    hint: () => 'build without --check to bring it up to date',
  },
  'output-empty': {
    severity: 'error',
    summary: 'Nothing is left to write, so an output would only be emptied.',
    message: ({ path }: PathArgs) => `there are no objects to write to ${quote(path)}; it is left as it is`,
  },
  'output-is-input': {
    severity: 'error',
    summary: 'The output lies where the input was read, so the next build would read it again.',
    message: ({ path, source }: PathArgs & { readonly source: string }) =>
      `${quote(source)} is part of the input and lies in the output ${quote(path)}`,
    hint: () => 'write to another place',
  },
});
