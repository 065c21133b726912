import {
  countNoun,
  defineProblems,
  describeValue,
  didYouMean,
  nearest,
  pass,
  quote,
  sentence,
  setting,
} from '../diagnostics/index.ts';
import type { Json } from '../model/index.ts';

interface AnnotationArgs {
  readonly object: string;
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

interface EncryptedArgs {
  readonly object: string;
  readonly more: number;
}

function describeEncrypted({ object, more }: EncryptedArgs): string {
  return `${object}${more === 0 ? ' is' : ` and ${countNoun(more, 'other object')} are`} encrypted with SOPS`;
}

export const layoutProblems = defineProblems(() => ({
  'output-collision': {
    summary: 'Two objects would be written to the same file.',
    fix: sentence`Rename one of the objects, or write all objects to one file with \`${setting('output', 'FILE.yaml')}\`. File names that differ only in case also collide.`,
    message: ({ path, first, second }: { path: string; first: string; second: string }) =>
      `${first} and ${second} would both be written to ${quote(path)}`,
    hint: () => sentence`rename one of them, or write one stream with ${setting('output', 'FILE.yaml')}`,
  },
  'object-unwritable': {
    summary: 'An object contains a value that YAML and JSON manifests cannot represent.',
    fix: 'Correct the step that creates the value, such as a jq program that returns NaN.',
    message: ({ object, reason }: { object: string; reason: string }) => `cannot write ${object}: ${reason}`,
  },
  'object-read-as-list': {
    summary:
      'An object that is not a List has a list "items", so kubectl, Flux and Argo CD would apply only the items.',
    fix: 'Remove `items` from the object, or change it to `apiVersion: v1` and `kind: List`.',
    message: ({ object }: { readonly object: string }) =>
      `${object} has a list "items", so kubectl reads it as a List and applies only the items`,
    hint: () => 'remove "items", or change the object to apiVersion: v1, kind: List',
  },
  'output-too-large': {
    summary: 'The output exceeds the maximum size.',
    fix: sentence`Build fewer objects with \`${setting('kinds')}\`, \`${setting('names')}\` or \`${setting('selector')}\`, or split the input.`,
    message: ({ object, limit }: { object: string; limit: number }) =>
      `the output has more than ${limit} characters at ${object}`,
    hint: () => sentence`build fewer objects with ${setting('kinds')}, ${setting('names')} or ${setting('selector')}`,
  },
  'output-name': {
    summary: 'An object without a name cannot be written to its own file.',
    fix: sentence`Add \`metadata.name\` to the object, or write one stream with \`${setting('output', 'FILE.yaml')}\`.`,
    message: ({ object }: { object: string }) => `${object} has no metadata.name, which the file name needs`,
    hint: () => sentence`add metadata.name, or write one stream with ${setting('output', 'FILE.yaml')}`,
  },
  'trait-of-flux': {
    severity: 'warning',
    summary: 'A trait changes Flux Kustomizations, but the layout does not write any.',
    fix: sentence`Build with \`${setting('layout', 'flux')}\`, or remove the trait and make the change in the package itself.`,
    message: ({ trait }: { trait: string }) =>
      sentence`the trait ${quote(trait)} has no effect: it changes Flux Kustomizations, which only ${setting('layout', 'flux')} writes`,
    hint: ({ instead }: { instead: string }) => sentence`build with ${setting('layout', 'flux')}, or ${instead}`,
  },
  'flux-patch-target': {
    summary: 'A patch in a trait "fluxcd-patches" has no target, and does not name an object of the build.',
    fix: 'Add `target` with the kind and name of the object to the patch, or correct the name in the patch.',
    message: ({ reason }: { reason: string }) => `a patch without "target" ${reason}, so Flux cannot apply it`,
    hint: () => 'add "target" with the kind and name of the object',
  },
  'flux-substitute-twice': {
    severity: 'warning',
    summary: 'Two traits "fluxcd-postbuild" set the same name to different values.',
    fix: 'Rename one of the variables, or use the same value. All traits of an application share one set of variables.',
    message: ({ name }: { name: string }) =>
      `${quote(name)} conflicts with another value in an earlier trait "fluxcd-postbuild" of the same Kustomization`,
    hint: () => 'use another name or the same value',
  },
  'phase-unknown': {
    summary: 'The annotation kurel.gokure.dev/install-phase is not a valid phase.',
    fix: 'Set the annotation `kurel.gokure.dev/install-phase` to pre-install, main or post-install, or remove it for main.',
    message: ({ object, value, phases }: AnnotationArgs & { readonly phases: readonly string[] }) =>
      `install-phase of ${object} must be one of ${phases.join(', ')}, got ${describeValue(value)}`,
    hint: ({ value, phases }: AnnotationArgs & { readonly phases: readonly string[] }) =>
      didYouMean(typeof value === 'string' ? nearest(value, phases) : undefined),
  },
  'phase-wait-invalid': {
    summary: 'The annotation kurel.gokure.dev/wait-for-ready or wait-for-previous is neither "true" nor "false".',
    fix: 'Set the annotation `kurel.gokure.dev/wait-for-ready` or `kurel.gokure.dev/wait-for-previous` to the string "true" or "false".',
    message: ({ object, value, annotation }: AnnotationArgs & { readonly annotation: string }) =>
      `${annotation} of ${object} must be "true" or "false", got ${describeValue(value)}`,
    hint: ({ value }: AnnotationArgs) =>
      typeof value === 'boolean' ? `use "${value}": annotation values are strings` : undefined,
  },
  'phase-timeout-invalid': {
    summary: 'The annotation kurel.gokure.dev/timeout is not a valid duration.',
    fix: 'Set the annotation `kurel.gokure.dev/timeout` to a duration such as "5m".',
    message: ({ object, value }: AnnotationArgs) =>
      `timeout of ${object} must be a duration greater than zero, got ${describeValue(value)}`,
    hint: () => 'use a duration such as "90s", "5m" or "1h30m"',
  },
  'phase-too-early': {
    summary:
      'An object is in an earlier install phase than the one that its Namespace or CustomResourceDefinition sets.',
    fix: 'Remove the annotation `kurel.gokure.dev/install-phase` of the Namespace or CustomResourceDefinition, so that it moves to the phase of the object, or move the object to a later phase.',
    message: ({ object, need, phase, later }: TooEarlyArgs) =>
      `${object} is in phase ${quote(phase)}, but ${need} is in the later phase ${quote(later)}`,
    hint: ({ need, phase }: TooEarlyArgs) =>
      `remove the annotation kurel.gokure.dev/install-phase of ${need} or change it to ${phase}, or move the object to a later phase`,
  },
  'phase-moved': {
    severity: 'note',
    summary:
      'A Namespace or CustomResourceDefinition without an install phase is applied in an earlier one, because an object of that phase needs it.',
    fix: 'No action is needed. To choose another phase, set the annotation `kurel.gokure.dev/install-phase` of both.',
    message: ({ need, phase, object }: { readonly need: string; readonly phase: string; readonly object: string }) =>
      `${need} is applied in phase ${quote(phase)}, because ${object} needs it`,
  },
  'annotation-unknown': {
    severity: 'warning',
    summary: 'An annotation starts with kurel.gokure.dev/, but is unknown.',
    fix: 'Correct or remove the annotation. kurel reads `install-phase`, `wait-for-ready`, `wait-for-previous` and `timeout`.',
    message: ({ object, annotation }: ObjectAnnotation) => `unknown annotation ${quote(annotation)} in ${object}`,
    hint: ({ annotation, annotations }: ObjectAnnotation & { readonly annotations: readonly string[] }) => {
      // The shared prefix would make all annotations look similar.
      const endingOf = (name: string): string => name.slice(name.indexOf('/') + 1);
      const meant = nearest(endingOf(annotation), annotations.map(endingOf));
      const near = annotations.find((name) => endingOf(name) === meant);
      return didYouMean(near, String) ?? `use one of ${annotations.join(', ')}`;
    },
  },
  'definition-in-stream': {
    severity: 'note',
    summary: 'A CustomResourceDefinition and objects of its kind are in the same stream.',
    fix: sentence`Apply the stream twice, or annotate the definition with \`kurel.gokure.dev/install-phase: pre-install\`, write one directory per phase with \`${setting('layout', 'phases')}\`, and apply them in order.`,
    message: ({ definition, count }: { readonly definition: string; readonly count: number }) =>
      `CustomResourceDefinition ${quote(definition)} and ${countNoun(count, 'object')} of its kind are in the same stream`,
    hint({ isSamePhase }: { readonly isSamePhase: boolean }) {
      const advance = isSamePhase
        ? 'annotate the definition with kurel.gokure.dev/install-phase: pre-install and '
        : '';
      return sentence`apply the stream twice, or ${advance}write one directory per phase with ${setting('output', 'DIR')} ${setting('layout', 'phases')}: kubectl cannot apply both at once`;
    },
  },
  'kustomize-nameless': {
    summary: 'An object without a name is in a kustomize layout, but kustomize requires a name.',
    fix: sentence`Add \`metadata.name\` to the object, or write one stream with \`${setting('output', 'FILE.yaml')}\`. kustomize does not support \`generateName\`.`,
    message: ({ object }: { readonly object: string }) => `${object} has no metadata.name, which kustomize requires`,
    hint: () => sentence`add metadata.name, or write one stream with ${setting('output', 'FILE.yaml')}`,
  },
  'kustomize-duplicate': {
    summary: 'Two objects in a kustomize layout are the same object for kustomize.',
    fix: 'Rename or remove one of the objects. For kustomize an object without a namespace is in the namespace "default".',
    message: ({ first, second }: { readonly first: string; readonly second: string }) =>
      first === second ? `duplicate ${first}` : `${first} and ${second} are the same object for kustomize`,
    hint: () => 'rename or remove one of them',
  },
  'kustomize-local-object': {
    severity: 'warning',
    summary: 'An object has an annotation that makes kustomize leave it out.',
    fix: 'Remove the annotation to apply the object, or remove the object.',
    message: ({ object, annotation }: ObjectAnnotation) =>
      `kustomize leaves out ${object} because of its annotation ${quote(annotation)}`,
    hint: () => 'remove the annotation or the object',
  },
  'kustomize-annotation': {
    severity: 'warning',
    summary: 'An object has an annotation that kustomize uses internally.',
    fix: 'Remove the annotation. kustomize reserves it for its own use.',
    message: ({ object, annotation }: ObjectAnnotation) =>
      `kustomize removes the annotation ${quote(annotation)} of ${object}, which it uses internally`,
    hint: () => 'remove the annotation',
  },
  'layout-name-missing': {
    summary: 'The layout names objects after the package or instance, but the input has no name.',
    fix: sentence`Pass \`${setting('instance', 'NAME')}\`, or use another layout, such as \`${setting('layout', 'phases')}\`.`,
    message: () => 'layout "flux" requires a name for its objects, but the input has none',
    hint: () => sentence`${pass('instance', 'NAME')}, or use another layout, such as ${setting('layout', 'phases')}`,
  },
  'layout-name-invalid': {
    summary: 'The name of the package or instance is not valid for objects and directories.',
    fix: sentence`Rename the package, or pass \`${setting('instance', 'NAME')}\` with lower-case letters, digits and hyphens.`,
    message: ({ name, reason }: { readonly name: string; readonly reason: string }) =>
      `the name ${quote(name)} ${reason}`,
    hint: () => sentence`rename the package, or pass another ${setting('instance', 'NAME')}`,
  },
  'flux-name-too-long': {
    summary: 'The name of a Flux object, which consists of package and phase, is too long for a label.',
    fix: sentence`Pass a shorter \`${setting('instance', 'NAME')}\`, or shorten the name of the package. Flux writes the name into a label.`,
    message: ({ names, longest }: { readonly names: readonly string[]; readonly longest: number }) =>
      `names of Flux objects must have at most ${longest} characters, got ${names.map(quote).join(', ')}`,
    hint: () => sentence`pass a shorter ${setting('instance', 'NAME')}, or shorten the name of the package`,
  },
  'flux-namespace-invalid': {
    summary: 'The namespace of the Flux objects is not a valid name.',
    fix: sentence`Pass \`${setting('fluxNamespace')}\` with a valid namespace: lower-case letters, digits and hyphens, at most 63 characters.`,
    message: ({ namespace, reason }: { readonly namespace: string; readonly reason: string }) =>
      `the Flux namespace ${quote(namespace)} ${reason}`,
  },
  'flux-interval-invalid': {
    summary: 'The interval of the Flux objects is not a valid Flux duration.',
    fix: sentence`Pass \`${setting('fluxInterval')}\` with a duration such as "10m".`,
    message: ({ interval }: { readonly interval: string }) => `${quote(interval)} is not a valid Flux interval`,
    hint: () => 'use a duration such as "90s", "10m" or "1h30m"',
  },
  'flux-path-invalid': {
    summary: 'The path of the output points outside the Flux source.',
    fix: sentence`Pass \`${setting('fluxPath')}\` with a path relative to the root of the Flux source, without \`..\`.`,
    message: ({ path }: { readonly path: string }) => `${quote(path)} is not a valid path inside the Flux source`,
    hint: () => 'use a path relative to the root of the source, such as "./clusters/production"',
  },
  'flux-source-invalid': {
    summary: 'The Flux source is not a valid reference.',
    fix: sentence`Pass \`${setting('fluxSource', 'KIND/NAME')}\`, or \`KIND/NAME.NAMESPACE\` if the source is in another namespace.`,
    message: ({ source, reason }: { readonly source: string; readonly reason: string }) =>
      `${quote(source)} is not a valid Flux source: ${reason}`,
    hint: () => 'use a source such as "GitRepository/fleet" or "OCIRepository/apps.flux-system"',
  },
  'flux-decryption-invalid': {
    summary: 'The decryption of the Flux objects is not valid.',
    fix: sentence`Pass \`${setting('fluxDecryption', 'sops/SECRET')}\` with the Secret that has the keys, or \`${setting('fluxDecryption', 'sops')}\` if the controller gets them elsewhere, such as from a cloud provider.`,
    message: ({ decryption, reason }: { readonly decryption: string; readonly reason: string }) =>
      `${quote(decryption)} is not a valid Flux decryption: ${reason}`,
    hint: () => 'use a decryption such as "sops/sops-age"',
  },
  'flux-decryption-missing': {
    severity: 'warning',
    summary: 'Objects are encrypted with SOPS, and the Flux Kustomizations do not decrypt them.',
    fix: sentence`Pass \`${setting('fluxDecryption', 'sops/SECRET')}\`, or set \`flux.decryption\` in the fleet file, with the Secret in the namespace of Flux that has the keys.`,
    message: (args: EncryptedArgs) => `${describeEncrypted(args)}, and nothing tells Flux to decrypt`,
    hint: () => 'set the Flux decryption, such as "sops/sops-age" with the Secret that has the keys',
  },
  'argocd-decryption-missing': {
    severity: 'warning',
    summary: 'Objects for Argo CD are encrypted with SOPS.',
    fix: 'Argo CD decrypts nothing itself: it would apply the encrypted values as they are. Use a config management plugin that runs `sops decrypt`, and accept this finding; or keep such Secrets out of the build, for example with ExternalSecrets.',
    message: (args: EncryptedArgs) => `${describeEncrypted(args)}, which Argo CD decrypts only with a plugin`,
    hint: () => 'accept this finding if Argo CD has such a plugin',
  },
  'sync-wave-encrypted': {
    summary: 'An object that is encrypted with SOPS needs an Argo CD sync wave.',
    fix: 'Add the annotation to the file itself with `sops edit`. kurel cannot add it, because SOPS could not decrypt the object then.',
    message: ({ object, wave }: { readonly object: string; readonly wave: string }) =>
      `${object} needs sync wave ${wave} for its phase, but it is encrypted with SOPS and must not be changed`,
    hint: ({ wave }: { readonly wave: string }) =>
      `add the annotation argocd.argoproj.io/sync-wave: "${wave}" to its file with "sops edit"`,
  },
  'flux-source-kind': {
    summary: 'Flux cannot read from the kind of source.',
    fix: sentence`Pass \`${setting('fluxSource')}\` with one of the kinds GitRepository, OCIRepository, Bucket or ExternalArtifact.`,
    message: ({ source, kind }: { readonly source: string; readonly kind: string }) =>
      `${quote(source)} is not a valid Flux source: unknown kind ${quote(kind)}`,
    hint: ({ kind, kinds }: { readonly kind: string; readonly kinds: readonly string[] }) =>
      didYouMean(nearest(kind, kinds)) ?? `use one of ${kinds.join(', ')}`,
  },
}));
