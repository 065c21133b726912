import {
  didYouMean,
  escapeControls,
  nearest,
  pass,
  passIn,
  quote,
  sentence,
  setting,
} from '../../diagnostics/index.ts';
import { listWords } from '../../schema/index.ts';
import type { Deprecation } from '../../schema/index.ts';
import type { Message } from '../../model/index.ts';

/** Arguments that are strings. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** The kind as in `apps/v1 Deployment`. */
export interface ReplacementArgs extends Texts<'kind' | 'version'>, Deprecation {}

export interface NearArgs {
  readonly name: string;
  readonly candidates: readonly string[];
}

function hintReplacement({ replacement, warning }: ReplacementArgs): string | undefined {
  return replacement === undefined ? warning : `use ${replacement}`;
}

function hintNear({ name, candidates }: NearArgs, none: string): string {
  const choice = candidates.length === 0 ? none : `use ${listWords(candidates.map(quote), 'or')}`;
  return didYouMean(nearest(name, candidates)) ?? choice;
}

export interface PlaceholderArgs extends Texts<'image' | 'placeholder'> {
  /** A parameter with a similar name. */
  readonly near: string | undefined;
  /** Whether the object comes from a package with parameters. */
  readonly isOwn: boolean;
}

/** Amounts of memory and of storage. */
const tiny = {
  severity: 'warning',
  message: ({ field, amount, meaning }: Texts<'field' | 'amount' | 'meaning'>) =>
    `${field} is ${amount}, which means ${meaning}`,
  hint: ({ meant }: { readonly meant: string | undefined }) =>
    didYouMean(meant, String) ?? 'add a unit such as Mi or Gi',
  fix: 'Add a unit such as Mi or Gi to the amount. The suffix m means one thousandth; the suffix for megabytes is M.',
} as const;

type SizeArgs = Readonly<Record<'size' | 'limit', number>>;

const shownNames = 10;

