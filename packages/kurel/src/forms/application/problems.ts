import { defineProblems, pass, quote, sentence, setting } from '../../diagnostics/index.ts';
import { documentPlaces } from '../../documents/index.ts';
import type { Message } from '../../model/index.ts';

export interface NeededCapability {
  readonly type: string;
  /** Lines of a profile that would provide it. */
  readonly example: string;
  /** Whether everything that requires it can be disabled. */
  readonly isOptional: boolean;
}

/** Findings about the files of an application package. */
export const applicationProblems = defineProblems(() => ({
  'application-missing': {
    summary: 'An application package has no app.yaml.',
    message: ({ path, isPackage }: { path: string; isPackage: boolean }) =>
      isPackage ? `${quote(path)} has a kurel.yaml but no app.yaml` : `${quote(path)} has no app.yaml`,
    hint: ({ found: other }: { found: string | undefined }) =>
      other === undefined ? 'add app.yaml, a document of kind Application' : `rename ${other} to app.yaml`,
    fix: 'Add an app.yaml of kind Application to the package directory. `kurel init NAME --form application` writes a package to start from.',
  },
  'package-file-misnamed': {
    severity: 'warning',
    summary: 'A file or directory of an application package is ignored because of a small mistake in its name.',
    message: ({ name, wanted }: { name: string; wanted: string; isThere: boolean }) =>
      `${quote(name)} is ignored: kurel reads ${quote(wanted)}`,
    hint: ({ name, wanted, isThere }: { name: string; wanted: string; isThere: boolean }) =>
      isThere ? `remove ${name}, or move its content to ${wanted}` : `rename it to ${wanted}`,
    fix: 'Rename the file or directory to the name in the hint. If both names exist, merge the content and remove the one that is ignored.',
  },
  'package-resources-unread': {
    severity: 'warning',
    summary: 'An application package has a resources/ directory, which only patch packages use.',
    message: () => '"resources/" is ignored: an application package is built from app.yaml',
    hint: () => 'add a component of type manifests with file: resources/FILE for each file',
    fix: 'Reference each file from app.yaml with a component of type manifests and `file: resources/FILE`, or remove the directory. If you have only manifests and patches, make it a patch package.',
  },
  'profile-missing': {
    summary: 'An application package is built without a ClusterProfile.',
    message: ({ path }: { path: string }) => `${quote(path)} is an application package and requires a profile`,
    hint: ({ needs }: { needs: readonly NeededCapability[] }) => {
      const isNeeded = needs.some(({ isOptional }) => !isOptional);
      const lines = needs.map(({ example }) => `\n${example.replaceAll(/^/gm, '      ')}`).join('');
      const profile =
        `the smallest profile${lines === '' ? '' : ' for this application'} is\n` +
        '  apiVersion: launcher.gokure.dev/v1alpha1\n  kind: ClusterProfile\n  metadata:\n    name: my-cluster\n  spec:\n' +
        `    capabilities:${lines === '' ? ' {}' : lines}`;
      return sentence`${pass('profile', 'FILE')}${isNeeded ? '' : sentence` or ${setting('noProfile')}`}; ${profile}`;
    },
    fix: sentence`Pass the ClusterProfile of your platform with ${setting('profile', 'FILE')}. If no trait requires a capability, you can ${pass('noProfile')} instead.`,
  },
  'values-without-package': {
    summary: 'Values are passed to an application that has no kurel.yaml and therefore no parameters.',
    message: ({ what }: { what: Message }) =>
      sentence`${what} sets a value, but no kurel.yaml next to app.yaml declares parameters`,
    hint: () => 'declare the parameters in kurel.yaml, or remove the values',
    fix: sentence`Add a kurel.yaml of kind Package next to app.yaml and declare each parameter in spec.parameters, or build without ${setting('values')} and ${setting('set')}.`,
  },
  'definition-kind': {
    severity: 'warning',
    summary: 'A file in definitions/ is not a CapabilityDefinition.',
    message: () => 'the file is ignored: it is not a CapabilityDefinition',
    hint: ({ kind }: { kind: string | undefined }) => documentPlaces.get(kind ?? ''),
    fix: sentence`Keep only documents of kind CapabilityDefinition in definitions/. Pass profiles with ${setting('profile')} and policies with ${setting('policy')}.`,
  },
  'patch-not-kpatch': {
    severity: 'warning',
    summary: 'A file in patches/ of an application package is not a .kpatch file.',
    message: ({ name }: { name: string }) => `${quote(name)} is ignored: only .kpatch files in patches/ are applied`,
    hint: ({ name }: { name: string }) =>
      /\.(?:ya?ml|json)$/.test(name)
        ? 'application packages have no sidecars: patches are always applied; use enabled: ${flag} in app.yaml to make a component or trait optional'
        : undefined,
    fix: 'Rename the patch to NAME.kpatch, or move the file out of patches/. Patches of application packages have no sidecar files and are always applied.',
  },
  'components-off': {
    severity: 'warning',
    summary: 'Every component of an application is disabled, so the build is empty.',
    message: ({ count }: { count: number }) =>
      count === 1
        ? 'nothing is built: the only component is disabled'
        : `nothing is built: all ${count} components are disabled`,
    hint: () => 'set "enabled" to true, or remove it',
    fix: 'Set enabled to true in at least one component, or pass values for the parameters that enable them. A component without enabled is always built.',
  },
  'reference-without-package': {
    severity: 'warning',
    summary: 'An application without a kurel.yaml has a value that looks like a parameter reference.',
    message: ({ name }: { name: string }) =>
      `"\${${name}}" is kept as a literal string: no kurel.yaml next to app.yaml declares parameters`,
    hint: ({ name }: { name: string }) => `declare the parameter ${quote(name)} in kurel.yaml`,
    fix: 'Add a kurel.yaml of kind Package next to app.yaml and declare the parameter in spec.parameters.',
  },
  'field-null': {
    summary: 'A Kubernetes field inside a property has a key but no value.',
    message: ({ field }: { field: string }) => `${field} is null`,
    hint: () => 'set a value, or remove the key',
    fix: 'Write a value after the key, or remove the key. Use {} or [] for an object or list that is empty on purpose.',
  },
}));
