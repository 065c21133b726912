import { nearest, quote } from '../../diagnostics/index.ts';
import {
  checkDnsSubdomain,
  checkEnvVarName,
  checkPortName,
  containerPath,
  has,
  listAt,
  mappingAt,
  numberAt,
  presentOf,
  textAt,
} from '../../kube/index.ts';
import type { ContainerSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path, Values } from '../../model/index.ts';
import { formatReferencePath } from '../../parameters/index.ts';
import { missingField } from '../../schema/index.ts';
import { checkEnvSources } from './check-env-sources.ts';
import { checkFieldRules } from './field-rules.ts';
import { containerRules } from './pod-rules.ts';
import { checkNumber, portRange } from './read-amount.ts';
import { checkContainerResources } from './check-resources.ts';
import { checkContainerSecurity } from './check-security.ts';
import type { KindCheck } from './kind-check.ts';

/** Checks the rules of the API server for a container; `volumes` are the names of the volumes of its pod. */
export function checkContainer(check: KindCheck, site: ContainerSite, volumes: ReadonlySet<string>): void {
  checkFieldRules(check, site.container, { rule: containerRules, path: containerPath(site) });
  checkImage(check, site);
  const names = checkPorts(check, site);
  checkEnv(check, site);
  checkMounts(check, site, volumes);
  checkContainerResources(check, site);
  checkProbes(check, site, names);
  checkContainerSecurity(check, site);
}

function checkImage({ object, gvk, findings, parameters }: KindCheck, site: ContainerSite): void {
  const { image } = site.container;
  const placeholder = typeof image === 'string' ? placeholderPattern.exec(image)?.[0] : undefined;
  if (typeof image === 'string' && placeholder !== undefined) {
    // Outside of a package, Flux or another program may replace it later.
    const severity = parameters === undefined ? ('warning' as const) : ('error' as const);
    findings.add(object, { path: containerPath(site, 'image'), severity }, [
      'image-placeholder',
      { image, placeholder, near: findMeant(placeholder, parameters), isOwn: parameters !== undefined },
    ]);
  }
  if (typeof image === 'string' && image.trim() !== image) {
    // The API server checks the image of a template only when it creates the pods.
    const severity = gvk.kind === 'Pod' ? 'error' : 'warning';
    findings.add(object, { path: containerPath(site, 'image'), severity }, [
      'field-format',
      { field: 'image', demand: 'must not have leading or trailing whitespace', found: quote(image) },
    ]);
  }
  if (image !== undefined && image !== null && image !== '') return;
  findings.add(object, { path: containerPath(site, 'image') }, [
    'field-required',
    missingField({
      name: 'image',
      holder: `container ${quote(textAt(site.container, 'name') ?? '')}`,
      expected: 'a string',
    }),
  ]);
}

/** Image references never contain these characters. */
const placeholderPattern = /\$\{[^}]*\}?|\$\([^)]*\)?|\$\w*|\{\{.*?(?:\}\}|$)/;

/** The parameter whose name is that of the placeholder, or close to it: `${tagg}`, `$tag` or `{{ .Values.tag }}`. */
function findMeant(placeholder: string, parameters: Values = {}): string | undefined {
  const words = /[A-Za-z_][\w.-]*/.exec(placeholder)?.[0].replace(/^(?:Values|values)\./, '');
  let value: Json = parameters;
  const path: string[] = [];
  for (const word of words?.split('.') ?? []) {
    if (!isJsonObject(value)) return undefined;
    const key: string | undefined = Object.hasOwn(value, word) ? word : nearest(word, Object.keys(value));
    if (key === undefined) return undefined;
    path.push(key);
    value = value[key]!;
  }
  return path.length === 0 || typeof value === 'object' ? undefined : formatReferencePath(path);
}

/** Returns the names of the ports. */
function checkPorts(check: KindCheck, site: ContainerSite): readonly string[] {
  const { object, findings } = check;
  const names: string[] = [];
  listAt(site.container, 'ports').forEach((port, index) => {
    const path = [...site.pod.specPath, site.list, site.index, 'ports', index];
    checkNumber(check, port, { path, name: 'containerPort', ...portRange });
    checkNumber(check, port, { path, name: 'hostPort', least: 0, most: portRange.most });
    checkHostPort(check, site, index);
    const name = textAt(port, 'name');
    if (name === undefined || name === '') return;
    const reason = checkPortName(name);
    if (reason !== undefined)
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'port name', text: name, reason, rule: checkPortName },
      ]);
    const first = names.indexOf(name);
    if (first !== -1) {
      findings.add(object, { path: [...path, 'name'] }, [
        'list-duplicate',
        { list: 'ports', what: `port name ${quote(name)}` },
      ]);
    }
    names.push(name);
  });
  return names;
}

