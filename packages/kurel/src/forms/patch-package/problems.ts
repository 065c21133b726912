import { defineProblems, quote } from '../../diagnostics/index.ts';

export const packageProblems = defineProblems({
  'package-parameters-missing': {
    severity: 'error',
    summary: 'A patch package has no parameters.yaml.',
    message: ({ path }: { path: string }) => `${quote(path)} has no parameters.yaml`,
    hint: ({ near }: { near: string | undefined }) =>
      near === undefined
        ? 'every patch package has one, with its name, version and appVersion below the key kurel, and every application package ' +
          'has an app.yaml; kurel init writes either'
        : `rename ${quote(near)}`,
  },
  'package-is-local': {
    severity: 'error',
    summary: 'The path to build is a local extension, which belongs to a package.',
    message: ({ path }: { path: string }) => `${quote(path)} is the local extension of a package`,
    hint: ({ base }: { base: string }) => `build the package itself: ${base}`,
  },
  'package-name-ending': {
    severity: 'note',
    summary: 'The directory of a patch package is not named NAME.kurel.',
    message: ({ path }: { path: string }) =>
      `the directory of a patch package ends with .kurel, and ${quote(path)} does not`,
  },
  'package-metadata-missing': {
    severity: 'error',
    summary: 'A package does not say its name, version or appVersion.',
    message: ({ field }: { field: string }) => `the package has no ${quote(field)}`,
    hint: ({ example }: { example: string }) => `write ${example} in parameters.yaml`,
  },
  'package-metadata-misspelt': {
    severity: 'error',
    summary: 'A package says what it is below a key that is nearly called kurel.',
    message: ({ key }: { key: string }) => `the package has no key "kurel", but ${quote(key)}`,
    hint: () => 'did you mean kurel?',
  },
  'package-metadata-invalid': {
    severity: 'error',
    summary: 'What a package says about itself is not of the form it must have.',
    message: ({ field, value, reason }: { field: string; value: string; reason: string }) =>
      [field, value, reason].filter((word) => word !== '').join(' '),
  },
  'package-metadata-unknown': {
    severity: 'warning',
    summary: 'A key below kurel means nothing to kurel.',
    message: ({ field }: { field: string }) => `${quote(field)} is not known`,
    hint: ({ near }: { near: string | undefined }) =>
      near === undefined ? 'parameters of your own stand beside kurel, not below it' : `did you mean ${near}?`,
  },
  'package-identity-changed': {
    severity: 'warning',
    summary: 'A local extension or values change the name or version of a package.',
    message: ({ field }: { field: string }) => `${quote(field)} says what the package is, and is changed here`,
  },
  'value-without-effect': {
    severity: 'warning',
    summary: 'A value is given to a patch package that has no such parameter and does not refer to one.',
    message: ({ parameter }: { parameter: string }) =>
      `the package has no parameter ${quote(parameter)}, and nothing refers to it`,
    hint: ({ near, path }: { near: string | undefined; path: string }) =>
      near === undefined ? `kurel info ${path} shows its parameters` : `did you mean ${near}?`,
  },
  'package-folder-near': {
    severity: 'warning',
    summary: 'A package has a directory that is named nearly as one of its own.',
    message: ({ name }: { name: string; near: string }) => `a package takes nothing from ${quote(`${name}/`)}`,
    hint: ({ near }: { near: string }) => `did you mean ${near}/?`,
  },
  'package-file-unread': {
    severity: 'warning',
    summary: 'A file below resources/ or patches/ is neither a manifest nor a patch, so it is ignored.',
    message: ({ name }: { name: string }) => `${quote(name)} is ignored`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'package-empty': {
    severity: 'warning',
    summary: 'A package has no resources.',
    message: ({ path }: { path: string }) => `${quote(path)} has no manifests below resources/`,
  },
  'package-large': {
    severity: 'note',
    summary: 'A package is unusually large.',
    message: ({ size }: { size: string }) => `the package is ${size} large`,
  },
  'package-overrides-twice': {
    severity: 'error',
    summary: 'A package has two files that override its schema.',
    message: ({ first, second }: { first: string; second: string }) =>
      `${quote(first)} and ${quote(second)} both override the schema`,
    hint: () => 'keep one of them',
  },
  'local-missing': {
    severity: 'error',
    summary: 'The local extension that was asked for is not there.',
    message: ({ path }: { path: string }) => `there is no directory ${quote(path)}`,
  },
  'local-not-a-directory': {
    severity: 'error',
    summary: 'A file has the name of a local extension.',
    message: ({ path }: { path: string }) => `${quote(path)} is a file, and a local extension is a directory`,
    hint: () => 'make it a directory with parameters.yaml and patches/, or leave it out with --no-local',
  },
  'local-content': {
    severity: 'error',
    summary: 'A local extension has what only a package may have.',
    message: ({ path, name }: { path: string; name: string }) => `${quote(path)} has ${quote(name)}`,
    hint: () => 'a local extension has parameters.yaml and patches/ only: it changes a package by patches',
  },
  'sidecar-invalid': {
    severity: 'error',
    summary: 'The file beside a patch does not say what such a file says.',
    message: ({ reason }: { reason: string }) => reason,
    hint: ({ hint }: { hint?: string | undefined }) => hint,
  },
  'sidecar-unknown-key': {
    severity: 'error',
    summary: 'The file beside a patch has a key that means nothing.',
    message: ({ key }: { key: string }) => `${quote(key)} is not known here`,
    hint: ({ near }: { near: string | undefined }) =>
      near === undefined ? 'keys: enabled, description, requires, conflicts' : `did you mean ${near}?`,
  },
  'sidecar-without-patch': {
    severity: 'warning',
    summary: 'A YAML file below patches/ belongs to no patch.',
    message: ({ name }: { name: string }) => `there is no patch for ${quote(name)}`,
    hint: ({ expected, meant }: { expected: string; meant: { name: string; patch: string } | undefined }) =>
      meant === undefined
        ? `patches are called ${expected}; patches in YAML end with .patch.yaml`
        : `did you mean ${meant.name}? without it ${meant.patch} is always applied`,
  },
  'sidecar-twice': {
    severity: 'error',
    summary: 'Two files beside a patch say something about it.',
    message: ({ first, second }: { first: string; second: string }) =>
      `${quote(first)} and ${quote(second)} are both about one patch`,
    hint: () => 'keep one of them',
  },
  'patch-header-comment': {
    severity: 'warning',
    summary: 'A patch says in comments what belongs into the file beside it.',
    message: ({ name }: { name: string }) => `${quote(name)} in a comment is an old form`,
    hint: ({ sidecar }: { sidecar: string }) => `write it into ${sidecar}`,
  },
  'patch-condition-not-boolean': {
    severity: 'error',
    summary: 'The enabled of a patch is neither true nor false.',
    message: ({ value }: { value: string }) => `enabled is true, false or one parameter that is, not ${value}`,
    hint: ({ advice }: { advice: string | undefined }) =>
      advice ??
      'write true, false or one parameter, such as enabled: "${monitoring.enabled}"; without it the patch is always enabled',
  },
  'patch-condition-expression': {
    severity: 'error',
    summary: 'The enabled of a patch is an expression, and takes only a boolean parameter.',
    message: ({ expression }: { expression: string }) =>
      `enabled takes one boolean parameter, not ${quote(expression)}`,
    hint: ({ parameter }: { parameter: string }) =>
      `there are no expressions: add a parameter to parameters.yaml\n  ${parameter}:\n    enabled: false\n` +
      `and write enabled: "\${${parameter}.enabled}"; then set it with --values or --set`,
  },
  'patch-requires-unknown': {
    severity: 'error',
    summary: 'A patch requires a patch that is not there.',
    message: ({ id }: { id: string }) => `there is no patch ${quote(id)} to require`,
    hint: ({ near }: { near: string | undefined }) => (near === undefined ? undefined : `did you mean ${near}?`),
  },
  'patch-requires-itself': {
    severity: 'error',
    summary: 'A patch requires itself.',
    message: ({ id }: { id: string }) => `${quote(id)} requires itself`,
  },
  'patch-requires-package': {
    severity: 'error',
    summary: 'A patch of a local extension requires a patch of the package.',
    message: ({ id }: { id: string }) => `a local patch cannot require ${quote(id)}, which is a patch of the package`,
    hint: () => 'set the parameter that enables it in the local parameters.yaml',
  },
  'patch-cycle': {
    severity: 'error',
    summary: 'Patches require one another in a circle.',
    message: ({ chain }: { chain: readonly string[] }) => `Circular dependency: ${chain.join(' → ')}`,
  },
  'patch-conflicts-unknown': {
    severity: 'warning',
    summary: 'A patch says that it conflicts with a patch that is not there, or with itself.',
    message: ({ id, isSelf }: { id: string; isSelf: boolean; near: string | undefined }) =>
      isSelf ? `${quote(id)} says that it conflicts with itself` : `there is no patch ${quote(id)} to conflict with`,
    hint: ({ near }: { near: string | undefined }) => (near === undefined ? undefined : `did you mean ${near}?`),
  },
  'patches-exclude': {
    severity: 'error',
    summary: 'Two patches are enabled that cannot be together.',
    message: ({ id, other }: { id: string; other: string }) =>
      `${quote(id)} conflicts with ${quote(other)}, and both are enabled`,
    hint: ({ reasons }: { reasons: readonly string[] }) => reasons.join('; '),
  },
  'patch-required': {
    severity: 'note',
    summary: 'A patch is enabled because another one requires it.',
    message: ({ id, by }: { id: string; by: string }) => `patch ${quote(id)} is enabled: ${quote(by)} requires it`,
  },
  'patch-forced-unknown': {
    severity: 'error',
    summary: 'A patch is to be enabled by name that is not there.',
    message: ({ id }: { id: string }) => `there is no patch ${quote(id)} to enable`,
    hint: ({ near, known }: { near: string | undefined; known: readonly string[] }) =>
      near === undefined ? `patches: ${known.join(', ')}` : `did you mean ${near}?`,
  },
  'resource-nameless': {
    severity: 'error',
    summary: 'An object of a package has no name.',
    message: ({ object }: { object: string }) => `${object} has no metadata.name`,
  },
  'resource-without-kind': {
    severity: 'error',
    summary: 'A document below resources/ has neither an apiVersion nor a kind.',
    message: ({ number }: { number: number }) =>
      `document ${number} is no Kubernetes object: no apiVersion and no kind`,
    hint: () => 'give it both, or move the file out of resources/',
  },
  'resource-not-an-object': {
    severity: 'error',
    summary: 'With the parameters in it, a document of a package is no longer an object.',
    message: ({ object }: { object: string }) =>
      `${object} has no apiVersion or kind once its parameters are filled in`,
  },
  'resource-reference-near': {
    severity: 'warning',
    summary:
      'What looks like a reference below resources/ begins with nearly the name of a parameter, and stays a text.',
    message: ({ reference }: { reference: string; near: string }) =>
      `no parameter is meant by ${quote(`\${${reference}}`)}, which stays as it is`,
    hint: ({ near }: { near: string }) => `did you mean \${${near}}?`,
  },
  'resource-template': {
    severity: 'warning',
    summary: 'A value below resources/ is a template of Helm, which stays a text.',
    message: ({ text }: { text: string }) => `${quote(text)} is a template of Helm and stays as it is`,
    hint: () => 'there are no templates here: a parameter is written `${name}`',
  },
  'resource-mixed-kinds': {
    severity: 'note',
    summary: 'A file of a package holds objects of several kinds.',
    message: ({ kinds }: { kinds: readonly string[] }) => `the file holds several kinds: ${kinds.join(', ')}`,
    hint: () => 'one kind a file makes objects easy to find',
  },
  'namespaces-invalid': {
    severity: 'error',
    summary: 'global.namespaces does not say what it must.',
    message: ({ field, wanted }: { field: string; wanted: string }) => `${quote(field)} must be ${wanted}`,
  },
});
