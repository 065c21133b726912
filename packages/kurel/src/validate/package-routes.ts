import { quote } from '../diagnostics/index.ts';
import { listAt, mappingAt, nameOf, numberAt, textAt } from '../kube/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { followReference } from './follow-reference.ts';
import type { PackageCheck } from './object-table.ts';
import { describePort } from './package-services.ts';
import type { Subject } from './subject.ts';

/** Services behind Ingresses and the routes of Gateway API, and the ports that are asked of them. */
export function checkRoutes(subject: Subject, check: PackageCheck): void {
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
  // What makes a Service says nothing about its ports.
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
