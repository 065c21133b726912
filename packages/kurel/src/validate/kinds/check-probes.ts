import { checkPortName } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { containerPath } from '../pod-site.ts';
import type { ContainerSite } from '../pod-site.ts';
import { mappingAt, numberAt, presentOf } from '../read-fields.ts';
import { checkNumber, portRange } from './check-number.ts';
import type { KindCheck } from './kind-check.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const hooks = ['postStart', 'preStop'] as const;
const probeHandlers: readonly string[] = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const hookHandlers: readonly string[] = ['exec', 'httpGet', 'tcpSocket', 'sleep'];
const durations = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

/** Probes and lifecycle hooks; `names` are the ports that the container names. */
export function checkProbes(check: KindCheck, site: ContainerSite, names: readonly string[]): void {
  for (const name of probes) {
    const probe = mappingAt(site.container, name);
    if (probe === undefined) continue;
    const path = containerPath(site, name);
    checkHandler(check, { handler: probe, kinds: probeHandlers, path, names });
    for (const field of durations) checkNumber(check, probe, { path, name: field, least: 0 });
    // An answer that ends a container needs no second opinion, says the API server.
    const successes = name === 'readinessProbe' ? undefined : numberAt(probe, 'successThreshold');
    if (successes !== undefined && successes > 1) {
      check.findings.add(check.object, { path: [...path, 'successThreshold'] }, [
        'field-value',
        { field: '"successThreshold"', demand: `be 1 in a ${name}`, found: `is ${successes}` },
      ]);
    }
  }
  const lifecycle = mappingAt(site.container, 'lifecycle');
  if (lifecycle === undefined) return;
  for (const name of hooks) {
    const hook = mappingAt(lifecycle, name);
    if (hook !== undefined)
      checkHandler(check, { handler: hook, kinds: hookHandlers, path: containerPath(site, 'lifecycle', name), names });
  }
}

interface Handler {
  readonly handler: JsonObject;
  readonly kinds: readonly string[];
  readonly path: Path;
  readonly names: readonly string[];
}

function checkHandler(check: KindCheck, { handler, kinds, path, names }: Handler): void {
  const { object, findings } = check;
  const present = presentOf(handler, kinds);
  const holder = `"${path.at(-1)}"`;
  if (present.length > 1) {
    findings.add(object, { path: [...path, present[1]!], at: 'key' }, [
      'fields-exclusive',
      { holder, fields: present },
    ]);
  } else if (present.length === 0) {
    findings.add(object, { path, at: 'key' }, ['field-choice-missing', { holder, fields: kinds }]);
  }
  for (const kind of present) {
    const target = handler[kind];
    if (isJsonObject(target)) checkPort(check, target['port'], { path: [...path, kind, 'port'], names });
  }
}

function checkPort(check: KindCheck, port: Json | undefined, { path, names }: Pick<Handler, 'path' | 'names'>): void {
  const { object, findings } = check;
  if (typeof port === 'number') checkNumber(check, { port }, { path: path.slice(0, -1), name: 'port', ...portRange });
  if (typeof port !== 'string') return;
  const reason = checkPortName(port);
  if (reason !== undefined) findings.add(object, { path }, ['name-invalid', { what: 'port', text: port, reason }]);
  else if (!names.includes(port)) findings.add(object, { path }, ['port-unknown', { name: port, known: names }]);
}
