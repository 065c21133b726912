import { defineProblems, didYouMean, listFirst, nearest, quote, sentence, setting } from '../diagnostics/index.ts';

interface Named {
  readonly name: string;
  readonly names: readonly string[];
}

interface TwoTargets {
  readonly target: string;
  readonly other: string;
}

interface SharedOutput extends TwoTargets {
  readonly output: string;
  /** Whether both outputs come from the same entry. */
  readonly isOneEntry: boolean;
  readonly hasOtherCase: boolean;
}

interface RegistryReference {
  readonly setting: 'package' | 'artifact';
  readonly reference: string;
  readonly target: string;
  readonly reason: string;
}

interface SharedWrites {
  readonly targets: readonly string[];
  readonly objects: readonly string[];
}

/** `targets "a", "b" and 3 others` */
function nameTargets(targets: readonly string[]): string {
  const shown = targets.length > 3 ? targets.slice(0, 2) : targets;
  const rest = targets.length - shown.length;
  const names = shown.map(quote);
  const last = rest > 0 ? `${rest} others` : names.pop()!;
  return `${names.join(', ')} and ${last}`;
}

/** A similar name, or all names. */
function suggest({ name, names }: Named, none: string): string {
  return didYouMean(nearest(name, names)) ?? (names.length === 0 ? none : `use one of: ${listFirst(names, 10)}`);
}

const hintsForMissing = {
  package: 'set "package" in the application, the target or spec.defaults',
  output: 'set "output" in spec.defaults, for example output: rendered/{cluster}/{app}',
  name: 'add a name, or "application" and "cluster"',
} as const;

type RequiredSetting = keyof typeof hintsForMissing;

const nouns = { applications: 'application', clusters: 'cluster', groups: 'group' } as const;

type Noun = keyof typeof nouns;

