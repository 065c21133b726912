import { escapeControls, nearest, quote } from '../../diagnostics/index.ts';
import { listWords } from '../../schema/index.ts';

export interface KindArgs {
  /** `apps/v1 Deployment` */
  readonly kind: string;
}

export interface ReplacementArgs extends KindArgs {
  readonly version: string;
  readonly since?: string | undefined;
  readonly removedIn?: string | undefined;
  readonly replacement?: string | undefined;
  readonly warning?: string | undefined;
}

export interface NearArgs {
  readonly name: string;
  readonly known: readonly string[];
}

function hintReplacement({ replacement, warning }: ReplacementArgs): string | undefined {
  return replacement === undefined ? warning : `use ${replacement}`;
}

function hintNear({ name, known }: NearArgs, none: string): string {
  const near = nearest(name, known);
  if (near !== undefined) return `did you mean ${quote(near)}?`;
  return known.length === 0 ? none : `there ${known.length === 1 ? 'is' : 'are'} ${listWords(known.map(quote), 'and')}`;
}

export interface PlaceholderArgs {
  readonly image: string;
  readonly placeholder: string;
  /** The parameter that may be meant. */
  readonly near: string | undefined;
  /** Whether a package with parameters makes the object. */
  readonly isOwn: boolean;
}

export interface TinyArgs {
  readonly field: string;
  readonly amount: string;
  /** `5 bytes` */
  readonly meaning: string;
  /** `5Gi` */
  readonly meant: string | undefined;
}

function describeTiny({ field, amount, meaning }: TinyArgs): string {
  return `${field} is ${amount}, which means ${meaning}`;
}

function hintTiny({ meant }: TinyArgs): string {
  return meant === undefined ? 'write it with a unit such as Mi or Gi' : `did you mean ${meant}?`;
}

const shownNames = 10;

