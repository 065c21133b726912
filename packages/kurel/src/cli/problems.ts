import { defineProblems, listFirst, passIn, quote, sentence } from '../diagnostics/index.ts';
import type { Message } from '../model/index.ts';

interface PathArgs {
  readonly path: string;
}

interface InsideArgs extends PathArgs {
  readonly source: string;
  /** Whether the input is read without hidden files and directories. */
  readonly skipsHidden: boolean;
}

/** `a Policy`, `an Application` */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

const hintsForDocuments: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['ClusterProfile', sentence`${passIn('the profile', 'profile')}`],
  ['Policy', sentence`${passIn('the policy', 'policy')}`],
  ['CapabilityDefinition', sentence`${passIn('it', 'definitions')}, or put it in definitions/ of the package`],
  ['Package', 'it declares the parameters of a package: pass the directory of the package instead'],
  ['Application', 'it is part of a package: pass the directory of the package instead'],
]);

interface MovedOutputArgs {
  readonly output: string;
  readonly target: string;
  readonly now: string;
}

interface RecordedArgs {
  readonly target: string;
  readonly instances: readonly string[];
}

interface StaleRecordArgs {
  readonly output: string;
  readonly recorded: RecordedArgs;
  readonly target: RecordedArgs;
}

function describeRecorded({ target, instances }: RecordedArgs): string {
  const names = instances.map((name) => quote(name)).join(' or ');
  return names === '' ? quote(target) : `${quote(target)} with instance ${names}`;
}

/** What a fleet would write or delete in a place that it may not use. */
export type OutsideSubject = 'output' | 'removed output' | 'record' | 'report';

interface OutsideArgs extends PathArgs {
  readonly subject: OutsideSubject;
  readonly reason: 'outside' | 'git';
  /** Where links lead. */
  readonly target: string | undefined;
  readonly isRepository: boolean;
}

const outsideHints: Readonly<Record<OutsideSubject, string>> = {
  output: 'use a directory inside it, or pass --allow-output DIR',
  'removed output': 'delete its files yourself and its entry in the record, or pass --allow-output DIR',
  record: 'replace the link by a file',
  report: 'replace the link, or write the report elsewhere',
};

