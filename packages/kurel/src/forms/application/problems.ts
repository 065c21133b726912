import { defineProblems, quote } from '../../diagnostics/index.ts';
import type { Json } from '../../model/index.ts';
import { placeOfDocument } from './documents/value-at.ts';
import type { NeededCapability } from './application-package.ts';

/** What can be wrong with the files of an application package, before it is known what they say. */
export const applicationProblems = defineProblems({
  'application-missing': {
    severity: 'error',
    summary: 'A package has no app.yaml.',
    message: ({ path, isPackage }: { path: string; isPackage: boolean }) =>
      isPackage ? `${quote(path)} has a kurel.yaml, and no app.yaml` : `${quote(path)} has no app.yaml`,
    hint: ({ found }: { found: string | undefined }) =>
      found === undefined ? 'app.yaml holds the Application that the package is for' : `rename ${found} to app.yaml`,
  },
  'package-file-misnamed': {
    severity: 'warning',
    summary: 'A file or directory of an application package is not read, because its name is not quite right.',
    message: ({ name }: { name: string }) => `${quote(name)} is not read`,
    hint: ({ name, wanted, isThere }: { name: string; wanted: string; isThere: boolean }) =>
      isThere ? `${wanted} is read instead; take ${name} out` : `rename it to ${wanted}`,
  },
  'package-resources-unread': {
    severity: 'warning',
    summary: 'An application package has a directory resources/, which only patch packages have.',
    message: () => '"resources/" is not read: what an application package is made of stands in app.yaml',
    hint: () => 'name each file in a component of type manifests, with file: resources/FILE',
  },
  'document-several': {
    severity: 'error',
    summary: 'A file that must hold one document holds several.',
    message: ({ count }: { count: number }) => `the file holds ${count} documents, and must hold one`,
    hint: () => 'take out what stands behind the "---", or put it into a file of its own',
  },
  'profile-missing': {
    severity: 'error',
    summary: 'An application package is built without a profile of the platform.',
    message: ({ path }: { path: string }) =>
      `${quote(path)} is an application package, which needs a profile of the platform`,
    hint: ({ needs }: { needs: readonly NeededCapability[] }) => {
      const isNeeded = needs.some(({ isOptional }) => !isOptional);
      const lines = needs.map(({ example }) => `\n${example.replaceAll(/^/gm, '      ')}`).join('');
      return (
        `give one with --profile FILE${isNeeded ? '' : ', or say --no-profile'}; ` +
        `the smallest${lines === '' ? '' : ' for this application'} is\n` +
        '  apiVersion: launcher.gokure.dev/v1alpha1\n  kind: ClusterProfile\n  metadata:\n    name: my-cluster\n  spec:\n' +
        `    capabilities:${lines === '' ? ' {}' : lines}`
      );
    },
  },
  'values-without-package': {
    severity: 'error',
    summary: 'Values are given to an application that has no kurel.yaml beside it, and so no parameters.',
    message: ({ what }: { what: string }) =>
      `${what} gives a value, but there is no kurel.yaml beside app.yaml that declares parameters`,
    hint: () => 'declare the parameters in a kurel.yaml, or take the values out',
  },
  'definition-kind': {
    severity: 'warning',
    summary: 'A file in definitions/ is no CapabilityDefinition.',
    message: () => 'the file holds no CapabilityDefinition, and is passed over',
    hint: ({ kind }: { kind: Json | undefined }) => (typeof kind === 'string' ? placeOfDocument(kind) : undefined),
  },
  'patch-not-kpatch': {
    severity: 'warning',
    summary: 'A file in patches/ of an application package is no .kpatch file.',
    message: ({ name }: { name: string }) => `${quote(name)} is not applied: only .kpatch files in patches/ are`,
    hint: ({ name }: { name: string }) =>
      /\.(?:ya?ml|json)$/.test(name)
        ? 'patches of application packages have no sidecars and are always applied; parts of app.yaml are switched with enabled: ${flag}'
        : undefined,
  },
  'components-off': {
    severity: 'warning',
    summary: 'Every component of an application is switched off, so that nothing is built.',
    message: ({ count }: { count: number }) =>
      count === 1
        ? 'the one component is switched off, so that nothing is built'
        : `all ${count} components are switched off, so that nothing is built`,
    hint: () => 'a component is built when its "enabled" is true or left out',
  },
  'parameter-unused': {
    severity: 'warning',
    summary: 'A package declares a parameter that nothing refers to.',
    message: ({ name }: { name: string }) => `nothing refers to the parameter ${quote(name)}`,
    hint: ({ name }: { name: string }) => `use \${${name}} in app.yaml, or take the declaration out`,
  },
  'reference-without-package': {
    severity: 'warning',
    summary: 'An application without a kurel.yaml has a value that looks like a parameter.',
    message: ({ name }: { name: string }) =>
      `"\${${name}}" stays as it is: without a kurel.yaml beside app.yaml there are no parameters`,
    hint: ({ name }: { name: string }) => `declare the parameter ${quote(name)} in a kurel.yaml`,
  },
  'field-null': {
    severity: 'error',
    summary: 'A field of Kubernetes in a property has a key and no value.',
    message: ({ field }: { field: string }) => `${field} is null`,
    hint: () => 'give it a value, or take the line out',
  },
});
