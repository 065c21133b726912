import {
  countNoun,
  defineProblems,
  didYouMean,
  escapeControls,
  listFirst,
  nearest,
  pass,
  quote,
  sentence,
} from '../diagnostics/index.ts';
import { kindProblems } from './kinds/problems.ts';
import type { Texts } from './kinds/problems.ts';
import { listWords, valueProblems } from '../schema/index.ts';

interface ReferenceArgs {
  /** `ConfigMap "web" in namespace "prod"` */
  readonly target: string;
  readonly name: string;
  /** Names of that kind in the namespace. A function because there may be thousands. */
  readonly candidates: () => readonly string[];
}

interface PortArgs {
  readonly port: string;
  /** `Service "web"`, `the pods of Deployment "web"` */
  readonly holder: string;
  /** `"http" (8080)` */
  readonly exposed: readonly string[];
  readonly names: readonly string[];
}

interface NamespaceArgs {
  readonly namespace: string;
  readonly count: number;
  readonly near: string | undefined;
  /** The report about a patch package prescribes its own sentence, because kurel can create the namespaces of a package. */
  readonly inPackage: boolean;
}

const shownNames = 5;

/** `use "a"`, `use one of "a", "b" or "c"`, `use one of "a", "b" and 7 more`. */
function adviseOneOf(names: readonly string[]): string {
  if (names.length > shownNames) return `use one of ${listFirst(names, shownNames)}`;
  return `use ${names.length > 2 ? 'one of ' : ''}${listWords(names, 'or')}`;
}