/** Rules of the API server that its schemas do not express. */
export const kindProblems = {
  'api-version-invalid': {
    summary: 'An apiVersion does not have the form group/version.',
    message: ({ text }: Texts<'text'>) => `${quote(text)} is not a valid apiVersion`,
    hint: () => 'use "group/version", for example "apps/v1", or "v1" for the core group',
    fix: 'Set apiVersion to the group and version of the kind, for example apps/v1 for a Deployment and v1 for a Service. kurel schema show KIND prints it.',
  },
  'api-version-spelling': {
    severity: 'warning',
    summary: 'An apiVersion names the core group in a form that only API servers accept.',
    message: ({ text, usual }: Texts<'text' | 'usual'>) =>
      `apiVersion ${quote(text)} is an unusual form of ${quote(usual)} that other programs may not accept`,
    hint: ({ usual }: Texts<'usual'>) => `use apiVersion: ${usual}`,
    fix: 'Remove the slash at the start of apiVersion.',
  },
  'kind-unknown': {
    severity: 'warning',
    summary:
      'Neither Kubernetes nor a CustomResourceDefinition defines a kind or version, but a similar one exists. An error in the API groups of Kubernetes.',
    message: ({ kind, isBuiltIn }: Texts<'kind'> & { readonly isBuiltIn: boolean }) =>
      `unknown kind ${quote(kind)}${isBuiltIn ? '' : '; its fields are not checked'}`,
    hint: ({ advice }: { readonly advice: Message | undefined }) => advice,
    fix: sentence`Correct apiVersion or kind. If the kind is newer than the Kubernetes version of the build, ${pass('kubernetesVersion')}; if it is a custom resource, pass its definition with ${setting('crds')}.`,
  },
  'kinds-not-checked': {
    severity: 'note',
    summary: 'Some kinds have no schema, so the fields of their objects were not checked.',
    message: ({ count, kinds }: { readonly count: number; readonly kinds: readonly string[] }) => {
      const named = kinds.slice(0, shownNames).map((kind) => escapeControls(kind));
      const more = kinds.length > named.length ? `, and ${kinds.length - named.length} more kinds` : '';
      const objects =
        count === 1
          ? '1 object was not checked because its kind has no schema'
          : `${count} objects were not checked because their kinds have no schema`;
      return `${objects}: ${named.join(', ')}${more}`;
    },
    hint: () => sentence`${passIn('the CustomResourceDefinitions', 'crds')}`,
    fix: sentence`Pass the CustomResourceDefinitions with ${setting('crds', 'PATH')}, or add them to the build. kubectl get crd NAME -o yaml prints one from a cluster.`,
  },
  'kind-removed': {
    summary: 'The Kubernetes version of the build does not serve a version of a kind anymore.',
    message: ({ kind, version, removedIn }: ReplacementArgs) =>
      removedIn === undefined
        ? `${quote(kind)} does not exist in Kubernetes ${version}`
        : `${quote(kind)} was removed in Kubernetes ${removedIn}`,
    hint: hintReplacement,
    fix: sentence`Change apiVersion to the replacement in the hint and adapt the fields that changed. To build for an older cluster, ${pass('kubernetesVersion')}.`,
  },
  'kind-deprecated': {
    severity: 'warning',
    summary: 'A version of a kind is deprecated.',
    message: ({ kind, since, removedIn }: ReplacementArgs) =>
      `${quote(kind)} is deprecated${since === undefined ? '' : ` since Kubernetes ${since}`}${
        removedIn === undefined ? '' : ` and removed in ${removedIn}`
      }`,
    hint: hintReplacement,
    fix: 'Change apiVersion to the replacement in the hint before you upgrade the cluster, and adapt the fields that changed.',
  },
  'name-missing': {
    summary: 'An object has no name.',
    message: ({ kind }: Texts<'kind'>) => `${kind} has no name`,
    hint: () => 'add metadata.name',
    fix: 'Add metadata.name. metadata.generateName is accepted too, but then kubectl apply cannot update the object.',
  },
  'name-invalid': {
    summary: 'A name contains characters that Kubernetes does not allow there, or has the wrong length.',
    message: ({ what, text, reason }: NameArgs) => `${what} ${quote(text)} ${reason}`,
    hint: ({ text, rule }: NameArgs) => {
      const lower = text.toLowerCase().replaceAll(/[_\s]/g, '-');
      if (rule === undefined || lower === text || rule(lower) !== undefined) return undefined;
      // A long proposal would be shortened, and then could not be copied.
      return quote(lower) === `"${lower}"` ? `did you mean "${lower}"?` : undefined;
    },
    fix: 'Change the name to one that the rule in the message allows. Most names may contain only lower-case letters, digits and "-".',
  },
  'label-invalid': {
    summary: 'A label key, label value or annotation key is not valid.',
    message: ({ what, text, of, reason }: Texts<'what' | 'text' | 'reason'> & { readonly of?: string }) =>
      `${what} ${quote(text)}${of === undefined ? '' : ` of ${of}`} ${reason}`,
    fix: 'Change the key or value to one that the rule in the message allows. Put free text in an annotation value, which may contain anything.',
  },
  'annotations-too-large': {
    summary: 'The annotations of an object are larger than Kubernetes allows.',
    message: ({ size, limit }: SizeArgs) => `annotations must be at most ${limit} bytes in total, got ${size}`,
    fix: 'Remove large annotations, or move their content to a ConfigMap. A common cause is kubectl.kubernetes.io/last-applied-configuration in an exported manifest.',
  },
  'data-too-large': {
    summary: 'A ConfigMap or Secret is larger than Kubernetes allows.',
    message: ({ size, limit }: SizeArgs) => `data must be at most ${limit} bytes in total, got ${size}`,
    hint: () => 'split the object, or use a volume',
    fix: 'Split the data into several objects, or ship the files in an image or a volume.',
  },
  'image-placeholder': {
    summary:
      'A container image contains a placeholder that was not replaced. A warning in objects that do not come from a package, because another program may replace it later.',
    message: ({ image, placeholder }: PlaceholderArgs) =>
      image === placeholder
        ? `image ${quote(image)} is a placeholder that was not replaced`
        : `image ${quote(image)} contains a placeholder that was not replaced: ${quote(placeholder)}`,
    hint: ({ near, isOwn }: PlaceholderArgs) => {
      if (near !== undefined) return `did you mean \${${near}}?`;
      return isOwn ? 'define a parameter and use ${name}, or set the image' : 'set the image';
    },
    fix: 'In a package, define the parameter and refer to it as ${name}. Elsewhere, replace the placeholder by the image name and tag.',
  },
  'namespace-not-used': {
    severity: 'warning',
    summary: 'A cluster-scoped object sets a namespace.',
    message: ({ kind, namespace }: Texts<'kind' | 'namespace'>) =>
      `namespace ${quote(namespace)} is ignored: ${kind} is cluster-scoped`,
    hint: () => 'remove metadata.namespace',
    fix: 'Remove metadata.namespace from the object.',
  },
  'selector-mismatch': {
    summary: 'The selector of a workload does not match the labels of its own pod template.',
    message: ({ demand }: Texts<'demand'>) => `selector does not match the pod template: ${demand}`,
    hint: () => 'add the labels of the selector to the pod template',
    fix: 'Use the same labels in spec.selector and in spec.template.metadata.labels. The selector is immutable, so change the pod template if the workload already exists.',
  },
  'selector-invalid': {
    summary: 'A label selector is not valid.',
    message: ({ reason }: Texts<'reason'>) => `selector is not valid: ${reason}`,
    fix: 'Use matchLabels, or matchExpressions with the operators In, NotIn, Exists and DoesNotExist. A workload needs at least one label in its selector.',
  },
  'volume-unknown': {
    summary: 'A container mounts a volume that does not exist in its pod.',
    message: ({ name }: NearArgs) => `volume ${quote(name)} does not exist in the pod`,
    hint: (args: NearArgs) => hintNear(args, 'add it to "volumes" of the pod'),
    fix: 'Add the volume to "volumes" of the pod, or to volumeClaimTemplates of a StatefulSet, or correct the name in volumeMounts.',
  },
  'claim-unknown': {
    summary: 'A container uses a resource claim that does not exist in its pod.',
    message: ({ name }: NearArgs) => `resource claim ${quote(name)} does not exist in the pod`,
    hint: (args: NearArgs) => hintNear(args, 'add it to "resourceClaims" of the pod'),
    fix: 'Add the claim to "resourceClaims" of the pod, or correct the name in resources.claims of the container.',
  },
  'port-unknown': {
    severity: 'warning',
    summary: 'A probe or lifecycle hook uses a port name that does not exist in its container.',
    message: ({ name }: NearArgs) => `port ${quote(name)} does not exist in the container`,
    hint: (args: NearArgs) => hintNear(args, 'add the port to the container, or use its number'),
    fix: 'Add a port with this name to "ports" of the container, or use the port number in the probe or hook.',
  },
  'requests-above-limits': {
    summary: 'A container requests more of a resource than its limit.',
    message: ({ resource, request, limit }: Texts<'resource' | 'request' | 'limit'>) =>
      `${quote(resource)} request must be at most the limit of ${limit}, got ${request}`,
    hint: () => 'lower the request or raise the limit',
    fix: 'Lower resources.requests or raise resources.limits of the container. Kubernetes requires requests to be at most the limits.',
  },
  'memory-tiny': {
    ...tiny,
    summary:
      'An amount of memory is less than 1Ki. A number without a unit counts bytes, and the suffix `m` means thousandths of a byte.',
  },
  'storage-tiny': {
    ...tiny,
    summary:
      'An amount of storage is less than 1Ki. A number without a unit counts bytes, and the suffix `m` means thousandths of a byte.',
  },
  'schedule-invalid': {
    summary: 'The schedule of a CronJob is not valid.',
    message: ({ text, reason }: Texts<'text' | 'reason'>) => `${quote(text)} is not a valid schedule: ${reason}`,
    hint: () => 'use minute, hour, day of month, month and day of week, for example "*/15 8-18 * * 1-5"',
    fix: 'Write five fields: minute, hour, day of month, month and day of week. @hourly, @daily, @weekly, @monthly, @yearly and @every DURATION work too.',
  },
  'setting-contradictory': {
    severity: 'warning',
    summary: 'Two settings contradict each other. The API server accepts both, but no pod can run with them.',
    message: ({ sentence }: Texts<'sentence'>) => sentence,
    hint: ({ advice }: Texts<'advice'>) => advice,
    fix: 'Change or remove one of the settings in the message. In an application package this is an error.',
  },
  'setting-risky': {
    severity: 'warning',
    summary: 'The API server accepts a setting that does not work as written.',
    message: ({ sentence }: Texts<'sentence'>) => sentence,
    fix: 'Change or remove the setting in the message. The API server accepts it without a warning.',
  },
} as const;

/** Returns why a name is not valid, as the end of a sentence: `must not be empty`. */
export type NameRule = (text: string) => string | undefined;

export interface NameArgs extends Texts<'what' | 'text' | 'reason'> {
  /** Used to propose a valid name in the hint. */
  readonly rule?: NameRule;
}
