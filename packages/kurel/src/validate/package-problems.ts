import { escapeControls, nearest, quote } from '../diagnostics/index.ts';
import { listWords } from '../schema/index.ts';

export interface ReferenceArgs {
  /** `ConfigMap "web" in namespace "prod"` */
  readonly target: string;
  readonly name: string;
  /** Names of that kind in the namespace; there may be very many. */
  readonly known: () => readonly string[];
}

export interface KeyArgs {
  /** `ConfigMap "web" in namespace "prod"` */
  readonly target: string;
  readonly key: string;
  readonly known: readonly string[];
}

export interface PortArgs {
  readonly port: string;
  /** `Service "web"`, `the pods of Deployment "web"` */
  readonly holder: string;
  /** `"http" (8080)` */
  readonly known: readonly string[];
  readonly names: readonly string[];
}

export interface RouteArgs {
  /** Empty for all of them. */
  readonly host: string;
  readonly path: string;
  /** The other one. */
  readonly object: string;
}

export interface DuplicateArgs {
  readonly object: string;
  /** `Two Services named 'api' in namespace 'apps'`, which is how a report about a patch package says it. */
  readonly pair?: string | undefined;
}

export interface NamespaceArgs {
  readonly namespace: string;
  readonly count: number;
  readonly near: string | undefined;
  /** A patch package can make its namespaces itself, and its report has words of its own. */
  readonly inPackage: boolean;
}

const shownNames = 5;

/** What is wrong between objects. The set may be a part of what runs in a cluster, so most of it is a warning. */
export const packageProblems = {
  'object-duplicate': {
    severity: 'error',
    summary: 'Two objects have the same group, kind, namespace and name.',
    message: ({ object, pair }: DuplicateArgs) => pair ?? `${object} is there twice`,
    hint: () => 'rename one, or take it out: a cluster keeps only one of them',
  },
  'namespace-missing': {
    severity: 'warning',
    summary:
      'Objects are in a namespace that the package does not create, or whose name is close to one that is created.',
    message: ({ namespace, count, inPackage }: NamespaceArgs) =>
      inPackage
        ? `Resources use namespace '${escapeControls(namespace)}' but no Namespace resource found`
        : `namespace ${quote(namespace)} is used by ${count} object${count === 1 ? '' : 's'} but not created`,
    hint: ({ near, inPackage }: NamespaceArgs) =>
      inPackage || near === undefined
        ? 'Enable global.namespaces.create=true or create Namespace resource manually'
        : `did you mean ${quote(near)}?`,
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
      `make sure that ${namespaces.length === 1 ? 'it exists' : 'they exist'} in the cluster`,
  },
  'reference-missing': {
    severity: 'warning',
    summary: 'An object refers to another one that is not in the set.',
    message: ({ target }: ReferenceArgs) => `${target} is not among the objects`,
    hint: ({ name, known }: ReferenceArgs) => {
      const near = nearest(name, known());
      return near === undefined
        ? 'it must be there already, or the reference is wrong'
        : `did you mean ${quote(near)}?`;
    },
  },
  'reference-key-missing': {
    severity: 'warning',
    summary: 'A key is needed that a ConfigMap or Secret of the set does not have.',
    message: ({ target, key }: KeyArgs) => `${target} has no key ${quote(key)}`,
    hint: ({ key, known }: KeyArgs) => {
      const near = nearest(key, known);
      if (near !== undefined) return `did you mean ${quote(near)}?`;
      const more = known.length > shownNames ? ` and ${known.length - shownNames} more` : '';
      return `it has ${listWords(known.slice(0, shownNames).map(quote), 'and')}${more}`;
    },
  },
  'port-missing': {
    severity: 'warning',
    summary: 'A port is referred to that a Service, or the pods behind it, do not have.',
    message: ({ port, holder }: PortArgs) => `${holder} has no port ${port}`,
    hint: ({ port, known, names }: PortArgs) => {
      if (known.length === 0) return undefined;
      const near = nearest(port.replaceAll('"', ''), names);
      return near === undefined ? `it has ${listWords(known, 'and')}` : `did you mean ${quote(near)}?`;
    },
  },
  'route-duplicate': {
    severity: 'warning',
    summary: 'Two Ingresses or HTTPRoutes are for the same host and path.',
    message: ({ host, path, object }: RouteArgs) =>
      `${object} routes path ${quote(path)} of ${host === '' ? 'every host' : `host ${quote(host)}`} as well`,
    hint: () => 'change the host or path of one: which of the two gets the requests is up to the controller',
  },
  'selector-without-pods': {
    severity: 'warning',
    summary: 'A selector matches none of the pods that the set makes.',
    message: ({ selector }: { readonly selector: string }) =>
      `no pods of the set match the selector ${quote(selector)}`,
    hint: ({ near }: { readonly near: string | undefined }) => near,
  },
  'namespaces-several': {
    severity: 'note',
    summary: 'In a patch package: its objects are put into more than one namespace.',
    message: ({ count }: { readonly count: number }) => `Resources span ${count} namespaces`,
  },
  'data-missing': {
    severity: 'note',
    summary: 'In a patch package: a ConfigMap or Secret holds nothing.',
    message: ({ object }: { readonly object: string }) => `${object} holds no data`,
    hint: ({ fields }: { readonly fields: readonly string[] }) => `give it ${listWords(fields.map(quote), 'or')}`,
  },
  'secret-in-clear': {
    severity: 'warning',
    summary: 'In a patch package: a Secret has its values in clear text.',
    message: ({ object }: { readonly object: string }) => `${object} has its values in clear text, as "stringData"`,
    hint: () => 'encrypt the file, or let the cluster fetch the values, as external-secrets does',
  },
  'service-without-selector': {
    severity: 'warning',
    summary:
      'In a patch package: a Service has no selector, so nothing is behind it unless somebody makes its endpoints.',
    message: ({ object }: { readonly object: string }) => `${object} has no selector`,
    hint: () => 'give it the labels of the pods it is for',
  },
} as const;