export const fleetProblems = defineProblems(() => ({
  'fleet-empty': {
    summary: 'A fleet file has no targets.',
    message: () => 'the fleet has no targets',
    hint: ({ lacks }: { lacks: 'entries' | 'clusters' | 'applications' | 'pairs' }) =>
      ({
        entries: 'add an entry to spec.matrix, spec.directories or spec.targets',
        clusters: 'spec.matrix creates a target for each cluster: add one to spec.clusters',
        applications: 'spec.matrix creates a target for each application: add one to spec.applications',
        pairs: 'every target is excluded: remove an entry of "exclude"',
      })[lacks],
    fix: 'List targets in spec.targets, create them from spec.applications and spec.clusters with spec.matrix, or from directories with spec.directories.',
  },
  'fleet-too-large': {
    summary: 'A fleet has more targets or groups than the limit.',
    message: ({ limit, noun }: { limit: number; noun: 'targets' | 'groups' }) =>
      `the fleet has more than ${limit.toLocaleString('en-US')} ${noun}`,
    hint: () => 'split it into several fleet files',
    fix: sentence`Split the fleet file, and build each part with ${setting('fleet', 'FILE')}.`,
  },
  'fleet-name-unknown': {
    summary: 'A fleet file refers to an application, cluster or group that it does not define.',
    message: ({ noun, name }: Named & { noun: Noun }) => `${nouns[noun]} ${quote(name)} does not exist`,
    hint: ({ noun, ...rest }: Named & { noun: Noun }) => suggest(rest, `add ${quote(rest.name)} to spec.${noun}`),
    fix: 'Correct the name, or define it in spec.applications, spec.clusters or spec.groups.',
  },
  'fleet-pattern-unmatched': {
    summary: 'A pattern in a fleet file matches no application or cluster.',
    message: ({ noun, name }: Named & { noun: Noun }) => `pattern ${quote(name)} matches no ${nouns[noun]}`,
    hint: ({ noun, names }: Named & { noun: Noun }) =>
      names.length === 0 ? `add one to spec.${noun}` : `spec.${noun} has: ${listFirst(names, 10)}`,
    fix: 'Correct the pattern: `*` matches any characters of a name. Or remove it.',
  },
  'fleet-directories-unmatched': {
    summary: 'A path pattern in a fleet file matches no directory or file.',
    message: ({ pattern }: { pattern: string }) => `pattern ${quote(pattern)} matches no directory or file`,
    hint: ({ near }: { near: string | undefined }) =>
      didYouMean(near) ??
      'paths are relative to the directory of the fleet file; `*` and placeholders match within one name',
    fix: 'Correct the pattern. Paths are relative to the directory of the fleet file, and `*` and placeholders match within one directory name.',
  },
  'fleet-exclude-unmatched': {
    severity: 'warning',
    summary: 'An entry of "exclude" in a fleet file excludes nothing.',
    message: ({ entry }: { entry: string }) => `${entry} excludes nothing`,
    hint: () => 'correct or remove the entry',
    fix: 'Correct the names in the entry, or remove it.',
  },
  'fleet-unused': {
    severity: 'warning',
    isBrief: true,
    summary: 'A fleet file defines an application, cluster or group that no target uses.',
    message: ({ noun, name }: { noun: Noun; name: string }) =>
      `${nouns[noun]} ${quote(name)} is not used by any target`,
    hint: ({ noun }: { noun: Noun }) =>
      noun === 'groups' ? 'extend it, or remove it' : 'add it to spec.matrix or spec.targets, or remove it',
    fix: 'Use the entry in spec.matrix or spec.targets, or in "extends" for a group, or remove it.',
  },
  'fleet-group-cycle': {
    summary: 'Groups of a fleet file extend each other in a cycle.',
    message: ({ cycle }: { cycle: readonly string[] }) =>
      cycle.length === 2
        ? `group ${quote(cycle[0]!)} extends itself`
        : `groups extend each other: ${cycle.join(' → ')}`,
    hint: ({ cycle }: { cycle: readonly string[] }) =>
      cycle.length === 2 ? 'remove the entry' : 'remove one of these entries of "extends"',
    fix: 'Remove one of the "extends" entries in the cycle.',
  },
  'fleet-placeholder-unknown': {
    summary: 'A placeholder in a fleet file has no value for a target.',
    message: ({ name, target }: Named & { target: string }) =>
      `unknown placeholder ${quote(`{${name}}`)} for target ${quote(target)}`,
    hint: ({ name, names }: Named & { target: string }) => {
      const near = didYouMean(nearest(name, names), (other) => quote(`{${other}}`));
      if (near !== undefined) return near;
      const use = `use ${names.length === 1 ? '' : 'one of: '}${names.map((other) => `{${other}}`).join(', ')}`;
      const setting = { app: 'application', cluster: 'cluster' }[name];
      if (setting === undefined) return use;
      // Targets from directories take names from their pattern.
      const isOfDirectories = names.includes('path');
      return isOfDirectories
        ? `write {${name}} in "path" of the directories, or ${use}`
        : `set "${setting}" in the target, or ${use}`;
    },
    fix: 'Use {app} and {cluster} for targets of a matrix, and the names in the path pattern for targets from directories. {target} is the name of the target.',
  },
  'fleet-placeholder-syntax': {
    summary: 'A path or name in a fleet file has a brace that is not part of a placeholder, or `**`.',
    message: ({ text, reason }: { text: string; reason: string }) => `${quote(text)} is not valid: ${reason}`,
    hint: ({ reason }: { text: string; reason: string }) =>
      reason.startsWith('"**"')
        ? '`*` matches within one name; add an entry for each depth, such as packages/* and packages/*/*'
        : 'write placeholders as {app} or {cluster}; expressions are not supported',
    fix: 'Write placeholders as a name in braces, such as {app}. Fleet files have no expressions, and paths cannot contain other braces.',
  },
  'fleet-setting-missing': {
    summary: 'A target of a fleet has no package, output or name.',
    message: ({ setting, target }: { setting: RequiredSetting; target: string | undefined }) =>
      `required setting "${setting}" is missing for ${target === undefined ? 'a target' : `target ${quote(target)}`}`,
    hint: ({ setting }: { setting: RequiredSetting }) => hintsForMissing[setting],
    fix: 'Set it in the target itself, in its application, its cluster, or in spec.defaults, from which all targets inherit.',
  },
  'fleet-target-name': {
    summary: 'The name of a target is not valid.',
    message: ({ name }: { name: string }) => `${quote(name)} is not a valid target name`,
    hint: () => 'use letters, digits, "-", "_" and "." in parts separated by "/", such as berlin/web',
    fix: 'Use parts of letters, digits, "-", "_" and ".", separated by "/", such as berlin/web.',
  },
  'fleet-target-duplicate': {
    summary: 'Two targets of a fleet have the same name.',
    message: ({ target }: { target: string }) => `duplicate target ${quote(target)}`,
    hint: ({ isOneEntry }: { isOneEntry: boolean }) =>
      isOneEntry
        ? 'use placeholders in "name", such as {cluster}/{app}'
        : 'set "name" in one of the entries, or exclude it from the matrix',
    fix: 'Give one of the targets another name, or exclude the pair from one of the matrix entries.',
  },
  'fleet-output-shared': {
    summary: 'Two targets of a fleet write to the same directory.',
    message: ({ target, other, output }: SharedOutput) =>
      `targets ${quote(other)} and ${quote(target)} both write to ${quote(output)}`,
    hint: ({ isOneEntry, hasOtherCase }: SharedOutput) => {
      if (isOneEntry) return 'use placeholders in "output", such as rendered/{cluster}/{app}';
      return hasOtherCase
        ? 'use another directory for one of them; many file systems ignore case'
        : 'use another directory for one of them';
    },
    fix: 'Give each target its own output directory, for example with the placeholders {app} and {cluster}.',
  },
  'fleet-output-nested': {
    summary: 'The output directory of a target is inside that of another target.',
    message: ({ target, other, output, outer }: TwoTargets & { output: string; outer: string }) =>
      `the output ${quote(output)} of target ${quote(target)} is inside ${quote(outer)} of target ${quote(other)}`,
    hint: () => 'use output directories that do not contain each other',
    fix: 'Choose output directories that do not contain each other.',
  },
  'fleet-output-in-package': {
    summary: 'The output directory of a target is inside the package of another target.',
    message: ({ target, other, output, package: input }: TwoTargets & { output: string; package: string }) =>
      `the output ${quote(output)} of target ${quote(target)} is inside the package ${quote(input)} of target ${quote(other)}`,
    hint: () => 'write to a directory outside the package',
    fix: 'Choose an output directory outside all packages. Otherwise the output of one target would become part of the input of another.',
  },
  'fleet-path-missing': {
    summary: 'A path in a fleet file does not exist.',
    message: ({ path, setting, target }: { path: string; setting: string; target: string }) =>
      `${setting} ${quote(path)} of target ${quote(target)} does not exist`,
    hint: ({ near, setting }: { near: string | undefined; setting: string }) =>
      didYouMean(near) ??
      (setting === 'values file'
        ? 'create it, or list it in "optionalValues"'
        : 'paths are relative to the directory of the fleet file'),
    fix: 'Correct the path; paths are relative to the directory of the fleet file. List values files that exist only for some targets in "optionalValues".',
  },
  'fleet-reference-invalid': {
    summary: 'A package or artifact of a target is not a valid reference to a registry.',
    message: ({ setting, reference, target, reason }: RegistryReference) =>
      `${setting} ${quote(reference)} of target ${quote(target)} is not valid: ${reason}`,
    hint: ({ setting }: RegistryReference) =>
      setting === 'package'
        ? 'write oci://host/path and set "version", or add a tag or digest, as in oci://host/path:1.2.0'
        : 'write oci://host/path; kurel fleet push --tag sets the tag',
    fix: 'Write references as oci://host/path. Paths are in lower case, also the names that placeholders are filled with.',
  },
  'fleet-version-missing': {
    summary: 'A package in a registry has no version, tag or digest.',
    message: ({ reference, target }: Pick<RegistryReference, 'reference' | 'target'>) =>
      `package ${quote(reference)} of target ${quote(target)} has no version`,
    hint: () => 'set "version", such as ^1.2.0, or add a tag or digest to the package',
    fix: 'Set "version" to a version or range, such as ^1.2.0, and run kurel update. Or add a tag or digest to the reference.',
  },
  'fleet-version-invalid': {
    summary: 'The version of a package in a fleet file is neither a version nor a range.',
    message: ({ version }: { version: string }) => `${quote(version)} is not a valid version or range`,
    hint: () => 'use a version such as 1.2.0, or a range such as ^1.2.0, ~1.2 or ">=1.2.0 <2.0.0"',
    fix: 'Use a semantic version such as 1.2.0, or a range as in Helm: ^1.2.0, ~1.2, 1.x or ">=1.2.0 <2.0.0".',
  },
  'fleet-version-conflict': {
    summary: 'A package in a registry has both a version and a tag or digest.',
    message: ({ noun, pin, url, version }: { noun: string; pin: string; url: string; version: string }) =>
      `version ${quote(version)} conflicts with ${noun} ${quote(pin)} of package ${quote(url)}`,
    hint: () => 'keep one of them',
    fix: 'Remove the tag or digest from "package" to follow the version, or remove "version".',
  },
  'fleet-version-unused': {
    summary: 'A fleet file sets a version for a package that is not in a registry.',
    message: ({ version, package: path, target }: { version: string; package: string; target: string }) =>
      `version ${quote(version)} has no effect: package ${quote(path)} of target ${quote(target)} is not in a registry`,
    hint: () => 'remove it, or use a package in a registry (oci://)',
    fix: 'Remove "version", or set "package" to a reference such as oci://registry.example.com/packages/web.',
  },
  'fleet-version-unmatched': {
    summary: 'A registry has no version of a package that matches the range in the fleet file.',
    message: ({ url, range }: { url: string; range: string }) => `no version of ${quote(url)} matches ${quote(range)}`,
    hint: ({ newest }: { newest: string | undefined }) => {
      if (newest === undefined) return 'the repository has no tag that is a version such as 1.2.0';
      const rule = newest.includes('-') ? '; pre-releases match only a range that contains one, such as ^1.2.0-0' : '';
      return `the newest version is ${newest}${rule}`;
    },
    fix: 'Correct the range, or publish a version with kurel push. Tags are versions if they have three numbers, such as 1.2.0.',
  },
  'fleet-package-not-locked': {
    summary: 'A version or tag of a package is not in the lock of the fleet.',
    message: ({ url, noun, version, lock }: { url: string; noun: 'version' | 'tag'; version: string; lock: string }) =>
      `${noun} ${quote(version)} of package ${quote(url)} is not in ${lock}`,
    hint: () => 'run kurel update',
    fix: 'Run kurel update, which finds the newest version in the range and writes its digest to the lock, and commit the lock.',
  },
  'fleet-package-offline': {
    summary: 'A package in a registry is not vendored, and the network is disabled.',
    message: ({ reference }: { reference: string }) =>
      `cannot fetch ${quote(reference)}: it is not in vendor/packages, and the network is disabled`,
    hint: ({ isPinned }: { isPinned: boolean }) =>
      isPinned ? 'run kurel vendor with the fleet file' : 'run kurel update, then kurel vendor with the fleet file',
    fix: sentence`Run kurel vendor kurel.fleet.yaml once with network access, and commit vendor/packages. Or run the command without ${setting('offline')}.`,
  },
  'registry-tag-moved': {
    severity: 'warning',
    summary: 'A tag of a package in a registry has other content than when it was locked.',
    message: ({ url, tag, before, after }: { url: string; tag: string; before: string; after: string }) =>
      `tag ${quote(tag)} of ${quote(url)} has moved from ${before} to ${after}`,
    hint: () => 'find out why, and compare both with kurel fleet diff before you commit the lock',
    fix: 'Ask the publisher of the package why its content was replaced. Versions should not change once they are published.',
  },
  'fleet-lock-duplicate': {
    summary: 'The lock of a fleet has two entries for the same package and version.',
    message: ({ url, version }: { url: string; version: string }) =>
      `duplicate entry for version ${quote(version)} of ${quote(url)}`,
    hint: () => 'remove one of them, or delete the file and run kurel update',
    fix: 'Remove one of the two entries. Or delete the lock and run kurel update, which writes it again.',
  },
  'fleet-artifact-shared': {
    summary: 'Two targets of a fleet are published to the same repository.',
    message: ({ target, other, artifact }: TwoTargets & { artifact: string }) =>
      `targets ${quote(other)} and ${quote(target)} both have the artifact ${quote(artifact)}`,
    hint: ({ isOneEntry }: { isOneEntry: boolean }) =>
      isOneEntry
        ? 'use placeholders in "artifact", such as oci://host/{cluster}/{app}'
        : 'use another repository for one of them',
    fix: 'Give each target its own artifact, for example with the placeholders {app} and {cluster}.',
  },
  'fleet-object-shared': {
    severity: 'warning',
    summary: 'Several targets of a fleet write the same object to one cluster.',
    message: ({ targets, objects, cluster }: SharedWrites & { cluster: string }) =>
      `targets ${nameTargets(targets)} write ${listFirst(objects, 3)} to cluster ${quote(cluster)}`,
    hint: ({ targets, pruning, objects }: SharedWrites & { pruning: readonly string[] }) => {
      const isAny = pruning.length === 0 || pruning.length === targets.length;
      const who = isAny ? 'one of them' : pruning.slice(0, 3).map(quote).join(' or ');
      const tool = pruning.length === 0 ? 'a controller that prunes' : 'Flux';
      const it = objects.length === 1 ? 'it' : 'them';
      return `when ${who} is removed, ${tool} deletes ${it}, although others still need ${it}: write ${it} with one target only`;
    },
    fix: 'Write each object with one target, such as a target for what the others share. A controller with pruning deletes an object with the target that applied it last, and until then each target replaces the changes of the others. If that is what you want, accept the finding in the fleet file.',
  },
  'fleet-delivery-shared': {
    summary: 'Several targets of a fleet have Flux Kustomizations or Argo CD Applications of the same name.',
    message: ({ targets, objects, cluster }: SharedWrites & { cluster: string | undefined }) =>
      `targets ${nameTargets(targets)} write ${listFirst(objects, 3)}${cluster === undefined ? '' : ` to cluster ${quote(cluster)}`}`,
    hint: ({ cluster, isGenerated }: { cluster: string | undefined; isGenerated: boolean }) =>
      `${isGenerated ? 'set another "instance" for' : 'rename'} one of them${cluster === undefined ? ', or set "cluster" if they are for different clusters' : ''}`,
    fix: 'Give each target an instance of its own, such as instance: "{app}-{cluster}". Objects of Flux are named after it. Targets that name no cluster count as targets of the same one: set "cluster" if they are not.',
  },
}));