/** On the network of the node a container cannot map a port to another one. */
function checkHostPort({ object, findings }: KindCheck, site: ContainerSite, index: number): void {
  if (site.pod.spec['hostNetwork'] !== true || site.list !== 'containers') return;
  const port = listAt(site.container, 'ports')[index];
  const [inside, outside] = [numberAt(port, 'containerPort'), numberAt(port, 'hostPort')];
  if (outside === undefined || outside === 0 || inside === outside) return;
  const demand = `must match "containerPort" (${inside}) when hostNetwork is true`;
  const args = { field: 'hostPort', demand, found: String(outside) };
  findings.add(object, { path: containerPath(site, 'ports', index, 'hostPort') }, ['field-enum', args]);
}

function checkMounts({ object, findings }: KindCheck, site: ContainerSite, volumes: ReadonlySet<string>): void {
  listAt(site.container, 'volumeMounts').forEach((mount, index) => {
    const name = textAt(mount, 'name');
    if (name !== undefined && !volumes.has(name)) reportVolume(index, name, 'volumeMounts');
    checkMount({ object, findings }, site, index);
    if (textAt(mount, 'subPath') && textAt(mount, 'subPathExpr')) {
      findings.add(object, { path: containerPath(site, 'volumeMounts', index, 'subPathExpr'), at: 'key' }, [
        'fields-exclusive',
        { holder: `"volumeMounts[${index}]"`, fields: ['subPath', 'subPathExpr'] },
      ]);
    }
  });
  listAt(site.container, 'volumeDevices').forEach((device, index) => {
    const name = textAt(device, 'name');
    if (name !== undefined && !volumes.has(name)) reportVolume(index, name, 'volumeDevices');
  });

  function reportVolume(index: number, name: string, list: string): void {
    findings.add(object, { path: containerPath(site, list, index, 'name') }, [
      'volume-unknown',
      { name, known: [...volumes] },
    ]);
  }
}

/** The mount options of a volume. */
function checkMount(
  { object, findings }: Pick<KindCheck, 'object' | 'findings'>,
  site: ContainerSite,
  index: number,
): void {
  const mount = listAt(site.container, 'volumeMounts')[index];
  if (!isJsonObject(mount)) return;
  const refuse = (field: string, demand: string): void =>
    findings.add(object, { path: containerPath(site, 'volumeMounts', index, field) }, [
      'field-enum',
      { field, demand },
    ]);
  if (
    mount['mountPropagation'] === 'Bidirectional' &&
    mappingAt(site.container, 'securityContext')?.['privileged'] !== true
  )
    refuse('mountPropagation', 'may be Bidirectional only in privileged containers');
  const recursive = textAt(mount, 'recursiveReadOnly') ?? 'Disabled';
  if (recursive === 'Disabled') return;
  if (mount['readOnly'] !== true) refuse('recursiveReadOnly', 'may only be set when readOnly is true');
  else if ((textAt(mount, 'mountPropagation') ?? 'None') !== 'None')
    refuse('recursiveReadOnly', 'may only be set when mountPropagation is None');
}

const envSources: readonly string[] = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const bulkSources: readonly string[] = ['configMapRef', 'secretRef'];

