import { escapeControls, nearest, quote } from '../diagnostics/index.ts';
import { describeObject, listAt, mappingAt, nameOf, numberAt, pluralOf, textAt } from '../kube/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { checkDuplicateRoutes } from './duplicate-routes.ts';
import { checkDuplicateSecrets } from './duplicate-secrets.ts';
import { followReference } from './follow-reference.ts';
import { createObjectTable } from './object-table.ts';
import type { PackageCheck } from './object-table.ts';
import { checkReferences } from './package-references.ts';
import { checkPolicyPorts, checkServices, describePort } from './package-services.ts';
import type { Subject } from './subject.ts';

/** Checks references between objects. Returns the namespaces that the build uses but does not create, if nothing else looks wrong with them. */
export function checkPackage(subjects: readonly Subject[], given: Omit<PackageCheck, 'table'>): readonly string[] {
  const all = given.dropped.length === 0 ? subjects : [...subjects, ...given.dropped];
  const check = { ...given, table: createObjectTable(all) };
  checkIdentities(check);
  const elsewhere = checkNamespaces(subjects, check);
  checkDuplicateRoutes(subjects, check);
  checkDuplicateSecrets(subjects, check);
  for (const subject of subjects) {
    checkReferences(subject, check);
    checkServices(subject, check);
    checkPolicyPorts(subject, check);
    checkRoutes(subject, check);
    if (given.inPackage) checkAdvice(subject, check);
  }
  return elsewhere;
}

/** Objects with the same identity in a cluster. */
function checkIdentities({ findings, inPackage, table, dropped }: PackageCheck): void {
  for (const [subject, first] of table.duplicates) {
    if (dropped.includes(subject)) continue;
    const { object } = subject;
    const related = [{ message: 'the first one is here', object: first, path: ['metadata', 'name'] }];
    findings.add(object, { path: ['metadata', 'name'], related }, [
      'object-duplicate',
      { object: describeObject(object), pair: inPackage ? describePair(subject) : undefined },
    ]);
  }
}

function describePair({ gvk, namespace, name }: Subject): string {
  const where = namespace === '' ? '' : ` in namespace '${namespace}'`;
  return escapeControls(`Two ${pluralOf(gvk.kind)} named '${name}'${where}`);
}

/** Objects that a cluster accepts, but that are most likely a mistake of the package author. */
function checkAdvice(subject: Subject, check: PackageCheck): void {
  if (subject.gvk.group !== '') return;
  const { kind } = subject.gvk;
  if (kind === 'ConfigMap') checkData(subject, check, ['data', 'binaryData']);
  else if (kind === 'Secret') checkSecret(subject, check);
  else if (kind === 'Service') checkSelector(subject, check);
}

function checkSecret(subject: Subject, check: PackageCheck): void {
  const { object } = subject;
  // The token controller of the cluster fills these.
  if (object['type'] === 'kubernetes.io/service-account-token') return;
  checkData(subject, check, ['data', 'stringData']);
  if (!isFilled(subject, 'stringData')) return;
  check.findings.add(object, { path: ['stringData'], at: 'key' }, [
    'secret-in-clear',
    { object: describeObject(object) },
  ]);
}

function checkData(subject: Subject, { findings }: PackageCheck, fields: readonly string[]): void {
  const { object } = subject;
  if (fields.some((field) => isFilled(subject, field))) return;
  findings.add(object, { path: ['metadata', 'name'] }, ['data-missing', { object: describeObject(object), fields }]);
}

function isFilled({ object }: Subject, field: string): boolean {
  return Object.keys(mappingAt(object, field) ?? {}).length > 0;
}

function checkSelector({ object }: Subject, { findings }: PackageCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined || spec['type'] === 'ExternalName') return;
  if (Object.keys(mappingAt(spec, 'selector') ?? {}).length > 0) return;
  findings.add(object, { path: ['spec'], at: 'key' }, ['service-without-selector', { object: describeObject(object) }]);
}

/**
 * Reports used namespaces that are not created and look misspelled, and returns the others. A build without any Namespace object
 * is for existing namespaces. Every cluster has `default` and the `kube-` namespaces.
 */
