import type { Acceptance } from '../index.ts';
import type { FlagDefinitions } from './command.ts';
import { buildLimitFlags } from './limits.ts';
import { applicationFlags, packageFlags } from './package-flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags of the commands for patch packages only: parameters that override those of the package. */
export const valueFlags = {
  values: {
    type: 'list',
    placeholder: 'FILE',
    completes: 'path',
    summary:
      'Values file: overrides the parameters of the package and its local extension. Later files win; - is stdin.',
  },
  set: {
    type: 'list',
    placeholder: 'PATH=VALUE',
    completes: 'parameter',
    summary: 'Set one parameter, such as image.tag=1.10. Overrides --values.',
  },
  'set-string': {
    type: 'list',
    placeholder: 'PATH=STRING',
    completes: 'parameter',
    summary: 'Set one parameter as a string, even if it looks like a number or boolean.',
  },
} as const satisfies FlagDefinitions;

/** Flags of every command that applies patches. */
export const patchFlags = {
  patch: {
    type: 'list',
    short: 'p',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Apply a patch (.kpatch or YAML), all patches in a directory, or a patch from stdin (-).',
  },
  feature: {
    type: 'list',
    placeholder: 'NAME',
    section: 'input',
    summary: 'Set features.NAME for patches; disable it with NAME=false.',
  },
} as const satisfies FlagDefinitions;

/** Flags of every command that builds something: the input, and how its objects are selected and changed. */
export const inputFlags = {
  as: {
    type: 'text',
    placeholder: 'FORM',
    choices: ['manifests', 'kustomization', 'chart', 'patch-package', 'application'],
    section: 'input',
    summary: 'Read PATH as this form. Needed only where PATH matches two forms.',
  },
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
  namespace: {
    type: 'text',
    short: 'n',
    placeholder: 'NAME',
    summary:
      'Set the namespace of every namespaced object. For a chart: the release namespace; objects with a namespace keep theirs.',
  },
  kind: {
    type: 'list',
    placeholder: 'KIND',
    completes: 'kind',
    section: 'select',
    summary: 'Keep objects of this kind: Deployment, deploy or apps/v1/Deployment.',
  },
  name: {
    type: 'list',
    placeholder: 'NAME',
    completes: 'name',
    section: 'select',
    summary: 'Keep objects with this name.',
  },
  selector: {
    type: 'text',
    short: 'l',
    placeholder: 'SELECTOR',
    section: 'select',
    summary: "Keep objects whose labels match, such as 'app in (web,api),!canary'.",
  },
  'jq-filter': {
    type: 'list',
    placeholder: 'PROGRAM',
    section: 'select',
    summary: 'Keep objects for which the jq program returns true.',
  },
  jq: {
    type: 'list',
    placeholder: 'PROGRAM',
    section: 'change',
    summary: 'Replace each object with the output of the jq program.',
  },
  label: {
    type: 'list',
    placeholder: 'KEY=VALUE',
    section: 'change',
    summary: 'Set a label on every object (never in selectors).',
  },
  annotation: {
    type: 'list',
    placeholder: 'KEY=VALUE',
    section: 'change',
    summary: 'Set an annotation on every object.',
  },
  'name-prefix': {
    type: 'text',
    placeholder: 'PREFIX',
    section: 'change',
    summary: 'Prefix every object name and the references to it. Namespaces and CRDs keep their names.',
  },
  'name-suffix': {
    type: 'text',
    placeholder: 'SUFFIX',
    section: 'change',
    summary: 'Append to every object name and the references to it. Namespaces and CRDs keep their names.',
  },
  'content-hash': {
    type: 'switch',
    section: 'change',
    summary:
      'Append a content hash to the names of ConfigMaps and Secrets and to the references to them, as kustomize does.',
  },
  strict: { type: 'switch', summary: 'Treat warnings as errors.' },
  accept: {
    type: 'list',
    placeholder: 'CODE[=OBJECT]',
    completes: 'code',
    section: 'validation',
    summary:
      'Accept findings with this code, for one object (deployment/web) or for all, in addition to kurel.accept.yaml.',
  },
  ...applicationFlags,
  ...packageFlags,
  'release-name': {
    type: 'text',
    placeholder: 'NAME',
    section: 'program',
    summary: 'Chart: release name; defaults to release-name.',
  },
  'include-crds': { type: 'switch', section: 'program', summary: 'Chart: include the CRDs in its crds/ directory.' },
  'kube-version': {
    type: 'text',
    placeholder: 'VERSION',
    section: 'program',
    summary: 'Chart: value of .Capabilities.KubeVersion.',
  },
  'api-version': {
    type: 'list',
    placeholder: 'GROUP/VERSION',
    section: 'program',
    summary: 'Chart: add to .Capabilities.APIVersions.',
  },
  'load-restrictions': {
    type: 'text',
    placeholder: 'WHERE',
    choices: ['root', 'none'],
    section: 'program',
    summary: 'Kustomization: read files only below its directory (root, the default) or anywhere (none).',
  },
  'allow-network': {
    type: 'switch',
    section: 'program',
    summary: 'Let helm and kustomize fetch what a chart or kustomization refers to.',
  },
  ...buildLimitFlags,
} as const satisfies FlagDefinitions;

