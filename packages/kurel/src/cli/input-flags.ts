import type { Acceptance } from '../index.ts';
import { inSection, listFlag, switchFlag, textFlag } from './command.ts';
import type { FlagDefinitions } from './command.ts';
import { buildLimitFlags } from './limits.ts';
import { applicationFlags, packageFlags } from './package-flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags of the commands for patch packages only: parameters that override those of the package. */
export const valueFlags = {
  values: listFlag(
    'FILE',
    'Values file: overrides the parameters of the package and its local extension. Later files win; - is stdin.',
    { completes: 'path' },
  ),
  set: listFlag('PATH=VALUE', 'Set one parameter, such as image.tag=1.10. Overrides --values.', {
    completes: 'parameter',
  }),
  'set-string': listFlag('PATH=STRING', 'Set one parameter as a string, even if it looks like a number or boolean.', {
    completes: 'parameter',
  }),
} as const satisfies FlagDefinitions;

/** Flags of every command that applies patches. */
export const patchFlags = {
  patch: listFlag(
    'FILE|DIR',
    'Apply a patch (.kpatch or YAML), all patches in a directory, or a patch from stdin (-).',
    { short: 'p', completes: 'path' },
  ),
  feature: listFlag('NAME', 'Set features.NAME for patches; disable it with NAME=false.', { section: 'input' }),
} as const satisfies FlagDefinitions;

/** Flags of every command that builds something: the input, and how its objects are selected and changed. */
export const inputFlags = {
  as: textFlag('FORM', 'Read PATH as this form. Needed only where PATH matches two forms.', {
    choices: ['manifests', 'kustomization', 'chart', 'patch-package', 'application'],
    section: 'input',
  }),
  values: {
    ...valueFlags.values,
    summary: 'Values file: parameters of a package, values of a chart, values.* in patches. Later files win.',
  },
  set: { ...valueFlags.set, summary: 'Set one value, such as image.tag=1.10. Overrides --values.' },
  'set-string': {
    ...valueFlags['set-string'],
    section: 'input',
    summary: 'Set one value as a string, even if it looks like a number or boolean.',
  },
  ...patchFlags,
  namespace: textFlag(
    'NAME',
    'Set the namespace of every namespaced object. For a chart: the release namespace; objects with a namespace keep theirs.',
    { short: 'n' },
  ),
  ...inSection('select', {
    kind: listFlag('KIND', 'Keep objects of this kind: Deployment, deploy or apps/v1/Deployment.', {
      completes: 'kind',
    }),
    name: listFlag('NAME', 'Keep objects with this name.', { completes: 'name' }),
    selector: textFlag('SELECTOR', "Keep objects whose labels match, such as 'app in (web,api),!canary'.", {
      short: 'l',
    }),
    'jq-filter': listFlag('PROGRAM', 'Keep objects for which the jq program returns true.'),
  }),
  ...inSection('change', {
    jq: listFlag('PROGRAM', 'Replace each object with the output of the jq program.'),
    label: listFlag('KEY=VALUE', 'Set a label on every object (never in selectors).'),
    annotation: listFlag('KEY=VALUE', 'Set an annotation on every object.'),
    'name-prefix': textFlag(
      'PREFIX',
      'Prefix every object name and the references to it. Namespaces and CRDs keep their names.',
    ),
    'name-suffix': textFlag(
      'SUFFIX',
      'Append to every object name and the references to it. Namespaces and CRDs keep their names.',
    ),
    'content-hash': switchFlag(
      'Append a content hash to the names of ConfigMaps and Secrets and to the references to them, as kustomize does.',
    ),
  }),
  strict: switchFlag('Treat warnings as errors.'),
  accept: listFlag(
    'CODE[=OBJECT]',
    'Accept findings with this code, for one object (deployment/web) or for all, in addition to kurel.accept.yaml.',
    { completes: 'code', section: 'validation' },
  ),
  ...inSection('validation', {
    'kubernetes-version': textFlag(
      'VERSION',
      'Kubernetes version of the schemas, such as 1.34; defaults to the newest bundled one.',
    ),
    crds: listFlag(
      'PATH',
      'CustomResourceDefinitions to use besides those of the input: a file, a directory or a pattern.',
      { completes: 'path' },
    ),
  }),
  ...applicationFlags,
  ...packageFlags,
  ...inSection('program', {
    'release-name': textFlag('NAME', 'Chart: release name; defaults to release-name.'),
    'include-crds': switchFlag('Chart: include the CRDs in its crds/ directory.'),
    'kube-version': textFlag(
      'VERSION',
      'Chart: value of .Capabilities.KubeVersion; defaults to the Kubernetes version of the build.',
    ),
    'api-version': listFlag('GROUP/VERSION', 'Chart: add to .Capabilities.APIVersions.'),
    'load-restrictions': textFlag(
      'WHERE',
      'Kustomization: read files only below its directory (root, the default) or anywhere (none).',
      { choices: ['root', 'none'] },
    ),
    'allow-network': switchFlag('Let helm and kustomize fetch what a chart or kustomization refers to.'),
  }),
  ...buildLimitFlags,
} as const satisfies FlagDefinitions;

