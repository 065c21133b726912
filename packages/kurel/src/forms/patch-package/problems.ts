import { defineProblems, didYouMean, listFirst, pass, quote, sentence, setting } from '../../diagnostics/index.ts';

export const packageProblems = defineProblems(() => ({
  'package-parameters-missing': {
    summary: 'A patch package has no parameters.yaml.',
    fix: 'Add parameters.yaml with `kurel.name`, `kurel.version` and `kurel.appVersion`, or run `kurel init` to create a package.',
    message: ({ path }: { path: string }) => `${quote(path)} has no parameters.yaml`,
    hint: ({ near }: { near: string | undefined }) =>
      near === undefined
        ? 'add parameters.yaml with kurel.name, kurel.version and kurel.appVersion for a patch package, or app.yaml for an ' +
          'application package; kurel init creates either'
        : `rename ${quote(near)}`,
  },
  'package-is-local': {
    summary: 'The input path is a local extension instead of its package.',
    fix: sentence`Build the package itself. Its local extension is applied automatically; pass \`${setting('local', 'DIR')}\` to use another one.`,
    message: ({ path }: { path: string }) => `${quote(path)} is the local extension of a package, not a package`,
    hint: ({ base }: { base: string }) => `build ${base}`,
  },
  'package-name-ending': {
    severity: 'note',
    summary: 'The directory name of a patch package does not end in .kurel.',
    fix: 'Rename the directory to NAME.kurel, so that its local extension NAME.local.kurel is found.',
    message: ({ path }: { path: string }) => `the name of the package directory ${quote(path)} does not end in .kurel`,
  },
  'package-metadata-misspelt': {
    summary: 'The key for package metadata is misspelled.',
    fix: 'Rename the key to `kurel`.',
    message: ({ key }: { key: string }) => `unknown key ${quote(key)} for the package metadata`,
    hint: () => 'did you mean kurel?',
  },
  'package-identity-changed': {
    severity: 'warning',
    summary: 'A local extension or values override the name or version of a package.',
    fix: sentence`Remove the value from the local extension, from \`${setting('values')}\` or from \`${setting('set')}\`. Use \`${setting('instance')}\` to name a build.`,
    message: ({ field }: { field: string }) => `${quote(field)} of the package is overridden here`,
  },
  'value-without-effect': {
    severity: 'warning',
    summary: 'A value has no effect because the patch package does not use it.',
    fix: 'Correct the name of the parameter, or remove the value. `kurel info` lists the parameters of a package.',
    message: ({ parameter }: { parameter: string }) =>
      `value ${quote(parameter)} has no effect: no such parameter is declared or used`,
    hint: ({ near, path }: { near: string | undefined; path: string }) =>
      didYouMean(near, String) ?? `run kurel info ${path} to list the parameters`,
  },
  'package-folder-near': {
    severity: 'warning',
    summary: 'A directory in a package has a name similar to resources, patches or schemas.',
    fix: 'Rename the directory to resources, patches or schemas, or to something less similar.',
    message: ({ name }: { name: string; near: string }) => `directory ${quote(`${name}/`)} is ignored`,
    hint: ({ near }: { near: string }) => `did you mean ${near}/?`,
  },
  'package-file-unread': {
    severity: 'warning',
    summary:
      'A file in resources/ or patches/ is neither a manifest nor a patch, or a manifest or patch is outside them; it is ignored.',
    fix: 'Rename the file to end in .yaml or .kpatch, or move it to the right directory. Files that end in .md or .txt are ignored without a warning.',
    message({ name }: { name: string }) {
      const [folder, ...inside] = name.split('/');
      if (inside.length === 0) return `${quote(name)} is ignored: only files in resources/ and patches/ are read`;
      return `${quote(name)} is ignored: it is not a ${folder === 'resources' ? 'manifest' : 'patch'}`;
    },
    hint: ({ advice }: { advice: string }) => advice,
  },
  'package-empty': {
    severity: 'warning',
    summary: 'A package has no resources.',
    fix: 'Add manifests to resources/.',
    message: ({ path }: { path: string }) => `${quote(path)} has no manifests in resources/`,
  },
  'package-large': {
    severity: 'note',
    summary: 'A package is unusually large.',
    fix: sentence`Remove files that do not belong to the package. \`${setting('maxPackageSize')}\` sets the limit.`,
    message: ({ size }: { size: string }) => `the package is unusually large: ${size}`,
  },
  'package-overrides-twice': {
    summary: 'A package has two schema override files.',
    fix: 'Keep schemas/parameters.overrides.yaml or schemas/parameters.overrides.json, and remove the other file.',
    message: ({ first, second }: { first: string; second: string }) =>
      `${quote(first)} and ${quote(second)} both override the schema`,
    hint: () => 'keep one of them',
  },
  'local-missing': {
    summary: 'The local extension does not exist.',
    fix: sentence`Correct the path that you pass with \`${setting('local')}\`, or remove the flag.`,
    message: ({ path }: { path: string }) => `directory ${quote(path)} does not exist`,
  },
  'local-not-a-directory': {
    summary: 'A local extension is a file instead of a directory.',
    fix: sentence`Replace the file with a directory that contains parameters.yaml and patches/, or pass \`${setting('noLocal')}\`.`,
    message: ({ path }: { path: string }) => `local extension ${quote(path)} must be a directory, got a file`,
    hint: () => sentence`replace it with a directory with parameters.yaml and patches/, or ${pass('noLocal')}`,
  },
  'local-content': {
    summary: 'A local extension contains something that only a package can have.',
    fix: 'Move the file to the package, or change the object with a patch. A local extension contains only parameters.yaml and patches/.',
    message: ({ path, name }: { path: string; name: string }) =>
      `${quote(name)} is not allowed in the local extension ${quote(path)}`,
    hint: () => 'use only parameters.yaml and patches/',
  },
  'sidecar-several': {
    summary: 'The metadata file of a patch contains more than one document.',
    fix: 'Keep one document. It is an object with the optional fields `enabled`, `description`, `requires` and `conflicts`.',
    message: ({ count }: { count: number }) => `the patch metadata must be one document, got ${count}`,
    hint: () => 'use the fields enabled, description, requires and conflicts',
  },
  'sidecar-without-patch': {
    severity: 'warning',
    summary: 'A YAML file in patches/ does not belong to a patch.',
    fix: 'Give the file the name of its patch, such as 10-web.yaml for 10-web.kpatch. If it is itself a patch in YAML, rename it to end in .patch.yaml.',
    message: ({ name }: { name: string }) => `${quote(name)} is ignored: it has no patch`,
    hint: ({ expected, meant }: { expected: string; meant: { name: string; patch: string } | undefined }) =>
      meant === undefined
        ? `add ${expected}, or rename a YAML patch to end in .patch.yaml`
        : `did you mean ${meant.name}? without it, ${meant.patch} is always applied`,
  },
  'sidecar-twice': {
    summary: 'A patch has two metadata files.',
    fix: 'Keep the .yaml or the .yml file, and remove the other.',
    message: ({ first, second }: { first: string; second: string }) =>
      `${quote(first)} and ${quote(second)} are both metadata of the same patch`,
    hint: () => 'keep one of them',
  },
  'patch-header-comment': {
    severity: 'warning',
    summary: 'Metadata of a patch is in comments, which is deprecated.',
    fix: 'Move the setting to the YAML file with the same name as the patch, without the prefix `kurel:`.',
    message: ({ name }: { name: string }) => `${quote(name)} in a comment is deprecated`,
    hint: ({ sidecar }: { sidecar: string }) => `move it to ${sidecar}`,
  },
  'patch-condition-not-boolean': {
    summary: 'The `enabled` field of a patch is not a boolean.',
    fix: 'Set `enabled` to true, false or a parameter that is a boolean, such as "${monitoring.enabled}".',
    message: ({ value }: { value: string }) => `enabled must be true, false or a boolean parameter, got ${value}`,
    hint: ({ advice }: { advice: string | undefined }) =>
      advice ??
      'use true, false or a parameter, such as enabled: "${monitoring.enabled}", or remove enabled to always enable the patch',
  },
  'patch-condition-expression': {
    summary: 'The `enabled` field of a patch is an expression, which is not supported.',
    fix: 'Add a boolean parameter to parameters.yaml and refer to it in `enabled`. Packages have no expressions.',
    message: ({ expression }: { expression: string }) =>
      `enabled must be a boolean parameter, got the expression ${quote(expression)}`,
    hint: ({ parameter }: { parameter: string }) =>
      sentence`add a parameter to parameters.yaml\n  ${parameter}:\n    enabled: false\nand use enabled: "\${${parameter}.enabled}"; then set it with ${setting('values')} or ${setting('set')}`,
  },
  'patch-requires-unknown': {
    summary: 'A patch requires a patch that does not exist.',
    fix: 'Correct the path in `requires`. It is relative to patches/; the extension .kpatch is optional.',
    message: ({ id }: { id: string }) => `required patch ${quote(id)} does not exist`,
    hint: ({ near }: { near: string | undefined }) => didYouMean(near, String),
  },
  'patch-requires-itself': {
    summary: 'A patch requires itself.',
    fix: 'Remove the patch from its own `requires`.',
    message: ({ id }: { id: string }) => `patch ${quote(id)} requires itself`,
  },
  'patch-requires-package': {
    summary: 'A patch in a local extension requires a patch of the package.',
    fix: 'Remove the entry from `requires`, and set the parameter that enables the patch in the parameters.yaml of the local extension.',
    message: ({ id }: { id: string }) =>
      `a patch in a local extension cannot require ${quote(id)}, a patch of the package`,
    hint: () => 'set the parameter that enables it in the parameters.yaml of the local extension',
  },
  'patch-cycle': {
    summary: 'Patches require each other in a cycle.',
    fix: 'Remove one of the patches of the cycle from `requires` of another.',
    message: ({ chain }: { chain: readonly string[] }) => `Circular dependency: ${chain.join(' → ')}`,
  },
  'patch-conflicts-unknown': {
    severity: 'warning',
    summary: 'A patch conflicts with a patch that does not exist, or with itself.',
    fix: 'Correct the path in `conflicts`, or remove the entry.',
    message: ({ id, isSelf }: { id: string; isSelf: boolean; near: string | undefined }) =>
      isSelf ? `patch ${quote(id)} conflicts with itself` : `conflicting patch ${quote(id)} does not exist`,
    hint: ({ near }: { near: string | undefined }) => didYouMean(near, String),
  },
  'patches-exclude': {
    summary: 'Two conflicting patches are both enabled.',
    fix: sentence`Disable one of the patches: change the parameter that enables it, or remove it from \`${setting('enable')}\`.`,
    message: ({ id, other }: { id: string; other: string }) =>
      `patch ${quote(id)} conflicts with ${quote(other)}, but both are enabled`,
    hint: ({ reasons }: { reasons: readonly string[] }) => reasons.join('; '),
  },
  'patch-required': {
    severity: 'note',
    summary: 'A patch is enabled because another patch requires it.',
    fix: 'No action is needed. To disable the patch, disable the patch that requires it.',
    message: ({ id, by }: { id: string; by: string }) =>
      `patch ${quote(id)} is enabled because ${quote(by)} requires it`,
  },
  'patch-forced-unknown': {
    summary: sentence`The patch to enable with ${setting('enable')} does not exist.`,
    fix: sentence`Correct the name that you pass with \`${setting('enable')}\`. \`kurel patches\` lists the patches of a package.`,
    message: ({ id }: { id: string }) => `patch ${quote(id)} does not exist`,
    hint: ({ near, ids }: { near: string | undefined; ids: readonly string[] }) =>
      didYouMean(near, String) ?? `use one of ${ids.join(', ')}`,
  },
  'resource-nameless': {
    summary: 'An object in a package has no name.',
    fix: 'Add `metadata.name` to the object.',
    message: ({ object }: { object: string }) => `${object} has no metadata.name`,
  },
  'resource-without-kind': {
    summary: 'A document in resources/ has neither an apiVersion nor a kind.',
    fix: 'Add apiVersion and kind, or move the file out of resources/.',
    message: ({ number }: { number: number }) =>
      `document ${number} is not a Kubernetes object: apiVersion and kind are missing`,
    hint: () => 'add both, or move the file out of resources/',
  },
  'resource-not-an-object': {
    summary: 'A document in a package has no apiVersion or kind after its parameters are filled in.',
    fix: 'Set the parameters in apiVersion and kind to strings that are not empty.',
    message: ({ object }: { object: string }) =>
      `${object} has no apiVersion or kind after its parameters are filled in`,
  },
  'resource-reference-near': {
    summary: 'A reference in resources/ looks like one to a parameter that exists, but is not.',
    fix: 'Correct the name of the parameter. If the text is intended, write `$${…}`, which becomes `${…}`.',
    message: ({ reference }: { reference: string; near: string }) =>
      `${quote(`\${${reference}}`)} is not replaced: the parameter does not exist`,
    hint: ({ near }: { near: string }) => `did you mean \${${near}}? For the text itself, write $\${…}`,
  },
  'resource-reference-kept': {
    severity: 'note',
    summary: 'A resource contains `${…}` that is not a reference to a parameter. It is kept as it is.',
    fix: 'No action is needed if the text is for a shell, or for a later substitution by Flux. For a parameter, add it to parameters.yaml. `$${…}` becomes `${…}` without this note.',
    message: ({ references }: { references: readonly string[]; near?: string | undefined }) =>
      `${listFirst(
        references.map((reference) => quote(`\${${reference}}`)),
        5,
      )} ${references.length === 1 ? 'is not a parameter and is' : 'are not parameters and are'} kept`,
    hint: ({ near }: { near?: string | undefined }) =>
      near === undefined ? undefined : `if you mean a parameter, write \${${near}}`,
  },
  'resource-template': {
    severity: 'warning',
    summary: 'A value in resources/ is a Helm template, which is not rendered.',
    fix: 'Replace the template with a parameter such as `${name}`, or build the chart itself with `kurel build`.',
    message: ({ text }: { text: string }) => `Helm template ${quote(text)} is not rendered`,
    hint: () => 'use a parameter such as `${name}`',
  },
  'resource-mixed-kinds': {
    severity: 'note',
    summary: 'A file in a package contains objects of several kinds.',
    fix: 'No action is needed. One file per kind makes objects easier to find.',
    message: ({ kinds }: { kinds: readonly string[] }) => `the file contains several kinds: ${kinds.join(', ')}`,
    hint: () => 'use one file per kind',
  },
  'namespaces-invalid': {
    summary: 'A field of global.namespaces has the wrong type.',
    fix: 'Correct the field in parameters.yaml: `create` is a boolean, and `exclude` a list of namespaces.',
    message: ({ field, wanted }: { field: string; wanted: string }) => `${quote(field)} must be ${wanted}`,
  },
}));