/** Problems between objects. Most are warnings because the rest of the cluster is not visible here. */
const packageProblems = {
  'object-duplicate': {
    summary: 'Two objects have the same API group, kind, namespace and name.',
    // The report about a patch package prescribes its own sentence: `Two Services named 'api' in namespace 'apps'`.
    message: ({ object, pair }: Texts<'object'> & { readonly pair?: string | undefined }) =>
      pair ?? `duplicate ${object}`,
    hint: () => 'rename or remove one of them: a cluster keeps only one',
    fix: 'Rename or remove one of the two objects. A cluster stores one object for each kind, namespace and name, so the second would overwrite the first.',
  },
  'namespace-missing': {
    severity: 'warning',
    summary:
      'Objects are in a namespace that a patch package does not create, or whose name is almost the same as one that the build creates.',
    message: ({ namespace, count, inPackage }: NamespaceArgs) =>
      inPackage
        ? `Resources use namespace '${escapeControls(namespace)}' but no Namespace resource found`
        : `namespace ${quote(namespace)} is used by ${countNoun(count, 'object')} but is not created`,
    hint: ({ near, inPackage }: NamespaceArgs) =>
      (inPackage ? undefined : didYouMean(near)) ??
      'Enable global.namespaces.create=true or create Namespace resource manually',
    fix: 'Correct metadata.namespace, or add a Namespace object. In a patch package, set global.namespaces.create to true in parameters.yaml to let kurel create the Namespace objects.',
  },
  'namespaces-elsewhere': {
    severity: 'note',
    summary: 'Objects are in namespaces that the build does not create, although it creates others.',
    message: ({ namespaces }: { readonly namespaces: readonly string[] }) => {
      const named = listWords(namespaces.slice(0, shownNames).map(quote), 'and');
      const more = namespaces.length > shownNames ? ` and ${namespaces.length - shownNames} more` : '';
      return namespaces.length === 1
        ? `namespace ${named} is used but not created`
        : `namespaces ${named}${more} are used but not created`;
    },
    hint: ({ namespaces }: { readonly namespaces: readonly string[] }) =>
      `make sure ${namespaces.length === 1 ? 'it exists' : 'they exist'} in the cluster`,
    fix: 'Add the Namespace objects to the build, or make sure the namespaces exist in the cluster before you apply.',
  },
  'reference-missing': {
    severity: 'warning',
    summary: 'An object refers to another object that is not part of the build.',
    message: ({ target }: ReferenceArgs) => `${target} does not exist in this build`,
    hint: ({ name, candidates }: ReferenceArgs) =>
      didYouMean(nearest(name, candidates())) ?? 'create it in this build, or make sure it exists in the cluster',
    fix: 'Correct the name, or add the missing object to the build. If it already exists in the cluster, the reference works and you can accept the warning.',
  },
  'reference-created-later': {
    severity: 'note',
    summary:
      'An object refers to a Secret or ConfigMap that is not part of the build, but that a workload of the build may create.',
    message: ({ target, creator }: Texts<'target' | 'creator'>) =>
      `${target} does not exist in this build, but ${creator} has its name in a command, and may create it`,
    fix: 'If the workload creates the object, nothing is to do. Otherwise correct the name, or add the missing object to the build.',
  },
  'reference-later-phase': {
    severity: 'warning',
    summary: 'A Job, or another object that its install phase waits for, needs an object of a later phase.',
    message: ({ target, kind, phase, later }: Texts<'target' | 'kind' | 'phase' | 'later'>) =>
      `the ${kind} in phase ${phase} needs ${target}, which is applied later, in phase ${later}`,
    hint: ({ phase }: Texts<'phase'>) =>
      `move it to the same phase with the annotation "kurel.gokure.dev/install-phase: ${phase}"`,
    fix: 'Move the object that is needed to the same or an earlier phase with the annotation `kurel.gokure.dev/install-phase`, or add it to the job itself. Otherwise the phase waits for pods that cannot start, and the later phase never begins.',
  },
  'reference-key-missing': {
    severity: 'warning',
    summary: 'An object uses a key that a ConfigMap or Secret of the build does not have.',
    message: ({ target, key }: Texts<'target' | 'key'>) => `${target} has no key ${quote(key)}`,
    hint: ({ key, keys }: Texts<'key'> & { readonly keys: readonly string[] }) =>
      didYouMean(nearest(key, keys)) ?? adviseOneOf(keys.map(quote)),
    fix: 'Add the key to the ConfigMap or Secret, or use a key that it has. A pod does not start while a key is missing, unless the reference is optional.',
  },
  'port-missing': {
    severity: 'warning',
    summary: 'An Ingress, a route, a Service or a NetworkPolicy uses a port that its Service or pods do not expose.',
    message: ({ port, holder }: PortArgs) => `port ${port} is not exposed by ${holder}`,
    hint: ({ port, exposed, names }: PortArgs) => {
      if (exposed.length === 0) return undefined;
      return didYouMean(nearest(port.replaceAll('"', ''), names)) ?? adviseOneOf(exposed);
    },
    fix: 'For a backend of an Ingress or route, use a port of the Service. For a Service, set targetPort to a port name or port of its pods, or add the port to the container. For a NetworkPolicy, use a port name of its pods or a number.',
  },
  'port-undeclared': {
    severity: 'note',
    summary: 'The numeric targetPort of a Service, or a port of a headless Service, is not declared by its pods.',
    message: ({ port, holder }: PortArgs) => `port ${port} is not declared by ${holder}`,
    hint: ({ exposed }: PortArgs) => (exposed.length === 0 ? undefined : adviseOneOf(exposed)),
    fix: 'Make sure that a container listens on the port. If it does, you can declare the port in `ports` of the container; Kubernetes does not require it.',
  },
  'route-duplicate': {
    severity: 'warning',
    summary: 'Two Ingresses or HTTPRoutes have the same host and path.',
    message: ({ host, path, object }: Texts<'host' | 'path' | 'object'>) =>
      `path ${quote(path)} on ${host === '' ? 'every host' : `host ${quote(host)}`} is already routed by ${object}`,
    hint: () => 'change the host or path of one of them: the controller decides which one gets the requests',
    fix: 'Change the host or the path of one of the two objects, or merge their rules into one object.',
  },
  'certificate-secret-duplicate': {
    severity: 'warning',
    summary: 'Two Certificates of cert-manager have the same Secret.',
    message: ({ secret, object }: Texts<'secret' | 'object'>) => `Secret ${quote(secret)} is already used by ${object}`,
    hint: () => 'change "secretName" of one of them: cert-manager does not issue both',
    fix: 'Give each Certificate a Secret of its own, or merge their dnsNames into one Certificate. cert-manager fills a Secret from only one of them.',
  },
  'selector-without-pods': {
    severity: 'warning',
    summary: 'A selector matches none of the pods in the build.',
    message: ({ selector }: Texts<'selector'>) => `selector ${quote(selector)} matches no pods in this build`,
    hint: ({ near }: { readonly near: string | undefined }) => near,
    fix: 'Make the selector match the labels of the pod template, and put the selecting object in the namespace of the pods. If the pods come from elsewhere, you can accept the warning.',
  },
  'namespaces-several': {
    severity: 'note',
    summary: 'In a patch package: the objects are in more than one namespace.',
    message: ({ count }: { readonly count: number }) => `Resources span ${count} namespaces`,
    fix: sentence`Nothing to do if this is what you want. Otherwise use the same metadata.namespace in all resources, or ${pass('namespace', 'NAME')}.`,
  },
  'data-missing': {
    severity: 'note',
    summary: 'In a patch package: a ConfigMap or Secret is empty.',
    message: ({ object }: Texts<'object'>) => `${object} has no data`,
    hint: ({ fields }: { readonly fields: readonly string[] }) => `add ${listWords(fields.map(quote), 'or')}`,
    fix: 'Add the data, or remove the object. Nothing to do if a controller fills it in the cluster.',
  },
  'secret-in-clear': {
    severity: 'warning',
    summary: 'In a patch package: a Secret has clear-text values.',
    message: ({ object }: Texts<'object'>) => `${object} has clear-text values in "stringData"`,
    hint: () => 'encrypt the file, or use an operator such as External Secrets',
    fix: 'Remove the values from the package. Encrypt the file, for example with SOPS, or replace the Secret by an ExternalSecret or SealedSecret.',
  },
  'service-without-selector': {
    severity: 'warning',
    summary:
      'In a patch package: a Service has no selector, so it has no endpoints unless something else creates them.',
    message: ({ object }: Texts<'object'>) => `${object} has no selector`,
    hint: () => 'add "selector" with the labels of its pods',
    fix: 'Add spec.selector with the labels of the pod template. Nothing to do if you create the Endpoints or EndpointSlices yourself.',
  },
} as const;

