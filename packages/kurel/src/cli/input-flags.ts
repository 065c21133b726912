import type { Acceptance } from '../index.ts';
import { applicationFlags } from './application-flags.ts';
import type { FlagDefinitions } from './command.ts';
import { buildLimitFlags } from './limit-flags.ts';
import { packageFlags } from './package-flags.ts';
import { patchFlags } from './patch-flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags of every command that builds something: what the input is, and which of its objects are kept and how changed. */
export const inputFlags = {
  as: {
    type: 'text',
    placeholder: 'FORM',
    choices: ['manifests', 'kustomization', 'chart', 'patch-package', 'application'],
    summary: 'What PATH is, when it could be two things.',
  },
  values: {
    type: 'list',
    placeholder: 'FILE',
    completes: 'path',
    summary:
      'Parameters of a package, values for a chart or kustomization, and for values.* in patches; later files win.',
  },
  set: { type: 'list', placeholder: 'PATH=VALUE', summary: 'One value, as in image.tag=1.10; wins over --values.' },
  'set-string': {
    type: 'list',
    placeholder: 'PATH=TEXT',
    summary: 'One value that stays a text whatever it looks like.',
  },
  ...patchFlags,
  namespace: {
    type: 'text',
    short: 'n',
    placeholder: 'NAME',
    summary:
      'Put every namespaced object into this namespace. For a chart: the namespace of the release; objects that name their own keep it.',
  },
  kind: {
    type: 'list',
    placeholder: 'KIND',
    summary: 'Keep objects of this kind: Deployment, deploy or apps/v1/Deployment.',
  },
  name: { type: 'list', placeholder: 'NAME', summary: 'Keep objects with this name.' },
  selector: {
    type: 'text',
    short: 'l',
    placeholder: 'SELECTOR',
    summary: "Keep objects whose labels match, as in 'app in (web,api),!canary'.",
  },
  'jq-filter': { type: 'list', placeholder: 'PROGRAM', summary: 'Keep objects for which a jq program gives true.' },
  jq: { type: 'list', placeholder: 'PROGRAM', summary: 'Replace each object by what a jq program gives.' },
  label: { type: 'list', placeholder: 'KEY=VALUE', summary: 'Set a label on every object (never on selectors).' },
  annotation: { type: 'list', placeholder: 'KEY=VALUE', summary: 'Set an annotation on every object.' },
  'name-prefix': {
    type: 'text',
    placeholder: 'TEXT',
    summary: 'Put a text in front of every name and of references to it; Namespaces and CRDs keep theirs.',
  },
  'name-suffix': {
    type: 'text',
    placeholder: 'TEXT',
    summary: 'Put a text after every name and references to it; Namespaces and CRDs keep theirs.',
  },
  'content-hash': {
    type: 'switch',
    summary:
      'Append a hash of the content to the names of ConfigMaps and Secrets, as kustomize does, and to references to them.',
  },
  strict: { type: 'switch', summary: 'Treat warnings as errors.' },
  accept: {
    type: 'list',
    placeholder: 'CODE[=OBJECT]',
    summary:
      'Accept findings with this code, of one object such as deployment/web or of all; adds to kurel.accept.yaml.',
  },
  ...applicationFlags,
  ...packageFlags,
  'release-name': {
    type: 'text',
    placeholder: 'NAME',
    section: 'program',
    summary: 'Chart: name of the release; defaults to release-name.',
  },
  'include-crds': { type: 'switch', section: 'program', summary: 'Chart: include what its crds/ directory holds.' },
  'kube-version': {
    type: 'text',
    placeholder: 'VERSION',
    section: 'program',
    summary: 'Chart: the Kubernetes version it is told.',
  },
  'api-version': {
    type: 'list',
    placeholder: 'GROUP/VERSION',
    section: 'program',
    summary: 'Chart: an API it is told exists.',
  },
  'load-restrictions': {
    type: 'text',
    placeholder: 'WHERE',
    choices: ['root', 'none'],
    section: 'program',
    summary: 'Kustomization: files may be read from below it only (root, the default) or from anywhere (none).',
  },
  'allow-network': {
    type: 'switch',
    summary:
      'Let helm and kustomize use the network for what a chart or kustomization names. Application packages do not need it: see --offline.',
  },
  ...buildLimitFlags,
} as const satisfies FlagDefinitions;

export type InputFlags = typeof inputFlags;

export const watchFlag = {
  watch: {
    type: 'switch',
    short: 'w',
    summary: 'Run again whenever something changes that was read, until Ctrl-C.',
  },
} as const satisfies FlagDefinitions;

/** `--accept CODE[=OBJECT]`; whether there is such a code and object is checked by the build. */
export function parseAcceptance(text: string): Acceptance {
  const [code = '', ...rest] = text.split('=');
  const object = rest.length === 0 ? undefined : rest.join('=');
  if (code === '' || object === '') {
    throw new UsageError(
      `--accept ${JSON.stringify(text)} is incomplete`,
      'write --accept CODE or --accept CODE=OBJECT, such as --accept namespace-missing=deployment/web',
    );
  }
  return { code, object, reason: 'accepted with --accept' };
}
