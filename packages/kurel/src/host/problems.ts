import { defineProblems, quote } from '../diagnostics/index.ts';

interface PathArgs {
  readonly path: string;
}

/** What can be wrong with the files that flags name, and with the place that output is written to. */
export const hostProblems = defineProblems({
  'file-unreadable': {
    severity: 'error',
    summary: 'A file that a flag names cannot be read.',
    message: ({ reason }: { readonly reason: string }) => `cannot read ${reason}`,
    hint: ({ near }: { readonly near?: string | undefined }) =>
      near === undefined ? undefined : `did you mean ${quote(near)}?`,
  },
  'revision-unreadable': {
    severity: 'error',
    summary: 'With diff: a path begins with a revision of git and a colon, and that revision cannot be read.',
    message: ({ revision, reason }: { readonly revision: string; readonly reason: string }) =>
      `cannot read the revision ${quote(revision)}: ${reason}`,
    hint: ({ hint }: { readonly hint?: string | undefined }) => hint,
  },
  'watch-polling': {
    severity: 'warning',
    summary: 'With --watch: the system cannot tell of changes, so files are looked at twice a second.',
    message: ({ reason }: { readonly reason: string }) => `changes are looked for twice a second, because ${reason}`,
    hint: ({ hint }: { readonly hint?: string | undefined }) => hint,
  },
  'output-path-refused': {
    severity: 'error',
    summary: 'An output file has a name that would leave the output directory or cannot be written on every system.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `the output path ${JSON.stringify(path)} is refused: ${reason}`,
  },
  'output-path-collision': {
    severity: 'error',
    summary:
      'Two output files have the same name, or names that only differ in case, or one is a directory of the other.',
    message: ({ path, other }: PathArgs & { readonly other: string }) =>
      `the output paths "${other}" and "${path}" collide`,
    hint: () => 'names that differ only in case are one file on Windows and macOS; a name cannot be file and directory',
  },
  'output-foreign-file': {
    severity: 'error',
    summary: 'A file that an earlier run did not write stands where an output file belongs.',
    message: ({ path }: PathArgs) => `"${path}" exists, was not written by kurel and has other content`,
    hint: () => 'move it away, or choose another output directory; nothing was written',
  },
  'output-blocked': {
    severity: 'error',
    summary: 'Something that is not a file stands where an output file belongs, or no directory where one is needed.',
    message: ({ path, found, needed }: PathArgs & { readonly found: string; readonly needed: string }) =>
      `"${path}" is ${found}, but the output needs ${needed} there`,
    hint: () => 'move it away, or choose another output; nothing was written',
  },
  'output-edited-file': {
    severity: 'warning',
    summary:
      'A file is no longer produced, but nothing proves that it is still what kurel wrote, so it is left in place.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `"${path}" ${reason}; left in place`,
    hint: () => 'it is no longer produced: delete it, unless you want to keep it as your own',
  },
  'output-inventory-broken': {
    severity: 'error',
    summary: 'The list of the files that the last run wrote cannot be trusted.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `"${path}" is not an inventory of kurel: ${reason}`,
    hint: () => 'delete it: kurel then treats the files beside it as foreign unless they are already as they should be',
  },
  'file-link-out': {
    severity: 'error',
    summary: 'A file that is to be written back is a link that leads out of the working directory.',
    message: ({ path, target }: PathArgs & { target: string }) =>
      `"${path}" is a link to "${target}"; nothing was written`,
    hint: () => 'name the file itself',
  },
  'file-changed': {
    severity: 'error',
    summary: 'A file that is to be written back is no longer what was read.',
    message: ({ path }: PathArgs) => `"${path}" was changed by somebody else in the meantime; nothing was written`,
    hint: () => 'run it again',
  },
  'output-failed': {
    severity: 'error',
    summary: 'The system refused to write the output; what had been changed was put back.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `"${path}" cannot be written: ${reason}`,
  },
  'output-not-restored': {
    severity: 'error',
    summary:
      'Writing failed, and so did putting the earlier files back; they are kept in a directory named in the hint.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `"${path}" cannot be put back as it was: ${reason}`,
    hint: ({ kept }: { readonly kept: string }) => `the earlier files are kept in "${kept}"`,
  },
});