function checkNamespaces(
  subjects: readonly Subject[],
  { store, findings, inPackage, namespacesElsewhere, dropped }: PackageCheck,
): readonly string[] {
  const created = new Set(namesCreated(subjects).concat(namesCreated(dropped)));
  if (!inPackage && created.size === 0) return [];
  const used = new Map<string, Subject[]>();
  const elsewhere: string[] = [];
  for (const subject of subjects) {
    const { namespace } = subject;
    if (namespace === '' || namespace === 'default' || namespace.startsWith('kube-')) continue;
    const users = used.get(namespace);
    if (users === undefined) used.set(namespace, [subject]);
    else users.push(subject);
  }
  for (const [namespace, all] of used) {
    if (created.has(namespace) || namespacesElsewhere.includes(namespace)) continue;
    // `namespace-not-used` reports the namespace of a cluster-scoped object.
    const users = all.filter(({ gvk }) => store.find(gvk)?.scope !== 'Cluster');
    if (users.length === 0) continue;
    const near = nearest(namespace, [...created]);
    if (!inPackage && near === undefined) elsewhere.push(namespace);
    else {
      findings.add(users[0]!.object, { path: ['metadata', 'namespace'] }, [
        'namespace-missing',
        { namespace, count: users.length, near, inPackage },
      ]);
    }
  }
  return elsewhere;
}

function namesCreated(subjects: readonly Subject[]): readonly string[] {
  return subjects.flatMap(({ gvk, name }) => (gvk.kind === 'Namespace' && gvk.group === '' ? [name] : []));
}

/** The backend Services of Ingresses and Gateway API routes, and their ports. */
function checkRoutes(subject: Subject, check: PackageCheck): void {
  const { group, kind } = subject.gvk;
  if (group === 'networking.k8s.io' && kind === 'Ingress') {
    for (const backend of ingressBackends(subject)) checkBackend(subject.object, backend, check);
  }
  if (group === 'gateway.networking.k8s.io' && kind.endsWith('Route')) {
    for (const backend of routeBackends(subject)) checkBackend(subject.object, backend, check);
  }
}

interface Backend {
  readonly name: string;
  readonly namePath: Path;
  readonly namespace: string;
  readonly port: string | number | undefined;
  readonly portPath: Path;
}

function* ingressBackends({ object, namespace }: Subject): Generator<Backend> {
  const spec = mappingAt(object, 'spec');
  const read = (backend: Json | undefined, path: Path): readonly Backend[] => {
    const service = mappingAt(backend, 'service');
    const name = textAt(service, 'name');
    if (name === undefined) return [];
    const port = mappingAt(service, 'port');
    const number = numberAt(port, 'number');
    return [
      {
        name,
        namePath: [...path, 'service', 'name'],
        namespace,
        port: number ?? textAt(port, 'name'),
        portPath: [...path, 'service', 'port', number === undefined ? 'name' : 'number'],
      },
    ];
  };
  yield* read(mappingAt(spec, 'defaultBackend'), ['spec', 'defaultBackend']);
  for (const [index, rule] of listAt(spec, 'rules').entries()) {
    for (const [position, entry] of listAt(mappingAt(rule, 'http'), 'paths').entries()) {
      yield* read(mappingAt(entry, 'backend'), ['spec', 'rules', index, 'http', 'paths', position, 'backend']);
    }
  }
}

function* routeBackends({ object, namespace }: Subject): Generator<Backend> {
  for (const [index, rule] of listAt(mappingAt(object, 'spec'), 'rules').entries()) {
    for (const [position, reference] of listAt(rule, 'backendRefs').entries()) {
      const name = textAt(reference, 'name');
      const isService = (textAt(reference, 'kind') ?? 'Service') === 'Service' && !textAt(reference, 'group');
      if (name === undefined || !isService) continue;
      const path = ['spec', 'rules', index, 'backendRefs', position];
      yield {
        name,
        namePath: [...path, 'name'],
        namespace: textAt(reference, 'namespace') ?? namespace,
        port: numberAt(reference, 'port'),
        portPath: [...path, 'port'],
      };
    }
  }
}

function checkBackend(object: KubeObject, backend: Backend, check: PackageCheck): void {
  const { name, namespace, port } = backend;
  const target = { group: '', kind: 'Service', namespace, name };
  const service = followReference({ object, path: backend.namePath, target }, check);
  // An object from which a controller creates the Service does not list its ports.
  const spec = service?.kind === 'Service' ? mappingAt(service, 'spec') : undefined;
  if (service === undefined || spec === undefined || port === undefined || spec['type'] === 'ExternalName') return;
  const ports = listAt(spec, 'ports');
  const isThere = ports.some((one) =>
    typeof port === 'number' ? numberAt(one, 'port') === port : textAt(one, 'name') === port,
  );
  if (isThere) return;
  check.findings.add(
    object,
    {
      path: backend.portPath,
      related: [{ message: 'the ports of the Service are here', object: service, path: ['spec', 'ports'] }],
    },
    [
      'port-missing',
      {
        port: typeof port === 'string' ? quote(port) : String(port),
        holder: `Service ${quote(nameOf(service))}`,
        known: ports.flatMap(describePort),
        names: ports.flatMap((one) => textAt(one, 'name') ?? []),
      },
    ],
  );
}
