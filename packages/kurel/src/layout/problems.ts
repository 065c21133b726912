import { defineProblems, nearest, quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';

interface AnnotationArgs {
  readonly object: string;
  /** What the annotation says. */
  readonly value: Json;
}

interface ObjectAnnotation {
  readonly object: string;
  readonly annotation: string;
}

interface TooEarlyArgs {
  readonly object: string;
  /** `Namespace "shop"` */
  readonly need: string;
  readonly phase: string;
  readonly later: string;
}

export const layoutProblems = defineProblems({
  'output-collision': {
    severity: 'error',
    summary: 'Two objects would be written to the same file.',
    message: ({ path, first, second }: { path: string; first: string; second: string }) =>
      `${first} and ${second} would both be written to ${quote(path)}`,
    hint: () => 'rename one of them, or write one stream with --output FILE.yaml',
  },
  'object-unwritable': {
    severity: 'error',
    summary: 'An object holds something that no manifest can hold.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot write ${object}: ${reason}`,
  },
  'object-read-as-list': {
    severity: 'error',
    summary:
      'An object that is not a List has a list "items", so kubectl, Flux and Argo CD apply the items instead of it.',
    message: ({ object }: { readonly object: string }) =>
      `${object} has a list "items", so kubectl reads it as a List and applies only the items`,
    hint: () => 'remove "items", or change the object to apiVersion: v1, kind: List',
  },
  'output-too-large': {
    severity: 'error',
    summary: 'The objects together are longer than any text can be.',
    message: ({ object, limit }: { object: string; limit: number }) =>
      `with ${object} the output has more than ${limit} characters`,
    hint: () => 'keep fewer objects, with --kind, --name or --selector',
  },
  'output-name': {
    severity: 'error',
    summary: 'An object has no name that a file could carry.',
    message: ({ object }: { object: string }) => `${object} has no name to make a file name of`,
    hint: () => 'give it a metadata.name, or write one stream with --output FILE.yaml',
  },
  'trait-of-flux': {
    severity: 'warning',
    summary: 'A trait changes the Kustomizations of Flux that apply the objects, and the layout writes none.',
    message: ({ trait }: { trait: string }) =>
      `the trait ${quote(trait)} has no effect: it changes Flux Kustomizations, which only --layout flux writes`,
    hint: ({ instead }: { instead: string }) => `build with --layout flux; or ${instead}`,
  },
  'flux-patch-target': {
    severity: 'error',
    summary: 'A patch of a trait "fluxcd-patches" has no target and does not name an object of the build.',
    message: ({ reason }: { reason: string }) => `a patch without "target" ${reason}, so Flux cannot apply it`,
    hint: () => 'add "target", with kind and name of the object',
  },
  'flux-substitute-twice': {
    severity: 'warning',
    summary: 'Two traits "fluxcd-postbuild" give one name different values.',
    message: ({ name }: { name: string }) =>
      `${quote(name)} has another value in an earlier trait "fluxcd-postbuild", and all of them end up in one Kustomization`,
    hint: () => 'use another name, or the same value',
  },
  'phase-unknown': {
    severity: 'error',
    summary: 'The annotation kurel.gokure.dev/install-phase names no phase.',
    message: ({ object, value }: AnnotationArgs) =>
      `${object} has the install phase ${show(value)}, which does not exist`,
    hint: ({ value, phases }: AnnotationArgs & { readonly phases: readonly string[] }) => {
      const meant = typeof value === 'string' ? nearest(value, phases) : undefined;
      return meant === undefined ? `write one of ${phases.join(', ')}` : `did you mean ${quote(meant)}?`;
    },
  },
  'phase-wait-invalid': {
    severity: 'error',
    summary: 'The annotation kurel.gokure.dev/wait-for-ready is neither "true" nor "false".',
    message: ({ object, value }: AnnotationArgs) =>
      `${object} has ${show(value)} for wait-for-ready, which is neither "true" nor "false"`,
    hint: ({ value }: AnnotationArgs) =>
      typeof value === 'boolean' ? `values of annotations are texts: write "${value}"` : 'write "true" or "false"',
  },
  'phase-timeout-invalid': {
    severity: 'error',
    summary: 'The annotation kurel.gokure.dev/timeout is no duration.',
    message: ({ object, value }: AnnotationArgs) =>
      `${object} has ${show(value)} for timeout, which is not a duration above zero`,
    hint: () => 'write it as in "90s", "5m" or "1h30m"',
  },
  'phase-too-early': {
    severity: 'error',
    summary: 'An object is in an earlier install phase than its Namespace or CustomResourceDefinition.',
    message: ({ object, need, phase, later }: TooEarlyArgs) =>
      `${object} is in phase ${quote(phase)}, but ${need} comes later, in phase ${quote(later)}`,
    hint: ({ need, phase }: TooEarlyArgs) =>
      `give ${need} the annotation kurel.gokure.dev/install-phase: ${phase}, or put the object in a later phase`,
  },
  'annotation-unknown': {
    severity: 'warning',
    summary: 'An annotation that begins with kurel.gokure.dev/ is not one that kurel knows.',
    message: ({ object, annotation }: ObjectAnnotation) => `unknown annotation ${quote(annotation)} of ${object}`,
    hint: ({ annotation, known }: ObjectAnnotation & { readonly known: readonly string[] }) => {
      // All of them begin alike, which must not make them look alike.
      const endingOf = (name: string): string => name.slice(name.indexOf('/') + 1);
      const meant = nearest(endingOf(annotation), known.map(endingOf));
      if (meant === undefined) return `annotations: ${known.join(', ')}`;
      return `did you mean ${known.find((name) => endingOf(name) === meant)}?`;
    },
  },
  'definition-in-stream': {
    severity: 'note',
    summary: 'A CustomResourceDefinition and objects of its kind are in one stream.',
    message: ({ definition, count }: { readonly definition: string; readonly count: number }) =>
      `CustomResourceDefinition ${quote(definition)} and ${count === 1 ? '1 object' : `${count} objects`} of its kind are in one stream`,
    hint: () =>
      'kubectl cannot apply both at once: apply the stream twice, or write one directory per phase with --output DIR --layout phases',
  },
  'kustomize-nameless': {
    severity: 'error',
    summary: 'An object without a name is in a layout for kustomize, which takes none.',
    message: ({ object }: { readonly object: string }) => `kustomize refuses ${object}`,
    hint: () => 'give it a metadata.name, or write one stream with --output FILE.yaml',
  },
  'kustomize-duplicate': {
    severity: 'error',
    summary: 'Two objects that kustomize takes for one are in a layout for kustomize.',
    message: ({ first, second }: { readonly first: string; readonly second: string }) =>
      first === second ? `${first} is there twice` : `${first} and ${second} are one object`,
    hint: () => 'rename one, or take it out: kustomize refuses to build both',
  },
  'kustomize-local-object': {
    severity: 'warning',
    summary: 'An object is marked as one that kustomize does not pass on.',
    message: ({ object, annotation }: ObjectAnnotation) =>
      `kustomize leaves out ${object} because of its annotation ${quote(annotation)}`,
    hint: () => 'take the annotation away, or the object',
  },
  'kustomize-annotation': {
    severity: 'warning',
    summary: 'An object has an annotation in which kustomize keeps notes of its own.',
    message: ({ object, annotation }: ObjectAnnotation) =>
      `kustomize takes the annotation ${quote(annotation)} of ${object} for one of its own, and removes it`,
    hint: () => 'take the annotation away',
  },
  'layout-name-missing': {
    severity: 'error',
    summary: 'A layout calls objects after the instance or the package, and there is neither.',
    message: () => 'the layout "flux" needs a name for its objects, and the input has none',
    hint: () => 'pass --instance NAME, or choose another layout, such as "phases"',
  },
  'layout-name-invalid': {
    severity: 'error',
    summary: 'Objects and directories cannot be called after the package or the instance.',
    message: ({ name, reason }: { readonly name: string; readonly reason: string }) =>
      `the name ${quote(name)} ${reason}`,
    hint: () => 'objects and directories are called after it: rename it, or pass another --instance',
  },
  'flux-name-too-long': {
    severity: 'error',
    summary: 'The name of a Flux object, made of the package and the phase, does not fit into a label.',
    message: ({ names, longest }: { readonly names: readonly string[]; readonly longest: number }) =>
      `Flux takes names of ${longest} characters at most, and not ${names.map(quote).join(', ')}`,
    hint: () => 'pass a shorter --instance NAME, or give the package a shorter name',
  },
  'flux-namespace-invalid': {
    severity: 'error',
    summary: 'The namespace for the Flux objects cannot be the name of one.',
    message: ({ namespace, reason }: { readonly namespace: string; readonly reason: string }) =>
      `the namespace for Flux, ${quote(namespace)}, ${reason}`,
  },
  'flux-interval-invalid': {
    severity: 'error',
    summary: 'The interval of the Flux objects is no duration that Flux takes.',
    message: ({ interval }: { readonly interval: string }) => `${quote(interval)} is not an interval that Flux takes`,
    hint: () => 'write it as in "90s", "10m" or "1h30m"',
  },
  'flux-path-invalid': {
    severity: 'error',
    summary: 'The path of the output in the source of Flux leads out of it.',
    message: ({ path }: { readonly path: string }) => `${quote(path)} is not a path inside the source that Flux reads`,
    hint: () => 'write it from the root of the source, as in "./clusters/production"',
  },
  'flux-source-invalid': {
    severity: 'error',
    summary: 'The source of the Flux objects cannot be read.',
    message: ({ source, reason }: { readonly source: string; readonly reason: string }) =>
      `${quote(source)} names no source for Flux: ${reason}`,
    hint: () => 'write it as in "GitRepository/fleet" or "OCIRepository/apps.flux-system"',
  },
  'flux-source-kind': {
    severity: 'error',
    summary: 'The source of the Flux objects is of a kind that Flux cannot read from.',
    message: ({ source, kind }: { readonly source: string; readonly kind: string }) =>
      `${quote(source)} names no source for Flux: it cannot read from ${quote(kind)}`,
    hint: ({ kind, kinds }: { readonly kind: string; readonly kinds: readonly string[] }) => {
      const meant = nearest(kind, kinds);
      return meant === undefined ? `write one of ${kinds.join(', ')}` : `did you mean ${quote(meant)}?`;
    },
  },
});

function show(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (isJsonObject(value)) return 'a mapping';
  return isJsonArray(value) ? 'a list' : String(value);
}