export type InputFlags = typeof inputFlags;

export const watchFlag = {
  watch: {
    type: 'switch',
    short: 'w',
    summary: 'Run again whenever an input changes, until Ctrl-C.',
  },
} as const satisfies FlagDefinitions;

/** For commands whose output on stdout is not the findings. */
export const messageFormatFlag = {
  'message-format': {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif'],
    section: 'output',
    summary: 'Format of findings on stderr: text (the default), json or sarif.',
  },
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

/** Flags of the commands that validate: the schemas for objects and parameters. */
export const validationFlags = {
  'kubernetes-version': {
    type: 'text',
    placeholder: 'VERSION',
    section: 'validation',
    summary: 'Validate against this Kubernetes version, such as 1.34; defaults to the newest bundled one.',
  },
  crds: {
    type: 'list',
    placeholder: 'PATH',
    completes: 'path',
    section: 'validation',
    summary: 'CustomResourceDefinitions to validate with: a file, a directory or a pattern.',
  },
  schema: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    section: 'package',
    summary: 'Patch package: validate parameters against this JSON Schema instead of the generated one.',
  },
  'no-cache': {
    type: 'switch',
    section: 'package',
    summary: 'Patch package: regenerate the parameter schema, even if it was cached in the last hour.',
  },
} as const satisfies FlagDefinitions;

/** For commands that write a directory which several builds can share. */
export const instanceFlag = {
  instance: {
    type: 'text',
    placeholder: 'NAME',
    section: 'output',
    summary:
      'Name of this build in an output directory shared by several builds, such as shop-staging. Defaults to the package name, or ' +
      'to the path of other input.',
  },
} as const satisfies FlagDefinitions;

/** Flags of `build` that decide which files it writes. */
export const layoutFlags = {
  ...instanceFlag,
  layout: {
    type: 'text',
    placeholder: 'LAYOUT',
    choices: ['stream', 'flat', 'phases', 'flux', 'argocd', 'by-kind', 'by-resource'],
    summary:
      'Files in the output directory: one directory per install phase (phases, the default for patch packages), with Flux (flux) ' +
      'or Argo CD (argocd) objects; one file per object (flat, the default otherwise; by-resource: grouped by kind); one ' +
      'file per kind (by-kind); or one file (stream).',
  },
  'sync-waves': {
    type: 'switch',
    section: 'layout',
    summary: 'Annotate objects with the Argo CD sync wave of their install phase.',
  },
  index: { type: 'switch', section: 'layout', summary: 'Layout flat: number the files in object order.' },
  'flux-namespace': {
    type: 'text',
    placeholder: 'NAME',
    section: 'layout',
    summary:
      'Namespace of Flux objects; defaults to flux-system (layout flux). For an application package, overrides the profile.',
  },
  'flux-interval': {
    type: 'text',
    placeholder: 'TIME',
    section: 'layout',
    summary: 'Layout flux: reconcile interval; defaults to 10m.',
  },
  'flux-path': {
    type: 'text',
    placeholder: 'PATH',
    section: 'layout',
    summary: 'Layout flux: path of the output directory in the source; defaults to the root.',
  },
  'flux-source': {
    type: 'text',
    placeholder: 'KIND/NAME',
    section: 'layout',
    summary:
      'Layout flux: the Flux source, such as OCIRepository/shop.apps; defaults to a GitRepository named after the package.',
  },
} as const satisfies FlagDefinitions;

export type LayoutFlags = typeof layoutFlags;
