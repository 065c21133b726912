import { defineProblems, quote } from '../diagnostics/index.ts';
import type { OutputOwner } from './output-owner.ts';
import type { SignedProcess } from './process-signature.ts';

interface PathArgs {
  readonly path: string;
}

interface SharedOutput extends PathArgs {
  readonly other: OutputOwner;
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
    severity: 'note',
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
    summary: 'A file is no longer produced, but was changed since kurel wrote it, so it is left in place.',
    message: ({ path }: PathArgs) => `"${path}" was changed since kurel wrote it; left in place`,
    hint: () => 'it is no longer produced: delete it, unless you want to keep it as your own',
  },
  'output-inventory-broken': {
    severity: 'error',
    summary: 'The list of the files in an output directory, and of who owns them, cannot be trusted.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `"${path}" is not an inventory of kurel: ${reason}`,
    hint: () => 'delete it: kurel then treats the files beside it as foreign unless they are already as they should be',
  },
  'output-other-layout': {
    severity: 'error',
    summary: 'The output directory holds the same instance in another layout.',
    message: ({ path, other, layout }: SharedOutput & { readonly layout: string }) =>
      `${quote(path)} holds ${quote(other.instance)} in the layout ${quote(other.layout)}, not ${quote(layout)}`,
    hint: ({ path, other }: SharedOutput) =>
      `build into another directory, or delete the files of ${quote(other.instance)} in ${quote(path)} first`,
  },
  'output-not-shared': {
    severity: 'error',
    summary: 'The layout "phases" needs a directory of its own, and two instances would share one.',
    message: ({ path, other }: SharedOutput) =>
      `${quote(path)} holds ${describeOwner(other)}, and the layout "phases" needs a directory of its own`,
    hint: () => 'build into another directory; with --layout flux or argocd, instances can share one',
  },
  'output-instance-name': {
    severity: 'error',
    summary: 'A second instance in an output directory needs a directory with its name, and cannot have it.',
    message: ({
      path,
      other,
      instance,
      reason,
    }: SharedOutput & { readonly instance: string; readonly reason: string }) =>
      `${quote(instance)} cannot share ${quote(path)} with ${describeOwner(other)}: ${reason}`,
    hint: () => 'pass --instance NAME, or build into another directory',
  },
  'output-owned-file': {
    severity: 'error',
    summary: 'A file of another instance is in the output directory where this build would write.',
    message: ({ directory, path, other, owner }: OwnedFileArgs) =>
      path === other
        ? `"${directory}/${path}" belongs to ${describeOwner(owner)}`
        : `"${directory}/${path}" collides with "${directory}/${other}", which belongs to ${describeOwner(owner)}`,
    hint: ({ owner }: OwnedFileArgs) =>
      `build into another directory; if ${quote(owner.instance)} is no longer built, delete its files. Nothing was written`,
  },
  'output-place-taken': {
    severity: 'error',
    summary: 'Another build took the place in the output directory that this build was about to use.',
    message: ({ path }: PathArgs) =>
      `another build has taken its place in ${quote(path)} meanwhile; nothing was written`,
    hint: () => 'run the build again',
  },
  'output-unowned': {
    severity: 'error',
    summary: 'The output directory has an inventory of kurel 0.1.0, and this build produces none of the files in it.',
    message: ({ path }: PathArgs) =>
      `${quote(path)} holds files of another build, written by kurel 0.1.0; nothing was written`,
    hint: ({ path }: PathArgs) =>
      `build into another directory; or first build what is in ${quote(path)} again, which takes its files over`,
  },
  'output-adopted': {
    severity: 'note',
    summary:
      'The files in an inventory of kurel 0.1.0, which knew no owners, now belong to the instance that was built.',
    message: ({ path, count, owner }: PathArgs & { readonly count: number; readonly owner: OutputOwner }) =>
      `${count === 1 ? 'the file' : `the ${count} files`} that kurel 0.1.0 wrote to ${quote(path)} now ${count === 1 ? 'belongs' : 'belong'} to ${describeOwner(owner)}`,
  },
  'output-unfinished': {
    severity: 'warning',
    summary: 'The last build of another instance in the output directory was killed before it was done.',
    message: ({ path, other }: SharedOutput) =>
      `the files of ${describeOwner(other)} in ${quote(path)} are not complete: its last build was interrupted`,
    hint: ({ other }: SharedOutput) => `build ${quote(other.instance)} again`,
  },
  'output-not-pruned': {
    severity: 'note',
    summary: 'A build with filters leaves files of an earlier build in place, whether or not they are still produced.',
    message: ({ path, count }: PathArgs & { readonly count: number }) =>
      `${count === 1 ? '1 file' : `${count} files`} of an earlier build ${count === 1 ? 'stays' : 'stay'} in ${quote(path)}, because this build has filters`,
    hint: () => 'build without filters to remove files that are no longer produced',
  },
  'output-partial-file': {
    severity: 'error',
    summary: 'A build with filters would remove objects from a file that holds several.',
    message: ({ path }: PathArgs) => `"${path}" also holds objects that the filters drop, and would lose them`,
    hint: () => 'build without filters, into another directory, or with --layout flat; nothing was written',
  },
  'output-locked': {
    severity: 'error',
    summary: 'Another process is writing to the output directory, or was killed on another machine while it did.',
    message: ({ path, holder }: PathArgs & { readonly holder: SignedProcess | undefined }) =>
      `${quote(path)} is locked by another build${holder === undefined ? '' : ` (process ${holder.pid} on ${quote(holder.host)})`}`,
    hint: ({ lock }: { readonly lock: string }) =>
      `run the build again when the other has ended; if it is no longer running, delete ${quote(lock)}`,
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

interface OwnedFileArgs {
  readonly directory: string;
  readonly path: string;
  /** The file that is there. */
  readonly other: string;
  readonly owner: OutputOwner;
}

function describeOwner({ instance, layout }: OutputOwner): string {
  return `${quote(instance)} (layout ${quote(layout)})`;
}
