import { checkPortName, containerPath, has, listAt, mappingAt, numberAt, presentOf, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import type { ContainerSite } from '../../kube/index.ts';
import { missingField } from '../../schema/index.ts';
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
const grace = 'terminationGracePeriodSeconds';
const usualGrace = 30;

/** Probes and lifecycle hooks; `names` are the ports that the container names. */
export function checkProbes(check: KindCheck, site: ContainerSite, names: readonly string[]): void {
  if (site.list === 'initContainers' && site.container['restartPolicy'] !== 'Always') {
    refuseProbes(check, site);
    return;
  }
  for (const name of probes) {
    const probe = mappingAt(site.container, name);
    if (probe === undefined) continue;
    const path = containerPath(site, name);
    checkHandler(check, { handler: probe, kinds: probeHandlers, path, names });
    for (const field of durations) checkNumber(check, probe, { path, name: field, least: 0 });
    if (name === 'readinessProbe') checkReadiness(check, probe, path);
    else checkEnding(check, probe, path);
  }
  const lifecycle = mappingAt(site.container, 'lifecycle');
  if (lifecycle === undefined) return;
  for (const name of hooks) {
    const hook = mappingAt(lifecycle, name);
    if (hook === undefined) continue;
    const path = containerPath(site, 'lifecycle', name);
    checkHandler(check, { handler: hook, kinds: hookHandlers, path, names });
    // What is no grace period has been reported.
    const most = has(site.pod.spec, grace) ? numberAt(site.pod.spec, grace) : usualGrace;
    // No pause at all is one from 1.33 on.
    const least = check.minor >= 33 ? 0 : 1;
    if (most !== undefined && most >= 0)
      checkNumber(check, hook['sleep'], { path: [...path, 'sleep'], name: 'seconds', least, most, isLong: true });
  }
}

/** Containers that are to end before the others start are not watched. */
function refuseProbes({ object, findings }: KindCheck, site: ContainerSite): void {
  for (const name of presentOf(site.container, [...probes, 'lifecycle'])) {
    const demand = 'must be left out of an init container unless its "restartPolicy" is Always';
    findings.add(object, { path: containerPath(site, name), at: 'key' }, ['field-enum', { field: name, demand }]);
  }
}

function checkReadiness({ object, findings }: KindCheck, probe: JsonObject, path: Path): void {
  if (!has(probe, grace)) return;
  findings.add(object, { path: [...path, grace], at: 'key' }, [
    'field-enum',
    { field: grace, demand: 'must be left out of a readinessProbe, which ends nothing' },
  ]);
}

/** A probe that ends its container. */
function checkEnding(check: KindCheck, probe: JsonObject, path: Path): void {
  checkNumber(check, probe, { path, name: grace, least: 1, isLong: true });
  // An answer that ends a container needs no second opinion, says the API server.
  const successes = numberAt(probe, 'successThreshold');
  if (successes === undefined || successes <= 1) return;
  check.findings.add(check.object, { path: [...path, 'successThreshold'] }, [
    'field-enum',
    { field: 'successThreshold', demand: `must be 1 in a ${path.at(-1)}`, found: String(successes) },
  ]);
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
    if (!isJsonObject(target)) continue;
    checkPort(check, target['port'], { path: [...path, kind, 'port'], names });
    if (kind === 'exec' && listAt(target, 'command').length === 0) {
      findings.add(object, { path: [...path, kind, 'command'] }, [
        'field-required',
        missingField({ name: 'command', holder: 'exec', expected: 'a list' }),
      ]);
    }
    if (kind === 'httpGet') checkHeaders(check, target, [...path, kind]);
  }
}

function checkHeaders({ object, findings }: KindCheck, target: JsonObject, path: Path): void {
  listAt(target, 'httpHeaders').forEach((header, index) => {
    const name = textAt(header, 'name');
    if (name === undefined || /^[-A-Za-z0-9]+$/.test(name)) return;
    const reason = name === '' ? 'must not be empty' : 'must have only letters, digits and "-"';
    findings.add(object, { path: [...path, 'httpHeaders', index, 'name'] }, [
      'name-invalid',
      { what: 'header', text: name, reason },
    ]);
  });
}

function checkPort(check: KindCheck, port: Json | undefined, { path, names }: Pick<Handler, 'path' | 'names'>): void {
  const { object, findings } = check;
  if (typeof port === 'number') checkNumber(check, { port }, { path: path.slice(0, -1), name: 'port', ...portRange });
  if (typeof port !== 'string') return;
  const reason = checkPortName(port);
  if (reason !== undefined)
    findings.add(object, { path }, ['name-invalid', { what: 'port', text: port, reason, rule: checkPortName }]);
  else if (!names.includes(port)) findings.add(object, { path }, ['port-unknown', { name: port, known: names }]);
}