/** What the API server asks of a kind beyond its schema. */
export const kindProblems = {
  'api-version-invalid': {
    severity: 'error',
    summary: 'An apiVersion is not of the form group/version.',
    message: ({ text }: { readonly text: string }) => `apiVersion ${quote(text)} is not of the form "group/version"`,
    hint: () => 'write it as in "apps/v1", or "v1" for the core group',
  },
  'api-version-spelling': {
    severity: 'warning',
    summary: 'An apiVersion names the core group in a way that only API servers understand.',
    message: ({ text, usual }: { readonly text: string; readonly usual: string }) =>
      `apiVersion ${quote(text)} is an unusual spelling of ${quote(usual)}, which other programs may not recognise`,
    hint: ({ usual }: { readonly usual: string }) => `write apiVersion: ${usual}`,
  },
  'kind-unknown': {
    severity: 'warning',
    summary:
      'A kind or version is described neither by Kubernetes nor by a known CustomResourceDefinition, but a similar one is. An error in groups of Kubernetes itself.',
    message: ({ kind, isBuiltIn }: KindArgs & { readonly isBuiltIn: boolean }) =>
      `${quote(kind)} is not known${isBuiltIn ? '' : ', so its fields are not checked'}`,
    hint: ({ advice }: { readonly advice: string | undefined }) => advice,
  },
  'kinds-not-checked': {
    severity: 'note',
    summary: 'There is no schema for some kinds, so their fields were not checked.',
    message: ({ count, kinds }: { readonly count: number; readonly kinds: readonly string[] }) => {
      const named = kinds.slice(0, shownNames).map((kind) => escapeControls(kind));
      const more = kinds.length > named.length ? `, and ${kinds.length - named.length} more kinds` : '';
      const objects =
        count === 1 ? '1 object of a kind without a schema was' : `${count} objects of kinds without a schema were`;
      return `${objects} not checked: ${named.join(', ')}${more}`;
    },
    hint: () => 'pass --crds with the CustomResourceDefinitions',
  },
  'kind-removed': {
    severity: 'error',
    summary: 'A version of a kind is gone from the Kubernetes version that is built for.',
    message: ({ kind, version, removedIn }: ReplacementArgs) =>
      `${quote(kind)} is gone ${removedIn === undefined ? `from Kubernetes ${version}` : `since Kubernetes ${removedIn}`}`,
    hint: hintReplacement,
  },
  'kind-deprecated': {
    severity: 'warning',
    summary: 'A version of a kind is deprecated.',
    message: ({ kind, since, removedIn }: ReplacementArgs) =>
      `${quote(kind)} is deprecated${since === undefined ? '' : ` since Kubernetes ${since}`}${
        removedIn === undefined ? '' : ` and gone in ${removedIn}`
      }`,
    hint: hintReplacement,
  },
  'name-missing': {
    severity: 'error',
    summary: 'An object has no name.',
    message: ({ kind }: KindArgs) => `${kind} has no name`,
    hint: () => 'add metadata.name',
  },
  'name-invalid': {
    severity: 'error',
    summary: 'A name has characters or a length that Kubernetes refuses.',
    message: ({ what, text, reason }: NameArgs) => `${what} ${quote(text)} ${reason}`,
    hint: ({ text, rule }: NameArgs) => {
      const lower = text.toLowerCase().replaceAll(/[_\s]/g, '-');
      if (rule === undefined || lower === text || rule(lower) !== undefined) return undefined;
      // A long one would not be shown to its end.
      return quote(lower) === `"${lower}"` ? `for example "${lower}"` : undefined;
    },
  },
  'label-invalid': {
    severity: 'error',
    summary: 'The key or value of a label, or the key of an annotation, is one that Kubernetes refuses.',
    message: ({ what, text, of, reason }: LabelArgs) =>
      `${what} ${quote(text)}${of === undefined ? '' : ` of ${of}`} ${reason}`,
  },
  'annotations-too-large': {
    severity: 'error',
    summary: 'The annotations of an object are larger than Kubernetes allows.',
    message: ({ size, limit }: { readonly size: number; readonly limit: number }) =>
      `the annotations are ${size} bytes long, and ${limit} is the limit`,
  },
  'data-too-large': {
    severity: 'error',
    summary: 'A ConfigMap or Secret is larger than Kubernetes allows.',
    message: ({ size, limit }: { readonly size: number; readonly limit: number }) =>
      `the data is ${size} bytes long, and ${limit} is the limit`,
    hint: () => 'split it, or put it into a volume',
  },
  'image-placeholder': {
    severity: 'error',
    summary:
      'The image of a container has a placeholder that nothing replaced. A warning in objects that no package makes, where another program may replace it.',
    message: ({ image, placeholder }: PlaceholderArgs) =>
      image === placeholder
        ? `image ${quote(image)} is a placeholder that nothing replaced`
        : `image ${quote(image)} has a placeholder that nothing replaced: ${quote(placeholder)}`,
    hint: ({ near, isOwn }: PlaceholderArgs) => {
      if (near !== undefined) return `did you mean \${${near}}?`;
      return isOwn ? 'define a parameter and write ${name}, or write the image itself' : 'write the image itself';
    },
  },
  'namespace-not-used': {
    severity: 'warning',
    summary: 'An object of a kind that lives in no namespace names one.',
    message: ({ kind, namespace }: KindArgs & { readonly namespace: string }) =>
      `${kind} lives in no namespace, but names ${quote(namespace)}`,
    hint: () => 'take metadata.namespace out',
  },
  'selector-mismatch': {
    severity: 'error',
    summary: 'The selector of a workload does not match the labels of its own pod template.',
    message: ({ demand }: { readonly demand: string }) => `the selector does not match the pod template: ${demand}`,
    hint: () => 'give the template the labels that the selector asks for',
  },
  'selector-invalid': {
    severity: 'error',
    summary: 'A label selector is one that Kubernetes refuses.',
    message: ({ reason }: { readonly reason: string }) => `the selector is refused: ${reason}`,
  },
  'volume-unknown': {
    severity: 'error',
    summary: 'A container mounts a volume that its pod does not have.',
    message: ({ name }: NearArgs) => `volume ${quote(name)} does not exist in the pod`,
    hint: (args: NearArgs) => hintNear(args, 'add it under "volumes" of the pod'),
  },
  'claim-unknown': {
    severity: 'error',
    summary: 'A container uses a resource claim that its pod does not have.',
    message: ({ name }: NearArgs) => `resource claim ${quote(name)} does not exist in the pod`,
    hint: (args: NearArgs) => hintNear(args, 'add it under "resourceClaims" of the pod'),
  },
  'port-unknown': {
    severity: 'warning',
    summary: 'A probe or hook names a port that its container does not have.',
    message: ({ name }: NearArgs) => `no port of the container is named ${quote(name)}`,
    hint: (args: NearArgs) => hintNear(args, 'name a port of the container, or give the number'),
  },
  'fields-exclusive': {
    severity: 'error',
    summary: 'Fields are set together of which only one may be.',
    message: ({ holder, fields }: { readonly holder: string; readonly fields: readonly string[] }) =>
      `${holder} has ${listWords(fields.map(quote), 'and')}, of which only one may be set`,
  },
  'field-choice-missing': {
    severity: 'error',
    summary: 'None of several fields is set, one of which must be.',
    message: ({ holder, fields }: { readonly holder: string; readonly fields: readonly string[] }) =>
      `${holder} needs ${fields.length > 2 ? 'one of ' : ''}${listWords(fields.map(quote), 'or')}`,
  },
  'requests-above-limits': {
    severity: 'error',
    summary: 'A container requests more of a resource than its limit.',
    message: ({ resource, request, limit }: ResourceArgs) =>
      `${quote(resource)} is requested with ${request}, above the limit of ${limit}`,
    hint: () => 'lower the request or raise the limit',
  },
  'memory-tiny': {
    severity: 'warning',
    summary: 'Memory of less than 1Ki is asked for: a number without a unit counts bytes, and `m` thousandths of one.',
    message: describeTiny,
    hint: hintTiny,
  },
  'storage-tiny': {
    severity: 'warning',
    summary: 'Storage of less than 1Ki is asked for: a number without a unit counts bytes, and `m` thousandths of one.',
    message: describeTiny,
    hint: hintTiny,
  },
  'schedule-invalid': {
    severity: 'error',
    summary: 'The schedule of a CronJob cannot be read.',
    message: ({ text, reason }: { readonly text: string; readonly reason: string }) =>
      `schedule ${quote(text)} is refused: ${reason}`,
    hint: () => 'write minute, hour, day of month, month and day of week, as in "*/15 8-18 * * 1-5"',
  },
  'setting-risky': {
    severity: 'warning',
    summary: 'The API server takes a setting that will not work as it is written.',
    message: ({ sentence }: { readonly sentence: string }) => sentence,
    hint: ({ advice }: { readonly advice?: string }) => advice,
  },
} as const;

/** Gives the reason for which a name is refused, as the end of a sentence. */
export type NameRule = (text: string) => string | undefined;

export interface NameArgs {
  readonly what: string;
  readonly text: string;
  readonly reason: string;
  /** By which another name can be proposed; none is without it. */
  readonly rule?: NameRule;
}

export interface LabelArgs {
  readonly what: string;
  readonly text: string;
  readonly of?: string;
  readonly reason: string;
}

export interface ResourceArgs {
  readonly resource: string;
  readonly request: string;
  readonly limit: string;
}