const encryptionProblems = {
  'sops-unidentified': {
    summary: 'SOPS has encrypted the apiVersion, kind, name or namespace of an object.',
    message: ({ field }: Texts<'field'>) =>
      `${quote(field)} is encrypted with SOPS, so nothing can be done with the object`,
    hint: () => "encrypt the file again with --encrypted-regex '^(data|stringData)$'",
    fix: "Leave what identifies an object readable, for kurel as well as for Flux: `sops encrypt --encrypted-regex '^(data|stringData)$'`, or the same as `encrypted_regex` in `.sops.yaml`.",
  },
  'sops-metadata-missing': {
    summary: 'A value is encrypted with SOPS, but its object has no metadata of SOPS.',
    message: ({ field, object }: Texts<'field' | 'object'>) =>
      `${quote(field)} of ${object} is encrypted with SOPS, but without the metadata "sops" nothing decrypts it`,
    hint: () => 'encrypt the file of the object as a whole, or set a decrypted value',
    fix: 'The value was copied from an encrypted file, or comes from encrypted values or patches. Encrypt the object itself with `sops encrypt`, or decrypt what the value comes from before the build.',
  },
  'sops-not-checked': {
    severity: 'note',
    summary: 'Values that are encrypted with SOPS were not checked.',
    message: ({ values, objects }: { readonly values: number; readonly objects: number }) =>
      `${countNoun(values, 'encrypted value')} of ${countNoun(objects, 'object')} ${values === 1 ? 'was' : 'were'} not checked`,
    hint: () =>
      'Flux decrypts them if spec.decryption is set; for kubectl apply, write each object to a file of its own and decrypt it',
    fix: 'Nothing to do. kurel has no keys: it checks everything that is readable, and writes encrypted objects as they are.',
  },
} as const;

/** All problems of objects: their fields, the rules of their kind, and their references to one another. */
export const validateProblems = defineProblems(() => ({
  ...valueProblems.definitions,
  'rule-failed': {
    summary: 'A value violates a rule of its CustomResourceDefinition (x-kubernetes-validations).',
    message: ({ field, message }: { readonly field: string; readonly message: string }) =>
      `${field} is not valid: ${message}`,
    hint: ({ rule, message }: { readonly rule: string; readonly message: string }) =>
      message.includes(rule) ? undefined : `satisfy the rule ${rule}`,
    fix: 'Change the value so that the CEL expression of the rule is true. The API server evaluates the same rule and rejects the object.',
  },
  ...kindProblems,
  ...encryptionProblems,
  ...packageProblems,
}));