export type InputFlags = typeof inputFlags;

export const watchFlag = {
  watch: switchFlag('Run again whenever an input changes, until Ctrl-C.', { short: 'w' }),
} as const satisfies FlagDefinitions;

/** For commands whose output on stdout is not the findings. */
export const messageFormatFlag = {
  'message-format': textFlag('FORMAT', 'Format of findings on stderr: text (the default), json or sarif.', {
    choices: ['text', 'json', 'sarif'],
    section: 'output',
  }),
} as const satisfies FlagDefinitions;

/** `--accept CODE[=OBJECT]`; whether there is such a code and object is checked by the build. */
export function parseAcceptance(text: string): Acceptance {
  const [code = '', ...rest] = text.split('=');
  const object = rest.length === 0 ? undefined : rest.join('=');
  if (code === '' || object === '') {
    throw new UsageError(
      `--accept ${JSON.stringify(text)} is incomplete`,
      'use --accept CODE or --accept CODE=OBJECT, such as --accept namespace-missing=deployment/web',
    );
  }
  return { code, object, reason: 'accepted with --accept' };
}

/** Flags of the commands that validate: the schema for parameters. */
export const validationFlags = {
  ...inSection('package', {
    schema: textFlag(
      'FILE',
      'Patch package: validate parameters against this JSON Schema instead of the generated one.',
      { completes: 'path' },
    ),
    'no-cache': switchFlag('Patch package: regenerate the parameter schema, even if it was cached in the last hour.'),
  }),
} as const satisfies FlagDefinitions;

/** For commands that write a directory which several builds can share. */
export const instanceFlag = {
  instance: textFlag(
    'NAME',
    'Name of this build in an output directory shared by several builds, such as shop-staging. Defaults to the package name, or ' +
      'to the path of other input.',
    { section: 'output' },
  ),
} as const satisfies FlagDefinitions;

/** Flags of `build` that decide which files it writes. */
export const layoutFlags = {
  ...instanceFlag,
  layout: textFlag(
    'LAYOUT',
    'Files in the output directory: one directory per install phase (phases, the default for patch packages), with Flux (flux) ' +
      'or Argo CD (argocd) objects; one file per object (flat, the default otherwise; by-resource: grouped by kind); one ' +
      'file per kind (by-kind); or one file (stream).',
    { choices: ['stream', 'flat', 'phases', 'flux', 'argocd', 'by-kind', 'by-resource'] },
  ),
  ...inSection('layout', {
    'sync-waves': switchFlag('Annotate objects with the Argo CD sync wave of their install phase.'),
    index: switchFlag('Layout flat: number the files in object order.'),
    'flux-namespace': textFlag(
      'NAME',
      'Namespace of Flux objects; defaults to flux-system (layout flux). For an application package, overrides the profile.',
    ),
    'flux-interval': textFlag('TIME', 'Layout flux: reconcile interval; defaults to 10m.'),
    'flux-path': textFlag('PATH', 'Layout flux: path of the output directory in the source; defaults to the root.'),
    'flux-source': textFlag(
      'KIND/NAME',
      'Layout flux: the Flux source, such as OCIRepository/shop.apps; defaults to a GitRepository named after the package.',
    ),
    'flux-decryption': textFlag(
      'sops/SECRET',
      'Layout flux: decrypt with SOPS and the keys in this Secret; sops alone for keys of the controller.',
    ),
  }),
} as const satisfies FlagDefinitions;

export type LayoutFlags = typeof layoutFlags;