/** Problems with the arguments and the output of a command. */
export const cliProblems = defineProblems(() => ({
  'login-refused': {
    summary: 'A registry does not accept a user and password.',
    message: ({ host, username }: { readonly host: string; readonly username: string }) =>
      `${quote(host)} refuses the user ${quote(username)} or the password; nothing was stored`,
    hint: () => 'check both; many registries require a token instead of the password of the user',
    fix: 'Check the user and the password. Many registries require an access token instead of the password, with the permission to read or write packages.',
  },
  'login-not-verified': {
    severity: 'warning',
    summary: 'A registry did not ask for credentials at log-in, so it is not known whether they are right.',
    message: ({ host }: { readonly host: string }) =>
      `${quote(host)} does not require credentials: the password was not verified`,
    fix: 'Nothing to do if the registry is public. Otherwise check the host.',
  },
  'login-not-encrypted': {
    severity: 'warning',
    summary: 'A password is stored in a file that is not encrypted.',
    message: ({ file }: { readonly file: string }) =>
      `the password is stored in ${quote(file)}, which is not encrypted`,
    hint: () => 'install a credential helper and name it in "credsStore" of that file',
    fix: "Install a credential helper for your system, such as docker-credential-secretservice, and name it in credsStore of docker's config.json. In CI, delete the file at the end of the job.",
  },
  'output-stale': {
    summary: 'With --check: a file differs from what the build would write.',
    message: ({ path, state }: PathArgs & { readonly state: 'missing' | 'different' | 'left over' }) =>
      ({
        missing: `${quote(path)} is missing`,
        different: `${quote(path)} is not up to date`,
        'left over': `${quote(path)} is no longer produced`,
      })[state],
    hint: () => 'run the command without --check to update it',
    fix: 'Run the same command without --check and commit the result.',
  },
  'output-owner-stale': {
    summary:
      'With --check: the inventory of an output directory has another instance or layout than the build, which replaces it.',
    message: ({ path, other }: PathArgs & { readonly other: { readonly instance: string; readonly layout: string } }) =>
      `${quote(path)} contains files of ${quote(other.instance)} in layout ${quote(other.layout)}, which this build replaces`,
    hint: () => 'run the command without --check to update it',
    fix: 'Run the same command without --check and commit the result.',
  },
  'output-empty': {
    summary: 'No objects are left to write, so the output would be emptied.',
    message: ({ path }: PathArgs) => `no objects to write to ${quote(path)}: it was not changed`,
    fix: 'Check the filters, such as --kind and --selector. To remove the output, delete it yourself.',
  },
  'output-is-input': {
    summary: 'The output directory contains part of the input, so the next build would read its own output.',
    message: ({ path, source }: PathArgs & { readonly source: string }) =>
      `the output ${quote(path)} contains ${quote(source)}, which is part of the input`,
    hint: () => 'write to another directory',
    fix: 'Pass a directory with --output that contains none of the input.',
  },
  'output-below-input': {
    summary: 'The output is inside the input, so later builds would read it or fail because of it.',
    message: ({ path, source }: InsideArgs) =>
      path === source
        ? `the output ${quote(path)} is the input itself`
        : `the output ${quote(path)} is inside the input ${quote(source)}`,
    hint: ({ skipsHidden }: InsideArgs) =>
      skipsHidden
        ? 'write to a directory outside the input, or to one whose name starts with a dot'
        : 'write to a directory outside the input',
    fix: 'Pass a directory with --output that is outside the input.',
  },
  'fleet-output-removed': {
    severity: 'warning',
    summary: 'The output directory of a target that was removed from the fleet file still exists.',
    message: ({ output, target }: { readonly output: string; readonly target: string }) =>
      `${quote(output)} is the output of ${quote(target)}, which is no longer a target`,
    hint: () => 'remove it with kurel fleet build --prune',
    fix: 'Run kurel fleet build --prune, which deletes the files that kurel wrote there, or add the target to the fleet file again.',
  },
  'fleet-output-outside': {
    summary: 'A fleet would write or delete files outside the repository, or in a directory of git.',
    message: ({ path, subject, reason, target, isRepository }: OutsideArgs) => {
      const own = isRepository ? 'the repository' : 'the directory of the fleet file';
      const where = reason === 'git' ? 'in a directory of git' : `outside ${own}`;
      return target === undefined
        ? `${subject} ${quote(path)} is ${where}`
        : `${subject} ${quote(path)} is ${quote(target)}, which is ${where}`;
    },
    hint: ({ subject, reason }: OutsideArgs) =>
      subject === 'output' && reason === 'git' ? 'use another directory' : outsideHints[subject],
    fix: 'Write to a directory of the repository, or of the fleet file if there is no repository. `--allow-output DIR` allows another one; nobody but you can decide that, because a pull request may change the fleet file. Directories of git are never written to, and links count as what they point to.',
  },
  'fleet-flux-source-missing': {
    summary: 'A target of a fleet has the layout flux, but does not name the source that Flux reads.',
    message: () => 'layout "flux" requires a source, from which Flux reads the output',
    hint: ({ isArtifact }: { readonly isArtifact: boolean }) =>
      isArtifact
        ? 'set "flux: {source: OCIRepository/NAME}", with the object that reads the artifact'
        : 'set "flux: {source: GitRepository/NAME}", with the object that reads this repository, such as flux-system',
    fix: 'Name the object in the cluster that fetches the output, as KIND/NAME or KIND/NAME.NAMESPACE, in "flux" of spec.defaults, the cluster or the target. `flux bootstrap` creates GitRepository/flux-system.flux-system.',
  },
  'fleet-instance-invalid': {
    summary: 'The instance of a target, with its placeholders filled, is not a valid name.',
    message: ({ instance, reason }: { readonly instance: string; readonly reason: string }) =>
      `instance ${quote(instance)} is not a valid name: it ${reason}`,
    hint: () =>
      'objects and directories are named after it; use shorter names in placeholders, or set "instance" for the target',
    fix: 'Use lower-case letters, digits and hyphens, at most 63 characters. Names of applications and clusters that placeholders stand for count, too.',
  },
  'fleet-output-moved': {
    summary: 'The output directory that a target had before it got another one still has its files.',
    message: ({ output, target, now }: MovedOutputArgs) =>
      `${quote(output)} is an old output of ${quote(target)}, which writes to ${quote(now)}`,
    hint: () => 'run kurel fleet build, which removes it when it has written the new one',
    fix: 'Run kurel fleet build, which deletes the files that it wrote to the old directory, and commit the result.',
  },
  'fleet-record-stale': {
    summary: 'With --check: the record of outputs names another target or instance than the fleet file.',
    message: ({ output, recorded, target }: StaleRecordArgs) =>
      `the record of outputs has ${describeRecorded(recorded)} for ${quote(output)}, not ${describeRecorded(target)}`,
    hint: () => 'run kurel fleet build and commit the record',
    fix: 'Run kurel fleet build and commit the record of outputs, the hidden file beside the fleet file.',
  },
  'fleet-record-broken': {
    summary:
      'The record of outputs beside a fleet file cannot be read, so kurel does not know which outputs have moved or are left over.',
    message: ({ path, reason }: { readonly path: string; readonly reason: string }) =>
      `${quote(path)} is not a valid record of outputs: ${reason}`,
    hint: () => 'resolve conflicts in it, or restore it from version control',
    fix: 'Resolve conflicts in the record, or restore it from version control. If you delete it, kurel does not report or remove the outputs of targets that were removed or have moved before.',
  },
  'fleet-process-stopped': {
    summary: 'The process that built a target of a fleet stopped.',
    message: ({ target, reason }: { readonly target: string; readonly reason: string }) =>
      `the process that built target ${quote(target)} stopped: ${reason}`,
    hint: () => 'build this target alone to see why; it may need more memory than there is',
    fix: 'Build the target alone with kurel fleet build TARGET --jobs 1. If it runs out of memory, raise the limit of Node: NODE_OPTIONS=--max-old-space-size=4096.',
  },
  'fleet-cache-entry': {
    severity: 'note',
    summary: 'An entry of the cache of a fleet cannot be trusted or is damaged. The target was built instead.',
    message: ({ reason }: { readonly reason: string }) => `an entry of the cache was not used: ${reason}`,
    hint: () => 'check who can write to the cache, and that all machines have the same KUREL_CACHE_KEY',
    fix: 'Give all machines that share the cache the same KUREL_CACHE_KEY, and nobody else access to it. Entries that are not valid are replaced when their targets are built.',
  },
  'fleet-cache-failed': {
    severity: 'note',
    summary: 'The cache of a fleet cannot be used. Targets were built without it.',
    message: ({ kind, reason }: { readonly kind: 'get' | 'put'; readonly reason: string }) =>
      `cannot ${kind === 'get' ? 'read from' : 'write to'} the cache: ${reason}`,
    hint: () => 'the result does not depend on the cache, but it takes longer without it',
    fix: 'Check the server or directory in --cache and the credentials in the environment. After three failures in a row, a process does not ask the cache again.',
  },
  'fleet-report-invalid': {
    summary: 'A file passed to kurel fleet report is not a report of this version of kurel.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `${quote(path)} is not a report of kurel fleet: ${reason}`,
    hint: () => 'pass files that kurel fleet build --report or validate --report wrote',
    fix: 'Write the report again with kurel fleet build --report FILE, with the same version of kurel.',
  },
  'fleet-report-different': {
    summary: 'Reports passed to kurel fleet report are of different runs.',
    message: ({ path, first, what }: PathArgs & { readonly first: string; readonly what: string }) =>
      `${quote(path)} and ${quote(first)} are of different runs: they do not have the same ${what}`,
    hint: () => 'run all shards with the same commit, version of kurel and flags',
    fix: 'Run all shards again from the same commit with the same flags, and pass only their reports.',
  },
  'fleet-report-duplicate': {
    summary: 'Two reports passed to kurel fleet report are of the same shard.',
    message: ({ path, first, shard }: PathArgs & { readonly first: string; readonly shard: string }) =>
      `${quote(path)} and ${quote(first)} are both of shard ${shard}`,
    hint: () => 'pass one report per shard',
    fix: 'Pass one report per shard. If a CI job uses the same number twice, give each its own.',
  },
  'fleet-report-missing': {
    summary: 'Not all shards of a run have a report, so some targets were not processed.',
    message: ({ shards }: { readonly shards: readonly string[] }) =>
      `no report of ${shards.length === 1 ? 'shard' : 'shards'} ${listFirst(shards, 10)}`,
    hint: () => 'find out why it did not finish, and run it again',
    fix: 'Run the missing shards, with the same N in --shard I/N, and pass the reports of all of them.',
  },
  'patch-directory-empty': {
    summary: 'The directory passed with --patch contains no patches.',
    message: ({ path }: PathArgs) => `directory ${quote(path)} contains no patches`,
    hint: () => 'patches end with .kpatch, .yaml or .yml; hidden files and subdirectories are not read',
    fix: 'Pass the directory that contains the .kpatch, .yaml or .yml files, or pass the files one by one.',
  },
  'patch-link-out': {
    summary: 'A link in the directory passed with --patch points outside of it.',
    message: ({ file, path }: PathArgs & { readonly file: string }) =>
      `link ${quote(file)} points outside ${quote(path)}`,
    hint: () => 'replace it with a copy, or pass the file it points to with --patch',
    fix: 'Replace the link with a copy of the file, or pass the file itself with --patch.',
  },
  'base-not-manifests': {
    summary: 'kurel patch got a package, chart or kustomization instead of manifests.',
    message: ({ path, form }: PathArgs & { readonly form: string }) =>
      `${quote(path)} is ${form}, but kurel patch patches manifests`,
    hint: ({ path }: PathArgs) => `patch what it renders: kurel build ${path} --patch FILE`,
    fix: 'Use kurel build PATH --patch FILE, which renders the input and patches the result.',
  },
  'base-twice': {
    summary: 'The same manifest file is read twice, so every target in it would be ambiguous.',
    message: ({ path, first }: PathArgs & { readonly first: string }) =>
      path === first ? `duplicate input ${quote(path)}` : `${quote(path)} is the same file as ${quote(first)}`,
    hint: () => 'pass each file once: directories and patterns include the files in them',
    fix: 'Pass each file once. A directory or pattern already includes the files in it.',
  },
  'values-document': {
    summary: 'The file passed with --values is a kurel document such as a profile, not a values file.',
    message: ({ path, kind }: PathArgs & { readonly kind: string }) =>
      `${quote(path)} is ${withArticle(kind)}, not a values file`,
    hint: ({ kind }: { readonly kind: string }) =>
      hintsForDocuments.get(kind) ?? 'a values file has no apiVersion and no kind',
    fix: 'Pass profiles with --profile, policies with --policy, and only plain values with --values.',
  },
  'resource-list-invalid': {
    summary: 'Standard input of kurel krm is not a ResourceList with a functionConfig.',
    message: ({ reason }: { readonly reason: string }) => `standard input is not a complete ResourceList: ${reason}`,
    hint: () => 'kustomize and kpt call kurel krm; to build manifests from standard input, use kurel build -',
    fix: 'Let kustomize or kpt call kurel krm. By hand, pass a ResourceList of config.kubernetes.io/v1 with items and a functionConfig.',
  },
  'output-not-validated': {
    severity: 'note',
    summary: 'With --no-validate: the manifests were not validated.',
    message: () => 'the output was not validated',
    hint: () => 'remove --no-validate to validate it',
    fix: 'Remove --no-validate. If a finding is known and harmless, accept it in kurel.accept.yaml instead.',
  },
  'images-hidden': {
    severity: 'warning',
    summary: 'kurel images cannot list images that are known only to the cluster, such as those of a HelmRelease.',
    message: ({ object, reason }: { readonly object: string; readonly reason: string }) =>
      `the images of ${quote(object)} are not listed: ${reason}`,
    fix: 'Render the chart at build time, or list its images with the tool that installs it.',
  },
  'push-file-refused': {
    summary: 'A file cannot be part of a package or artifact in a registry.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `cannot push ${quote(path)}: ${reason}`,
    hint: ({ hint }: { readonly hint: string | undefined }) => hint,
    fix: 'Replace links with copies, rename files that not every system can have, and move large files out of the package. Hidden files are not pushed.',
  },
  'pull-not-empty': {
    summary: 'The directory for a pulled package has other files.',
    message: ({ path }: PathArgs) => `${quote(path)} is not empty`,
    hint: () => 'pass another directory with -o, or remove it',
    fix: 'Pass a directory that does not exist or is empty, with -o DIR. kurel pull never replaces files.',
  },
  'init-refused': {
    summary: 'A new package cannot be created at the given path.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `cannot create ${quote(path)}: ${reason}`,
    fix: 'Choose a path that does not exist or is empty, in a directory you can write to.',
  },
  'fmt-nothing': {
    summary: 'The directory to format contains no .kpatch files.',
    message: ({ path }: PathArgs) => `directory ${quote(path)} contains no .kpatch files`,
    fix: 'Pass a .kpatch file, or a directory that contains some.',
  },
  'fmt-stale': {
    summary: 'With --check: a .kpatch file is not formatted.',
    message: ({ path }: PathArgs) => `${quote(path)} is not formatted`,
    hint: () => 'run kurel fmt without --check to format it',
    fix: 'Run kurel fmt on the file.',
  },
}));