/** Environment variables of a container and where they come from. */
function checkEnv(check: KindCheck, site: ContainerSite): void {
  const { object, findings } = check;
  // The relaxed rule is the default from 1.32 on.
  const rule = { relaxed: check.minor >= 32 };
  listAt(site.container, 'env').forEach((entry, index) => {
    if (!isJsonObject(entry)) return;
    const name = textAt(entry, 'name');
    const reason = name === undefined ? undefined : checkEnvVarName(name, rule);
    if (reason !== undefined) {
      findings.add(object, { path: containerPath(site, 'env', index, 'name') }, [
        'name-invalid',
        { what: 'environment variable', text: name!, reason },
      ]);
    }
    const from = mappingAt(entry, 'valueFrom');
    if (from === undefined) return;
    const path = containerPath(site, 'env', index, 'valueFrom');
    if (textAt(entry, 'value')) {
      findings.add(object, { path, at: 'key' }, [
        'fields-exclusive',
        { holder: `variable ${quote(name ?? '')}`, fields: ['value', 'valueFrom'] },
      ]);
    }
    checkSource(check, { value: from, names: envSources, path, holder: '"valueFrom"' });
    checkEnvSources(check, { from, path, pod: site.pod });
  });
  listAt(site.container, 'envFrom').forEach((entry, index) => {
    // The API server reads null as an empty object.
    if (entry !== null && !isJsonObject(entry)) return;
    const path = containerPath(site, 'envFrom', index);
    checkSource(check, { value: entry ?? {}, names: bulkSources, path, holder: `"envFrom[${index}]"` });
    const prefix = textAt(entry, 'prefix');
    const reason = prefix === undefined || prefix === '' ? undefined : checkEnvVarName(prefix, rule);
    if (reason !== undefined) {
      findings.add(object, { path: [...path, 'prefix'] }, ['name-invalid', { what: 'prefix', text: prefix!, reason }]);
    }
  });
}

interface Source {
  readonly value: JsonObject;
  readonly names: readonly string[];
  readonly path: Path;
  readonly holder: string;
}

/** Exactly one source must be set, and the name in it must be valid. */
function checkSource({ object, findings }: KindCheck, { value, names, path, holder }: Source): void {
  const present = presentOf(value, names);
  for (const source of present) {
    const isSecret = source.startsWith('secret');
    const reference = mappingAt(value, source);
    if (reference === undefined || (!isSecret && !source.startsWith('configMap'))) continue;
    const place = { path: [...path, source, 'name'] };
    const name = textAt(reference, 'name') ?? '';
    const reason = checkDnsSubdomain(name);
    if (name === '') {
      const expected = isSecret ? 'the name of a Secret' : 'the name of a ConfigMap';
      findings.add(object, place, ['field-required', missingField({ name: 'name', holder: source, expected })]);
    } else if (reason !== undefined) {
      const what = isSecret ? 'Secret name' : 'ConfigMap name';
      findings.add(object, place, ['name-invalid', { what, text: name, reason, rule: checkDnsSubdomain }]);
    }
  }
  if (present.length === 1) return;
  // An unknown field has been reported, and is most likely the misspelled source.
  if (present.length === 0 && Object.keys(value).some((name) => !names.includes(name) && name !== 'prefix')) return;
  if (present.length === 0) {
    findings.add(object, { path, at: 'key' }, ['field-choice-missing', { holder, fields: names }]);
  } else {
    findings.add(object, { path: [...path, present[1]!], at: 'key' }, [
      'fields-exclusive',
      { holder, fields: present },
    ]);
  }
}

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

/** Probes and lifecycle hooks; `names` are the port names of the container. */
function checkProbes(check: KindCheck, site: ContainerSite, names: readonly string[]): void {
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
    // An invalid grace period has been reported.
    const most = has(site.pod.spec, grace) ? numberAt(site.pod.spec, grace) : usualGrace;
    // 0 seconds are valid from 1.33 on.
    const least = check.minor >= 33 ? 0 : 1;
    if (most !== undefined && most >= 0)
      checkNumber(check, hook['sleep'], { path: [...path, 'sleep'], name: 'seconds', least, most, isLong: true });
  }
}

/** Init containers that run to completion have no probes. */
function refuseProbes({ object, findings }: KindCheck, site: ContainerSite): void {
  for (const name of presentOf(site.container, [...probes, 'lifecycle'])) {
    const demand = 'may not be set in an init container unless its "restartPolicy" is Always';
    findings.add(object, { path: containerPath(site, name), at: 'key' }, ['field-enum', { field: name, demand }]);
  }
}

function checkReadiness({ object, findings }: KindCheck, probe: JsonObject, path: Path): void {
  if (!has(probe, grace)) return;
  findings.add(object, { path: [...path, grace], at: 'key' }, [
    'field-enum',
    { field: grace, demand: 'may not be set in a readinessProbe' },
  ]);
}

/** A probe that restarts its container. */
function checkEnding(check: KindCheck, probe: JsonObject, path: Path): void {
  checkNumber(check, probe, { path, name: grace, least: 1, isLong: true });
  // The API server allows a higher successThreshold only in readiness probes.
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
    const reason = name === '' ? 'must not be empty' : 'must consist of letters, digits and "-"';
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
