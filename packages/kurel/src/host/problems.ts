import { countNoun, defineProblems, didYouMean, pass, passIn, quote, sentence, setting } from '../diagnostics/index.ts';
import type { Message } from '../model/index.ts';

/** The owner of files in an output directory: the instance that was built, and its layout. */
export interface OutputOwner {
  /** The name that the user chose, or the name of the package, or the path of the input. */
  readonly instance: string;
  readonly layout: string;
}

interface PathArgs {
  readonly path: string;
}

/** A directory may have been given with a slash at its end. */
function inside(directory: string, path: string): string {
  return `${directory.replace(/\/+$/, '')}/${path}`;
}

interface SharedOutput extends PathArgs {
  readonly other: OutputOwner;
}

interface HelperArgs {
  readonly program: string;
  /** The key of the registry in the file. */
  readonly key: string;
  readonly action: 'get' | 'store' | 'erase';
  readonly reason: string;
  readonly config: string;
  readonly isInstalled: boolean;
}

const helperVerbs: Readonly<Record<HelperArgs['action'], string>> = { get: 'get', store: 'store', erase: 'remove' };

/** Problems with files that flags name, with credentials, and with the output. */
export const hostProblems = defineProblems(() => ({
  'file-unreadable': {
    summary: 'A file that a flag names cannot be read.',
    message: ({ reason }: { readonly reason: string }) => `cannot read ${reason}`,
    hint: ({ near }: { readonly near?: string | undefined }) => didYouMean(near),
    fix: 'Check the path and the permissions of the file. Relative paths start at the current directory, and files must be UTF-8.',
  },
  'registry-config-invalid': {
    summary: sentence`Docker's config.json, or the file passed with ${setting('registryConfig')}, is not valid.`,
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `${quote(path)} is not a valid docker configuration: ${reason}`,
    hint: () => sentence`correct it, or ${passIn('another file', 'registryConfig')}`,
    fix: sentence`Correct the file, or pass another one with ${setting('registryConfig')}. \`kurel login HOST\` and \`docker login HOST\` write valid entries.`,
  },
  'credential-helper-failed': {
    summary: "A credential helper that docker's config.json names is not installed or fails.",
    message: ({ program, key, action, reason }: HelperArgs) =>
      `cannot ${helperVerbs[action]} the credentials for ${quote(key)} with ${program}: ${reason}`,
    hint: ({ program, key, action, config, isInstalled }: HelperArgs) =>
      isInstalled && action === 'get'
        ? `run echo ${key} | ${program} get to see why, or remove the helper from ${quote(config)}`
        : `${isInstalled ? 'see its documentation' : 'install it'}, or remove it from ${quote(config)}`,
    fix: sentence`Install the helper and check that it works, or remove it from credsStore and credHelpers in the file and log in again. To use another file, ${pass('registryConfig')}.`,
  },
  'revision-unreadable': {
    summary: sentence`A git revision in a path of kurel diff or in ${setting('since')} cannot be read.`,
    message: ({ revision, reason }: { readonly revision: string; readonly reason: string }) =>
      `cannot read revision ${quote(revision)}: ${reason}`,
    hint: ({ hint }: { readonly hint?: Message | undefined }) => hint,
    fix: 'Pass an existing branch, tag or commit, as in kurel diff main:deploy deploy or kurel fleet diff --since main. In a shallow clone, fetch the revision first with git fetch.',
  },
  'watch-polling': {
    severity: 'note',
    summary: sentence`With ${setting('watch')}: the system cannot report changes, so kurel looks for them twice a second.`,
    message: ({ reason }: { readonly reason: string }) => `looking for changes twice a second, because ${reason}`,
    hint: ({ hint }: { readonly hint?: Message | undefined }) => hint,
    fix: sentence`Nothing to do: ${setting('watch')} still works, but uses more CPU time. On Linux, raise fs.inotify.max_user_watches.`,
  },
  'output-path-refused': {
    summary: 'The path of an output file points outside the output directory or is not valid on every system.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `${JSON.stringify(path)} is not a valid output path: ${reason}`,
    fix: 'Rename the object or the package that the file is named after. Output paths must also be valid on Windows and macOS.',
  },
  'output-path-collision': {
    summary:
      'Two output files have the same path, or paths that differ only in case, or one path is a directory of the other.',
    message: ({ path, other }: PathArgs & { readonly other: string }) =>
      `output path "${path}" conflicts with "${other}"`,
    hint: () => 'rename one of them: paths that differ only in case are the same file on Windows and macOS',
    fix: sentence`Rename one of the objects, or choose another ${setting('layout')}. A path cannot be both a file and a directory.`,
  },
  'output-foreign-file': {
    summary: 'The output directory has a file that kurel did not write at the path of an output file.',
    message: ({ path }: PathArgs) => `"${path}" exists, was not written by kurel and has different content`,
    hint: () => 'move it, or choose another output directory; nothing was written',
    fix: 'Move or delete the file if you do not need it, or pass another directory with -o. kurel never overwrites files that it did not write.',
  },
  'output-blocked': {
    summary: 'A directory, link or device is at the path of an output file, or a file is at the path of a directory.',
    message: ({ path, found: entry, needed }: PathArgs & { readonly found: string; readonly needed: string }) =>
      `"${path}" is ${entry}, but the output needs ${needed} there`,
    hint: () => 'move it, or choose another output path; nothing was written',
    fix: 'Move or delete the existing entry, or pass another path with -o.',
  },
  'output-edited-file': {
    severity: 'warning',
    summary: 'A file is no longer needed, but it was edited after kurel wrote it, so it is kept.',
    message: ({ path }: PathArgs) => `"${path}" is no longer needed, but was edited and is kept`,
    hint: () => 'delete it, unless you want to maintain it yourself',
    fix: 'Delete the file if you do not need your changes. Otherwise move it to another directory and maintain it yourself.',
  },
  'output-inventory-broken': {
    summary: 'The inventory of an output directory, which lists files and their owners, is not valid.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `"${path}" is not a valid kurel inventory: ${reason}`,
    hint: () => 'delete it; kurel then keeps existing files unless they match the output',
    fix: 'Restore the inventory from version control, or delete it. Without it, kurel does not overwrite or remove files of earlier builds, so start with an empty output directory.',
  },
  'output-inventory-missing': {
    severity: 'warning',
    summary:
      'An old output directory of a fleet has files, but no inventory, so kurel does not know which of them it wrote.',
    message: ({ path }: PathArgs) =>
      `${quote(path)} is no longer an output, but has no inventory that lists the files of kurel; nothing was deleted`,
    hint: () => 'delete the directory, or remove its entry from the record of outputs if other files are in it',
    fix: 'Restore `.kurel-inventory` from version control and build again, or delete the files that are no longer needed. If the directory has only other files, remove its entry from the record of outputs beside the fleet file.',
  },
  'output-other-layout': {
    summary: 'The output directory contains the same instance in another layout.',
    message: ({ path, other, layout }: SharedOutput & { readonly layout: string }) =>
      `${quote(path)} contains ${quote(other.instance)} in layout ${quote(other.layout)}, not ${quote(layout)}`,
    hint: ({ path, other }: SharedOutput) =>
      `to change the layout, delete the files of ${quote(other.instance)} that ${quote(inside(path, '.kurel-inventory'))} lists, and build again; nothing was written`,
    fix: sentence`Pass the same ${setting('layout')} as before or another directory with -o. To change the layout, delete the files that the inventory lists for the instance, and build again. \`kurel fleet build\` does this itself for outputs that it has written.`,
  },
  'output-not-shared': {
    summary: 'The layout "phases" needs its own directory, but the output directory contains another instance.',
    message: ({ path, other }: SharedOutput) =>
      `${quote(path)} contains ${describeOwner(other)}, but layout "phases" needs its own directory`,
    hint: () =>
      sentence`build into another directory, or use ${setting('layout', 'flux')} or argocd, which can share one`,
    fix: sentence`Pass another directory with -o, or use ${setting('layout', 'flux')} or ${setting('layout', 'argocd')} for all instances in the directory.`,
  },
  'output-instance-name': {
    summary: 'A second instance in an output directory needs a subdirectory with its name, but the name is not valid.',
    message: ({
      path,
      other,
      instance,
      reason,
    }: SharedOutput & { readonly instance: string; readonly reason: string }) =>
      `${quote(instance)} cannot share ${quote(path)} with ${describeOwner(other)}: ${reason}`,
    hint: () => sentence`${pass('instance', 'NAME')}, or build into another directory`,
    fix: sentence`Pass ${setting('instance', 'NAME')} with a name of lower-case letters, digits and "-", or pass another directory with -o.`,
  },
  'output-owned-file': {
    summary: 'An output file belongs to another instance in the output directory.',
    message: ({ directory, path, other, owner }: OwnedFileArgs) =>
      path === other
        ? `${quote(inside(directory, path))} belongs to ${describeOwner(owner)}`
        : `${quote(inside(directory, path))} conflicts with ${quote(inside(directory, other))}, which belongs to ${describeOwner(owner)}`,
    hint: ({ owner }: OwnedFileArgs) =>
      `build into another directory, or delete the files of ${quote(owner.instance)} if it is no longer built; nothing was written`,
    fix: sentence`Pass another directory with -o. If the other instance is no longer built, delete its files. If it is the same one under another name, pass its name with ${setting('instance')}.`,
  },
  'output-place-taken': {
    summary: 'Another build used the output directory at the same time and took the subdirectory of this build.',
    message: ({ path }: PathArgs) => `another build wrote to ${quote(path)} at the same time; nothing was written`,
    hint: () => 'run the build again',
    fix: 'Run the build again. Builds that share an output directory should run one after another.',
  },
  'output-earlier-unknown': {
    severity: 'warning',
    summary:
      'An output directory of a fleet has files of several instances, and kurel does not know which one the target wrote.',
    message: ({ path, instances }: PathArgs & { readonly instances: readonly string[] }) =>
      `${quote(path)} contains files of ${instances.map((name) => quote(name)).join(', ')}, and it is not known which of them the target wrote`,
    hint: ({ path }: PathArgs) =>
      `delete the files of those that are no longer built; ${quote(inside(path, '.kurel-inventory'))} lists them`,
    fix: 'The record of the fleet does not name the instance, and several are in the directory, so kurel deletes none of them. Delete the files of those that are no longer built, as the inventory lists them.',
  },
  'output-root-kept': {
    severity: 'note',
    summary:
      'An empty kustomization stays of a removed output, so that Flux and Argo CD delete what they have applied from there.',
    message: ({ path }: PathArgs) =>
      `${quote(path)} is kept without resources, so that a controller deletes what it has applied`,
    hint: () => 'delete the directory with the object that makes the controller read it',
    fix: 'Commit the file. When the controller has deleted everything, delete its object (a Flux Kustomization or an Argo CD Application) and the directory.',
  },
  'output-unowned': {
    summary: 'The output directory has an inventory of kurel 0.1.0, and this build writes none of the files in it.',
    message: ({ path }: PathArgs) =>
      `${quote(path)} contains files of another build, written by kurel 0.1.0; nothing was written`,
    hint: ({ path }: PathArgs) =>
      `build into another directory, or first run the build that wrote ${quote(path)} again, which upgrades the inventory`,
    fix: 'Pass another directory with -o. To share this directory, first run the build that wrote it again: that upgrades the inventory and records the owner of its files.',
  },
  'output-adopted': {
    severity: 'note',
    summary: 'The files in an inventory of kurel 0.1.0, which had no owners, now belong to the instance of this build.',
    message: ({ path, count, owner }: PathArgs & { readonly count: number; readonly owner: OutputOwner }) =>
      `${count === 1 ? 'the file' : `the ${count} files`} that kurel 0.1.0 wrote to ${quote(path)} now ${count === 1 ? 'belongs' : 'belong'} to ${describeOwner(owner)}`,
    fix: 'Nothing to do. Commit the new inventory with the output.',
  },
  'output-unfinished': {
    severity: 'warning',
    summary: 'The last build of another instance in the output directory was interrupted.',
    message: ({ path, other }: SharedOutput) =>
      `the files of ${describeOwner(other)} in ${quote(path)} are incomplete: its last build was interrupted`,
    hint: ({ other }: SharedOutput) => `build ${quote(other.instance)} again`,
    fix: 'Run the build of the other instance again. It completes its files.',
  },
  'output-not-pruned': {
    severity: 'note',
    summary: 'A build with filters keeps the files of earlier builds, even if they are no longer part of the output.',
    message: ({ path, count }: PathArgs & { readonly count: number }) =>
      `${countNoun(count, 'file')} of an earlier build ${count === 1 ? 'is' : 'are'} kept in ${quote(path)} because this build has filters`,
    hint: () => 'build without filters to remove files that are no longer part of the output',
    fix: 'Nothing to do if you only want to update some files. Build without filters to remove files that are no longer part of the output.',
  },
  'output-partial-file': {
    summary: 'A build with filters would remove objects from a file with several objects.',
    message: ({ path }: PathArgs) => `"${path}" also contains objects that the filters exclude, and would lose them`,
    hint: () =>
      sentence`build without filters, into another directory, or with ${setting('layout', 'flat')}; nothing was written`,
    fix: sentence`Build without filters, or pass another directory with -o. With ${setting('layout', 'flat')}, each object has its own file, so filters cannot remove other objects.`,
  },
  'output-locked': {
    summary: 'Another build is writing to the output directory, or was killed on another machine while it did.',
    message: ({
      path,
      holder,
    }: PathArgs & { readonly holder: { readonly pid: number; readonly host: string } | undefined }) =>
      `${quote(path)} is locked by another build${holder === undefined ? '' : ` (process ${holder.pid} on ${quote(holder.host)})`}`,
    hint: ({ lock }: { readonly lock: string }) =>
      `run the build again when the other one has finished; if it is no longer running, delete ${quote(lock)}`,
    fix: 'Wait for the other build and run this one again. If no other build is running, delete the lock file that the hint names.',
  },
  'file-link-out': {
    summary: 'A file to rewrite is a link that points outside the working directory.',
    message: ({ path, target }: PathArgs & { target: string }) =>
      `link "${path}" points outside the working directory, to "${target}"; nothing was written`,
    hint: () => 'pass the path of the file itself',
    fix: 'Pass the path of the file that the link points to, or run kurel in a directory that contains it.',
  },
  'file-changed': {
    summary: 'A file to rewrite was changed after kurel read it.',
    message: ({ path }: PathArgs) => `"${path}" was changed while kurel was running; nothing was written`,
    hint: () => 'run the command again',
    fix: 'Run the command again. If it fails again, find the program that changes the file, such as an editor or a watcher.',
  },
  'output-failed': {
    summary: 'The output cannot be written. Files that were already changed are restored.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `cannot write "${path}": ${reason}`,
    fix: 'Check the permissions and the free space of the output directory, or pass another path with -o.',
  },
  'output-not-restored': {
    summary:
      'Writing failed, and the earlier files cannot be restored. They are kept in the directory that the hint names.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `cannot restore "${path}": ${reason}`,
    hint: ({ kept }: { readonly kept: string }) => `copy the earlier files back from "${kept}"`,
    fix: 'Fix the cause in the message, copy the earlier files back from the directory that the hint names, and run the command again.',
  },
}));

interface OwnedFileArgs {
  readonly directory: string;
  readonly path: string;
  /** The existing file. */
  readonly other: string;
  readonly owner: OutputOwner;
}

function describeOwner({ instance, layout }: OutputOwner): string {
  return `${quote(instance)} (layout ${quote(layout)})`;
}
