import { nearest, quote } from '../../diagnostics/index.ts';
import { checkDnsLabel, checkPortName, has, listAt, mappingAt, numberAt, presentOf, textAt } from '../../kube/index.ts';
import type { ContainerSite, PodSite } from '../../kube/index.ts';
import { isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, JsonObject, Path, Values } from '../../model/index.ts';
import { formatReferencePath } from '../../parameters/index.ts';
import { containerResources } from './check-resources.ts';
import { bulkVariables, variables } from './env-rules.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import {
  below,
  checkRange,
  createUniqueness,
  demandField,
  forbid,
  optionalPort,
  portRange,
  refuse,
  refuseName,
  refuseTogether,
  report,
} from './field-site.ts';
import type { FieldSite, Site } from './field-site.ts';
import { explainHostPath, explainSubPath } from './reference-rules.ts';
import { containerSecurity } from './security-rules.ts';

/** A container in any list of a pod. */
export const container: FieldRule = {
  fields: {
    name: { required: 'a name', text: checkDnsLabel, what: 'container name', emptyIsValue: true },
    ports: {
      items: {
        fields: {
          containerPort: { range: portRange },
          hostPort: { range: optionalPort },
          name: { text: checkPortName, what: 'port name' },
        },
      },
    },
    env: variables,
    envFrom: bulkVariables,
    resources: containerResources,
    securityContext: containerSecurity,
    volumeMounts: {
      unique: 'mountPath',
      items: {
        fields: {
          name: { required: 'the name of a volume' },
          mountPath: { required: 'a path in the container' },
          subPath: { format: explainSubPath },
          subPathExpr: { format: explainSubPath },
        },
      },
    },
    volumeDevices: {
      unique: 'name',
      items: {
        fields: {
          name: { required: 'the name of a volume' },
          devicePath: { required: 'a path in the container', format: explainHostPath },
        },
      },
    },
    resizePolicy: {
      unique: 'resourceName',
      items: {
        fields: {
          resourceName: { required: 'cpu or memory', words: ['cpu', 'memory'] },
          restartPolicy: { required: 'NotRequired or RestartContainer', words: ['NotRequired', 'RestartContainer'] },
        },
      },
    },
  },
  also: checkContainer,
};

function checkContainer(site: FieldSite): void {
  const { value, path, pod } = site;
  if (!isJsonObject(value) || pod === undefined) return;
  checkImage(site, value);
  const names = checkPorts(site, value, pod);
  if (path.at(-2) !== 'initContainers' || value['restartPolicy'] === 'Always') {
    checkProbes(site, names);
    return;
  }
  // Init containers that run to completion have no probes.
  for (const name of presentOf(value, [...probeNames, 'lifecycle']))
    forbid(site, name, 'may not be set in an init container unless its "restartPolicy" is Always');
}

function checkImage(site: FieldSite, { image, name }: JsonObject): void {
  const { gvk, parameters } = site;
  if (image === undefined || image === null || image === '') {
    const holder = `container ${quote(typeof name === 'string' ? name : '')}`;
    demandField(site, ['image'], { holder, expected: 'a string' });
  }
  if (typeof image !== 'string') return;
  const placeholder = placeholderPattern.exec(image)?.[0];
  if (placeholder !== undefined) {
    // Outside of a package, Flux or another program may replace it later.
    const severity = parameters === undefined ? ('warning' as const) : ('error' as const);
    const near = findMeant(placeholder, parameters);
    const args = { image, placeholder, near, isOwn: parameters !== undefined };
    report(site, ['image'], ['image-placeholder', args], { severity });
  }
  if (image.trim() === image) return;
  // The API server checks the image of a template only when it creates the pods.
  const severity = gvk.kind === 'Pod' ? 'error' : 'warning';
  const demand = 'must not have leading or trailing whitespace';
  refuse(site, ['image'], { code: 'field-format', demand, got: quote(image), severity });
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
function checkPorts(site: FieldSite, value: JsonObject, { spec }: PodSite): readonly string[] {
  const names: string[] = [];
  listAt(value, 'ports').forEach((port, index) => {
    const [inside, outside] = [numberAt(port, 'containerPort'), numberAt(port, 'hostPort') ?? 0];
    // On the network of the node a container cannot map a port to another one.
    if (spec['hostNetwork'] === true && site.path.at(-2) === 'containers' && outside !== 0 && inside !== outside) {
      const demand = `must match "containerPort" (${inside}) when hostNetwork is true`;
      refuse(site, ['ports', index, 'hostPort'], { demand, got: String(outside) });
    }
    const name = textAt(port, 'name');
    if (name === undefined || name === '') return;
    if (names.includes(name)) {
      const args = { list: 'ports', what: `port name ${quote(name)}` };
      report(site, ['ports', index, 'name'], ['list-duplicate', args]);
    }
    names.push(name);
  });
  return names;
}

/** Checks the volumes that the containers of a pod mount. */
export function checkVolumes(site: Site, pod: PodSite, containers: readonly ContainerSite[]): void {
  let names: ReadonlySet<string> | undefined;
  for (const { container: value, list, index } of containers) {
    if (!has(value, 'volumeMounts') && !has(value, 'volumeDevices')) continue;
    names ??= volumesOf(pod);
    checkMounts(below(site, list, index), value, names);
  }
}

/** The names of the volumes that the containers of a pod may mount. */
function volumesOf({ object, spec }: PodSite): ReadonlySet<string> {
  // Each claim template of a StatefulSet becomes a volume of its pods.
  const claims = listAt(mappingAt(object, 'spec'), 'volumeClaimTemplates');
  const volumes = [...listAt(spec, 'volumes'), ...claims.map((claim) => mappingAt(claim, 'metadata'))];
  return new Set(volumes.flatMap((volume) => textAt(volume, 'name') ?? []));
}

function checkMounts(site: Site, value: JsonObject, names: ReadonlySet<string>): void {
  for (const list of ['volumeMounts', 'volumeDevices']) {
    listAt(value, list).forEach((mount, index) => {
      const name = textAt(mount, 'name');
      if (name === undefined || names.has(name)) return;
      report(site, [list, index, 'name'], ['volume-unknown', { name, candidates: [...names] }]);
    });
  }
  const checkPath = createUniqueness(site, 'volumeMounts');
  const isPrivileged = mappingAt(value, 'securityContext')?.['privileged'] === true;
  listAt(value, 'volumeMounts').forEach((mount, index) => {
    if (!isJsonObject(mount)) return;
    const mountSite = below(site, 'volumeMounts', index);
    const path = textAt(mount, 'mountPath') ?? '';
    // The API server refuses only paths that are equal as text.
    checkPath(normalizePath(path), ['volumeMounts', index, 'mountPath'], {
      what: `mountPath ${quote(path)}`,
      advice: 'paths that differ only in slashes are the same',
      severity: 'warning',
      part: path,
    });
    const propagation = textAt(mount, 'mountPropagation') ?? 'None';
    if (propagation === 'Bidirectional' && !isPrivileged)
      refuse(mountSite, ['mountPropagation'], { demand: 'may be Bidirectional only in privileged containers' });
    if (textAt(mount, 'subPath') && textAt(mount, 'subPathExpr'))
      refuseTogether(mountSite, ['subPathExpr'], { fields: ['subPath', 'subPathExpr'] });
    if ((textAt(mount, 'recursiveReadOnly') ?? 'Disabled') === 'Disabled') return;
    if (mount['readOnly'] !== true)
      refuse(mountSite, ['recursiveReadOnly'], { demand: 'may only be set when readOnly is true' });
    else if (propagation !== 'None')
      refuse(mountSite, ['recursiveReadOnly'], { demand: 'may only be set when mountPropagation is None' });
  });
}

/** Repeated and trailing slashes do not change a path. */
function normalizePath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/');
}

function checkHeader(site: FieldSite): void {
  const text = textAt(site.value, 'name');
  if (text === undefined || /^[-A-Za-z0-9]+$/.test(text)) return;
  const reason = text === '' ? 'must not be empty' : 'must consist of letters, digits and "-"';
  refuseName(site, ['name'], { what: 'header', text, reason });
}

/** A number, or the name of a port of the container. */
const port: FieldRule = { range: portRange, text: checkPortName, emptyIsValue: true };

const handlers: Fields = {
  exec: {
    also: (site) => {
      if (isJsonObject(site.value) && listAt(site.value, 'command').length === 0)
        demandField(site, ['command'], { holder: 'exec', expected: 'a list' });
    },
  },
  httpGet: {
    fields: {
      port,
      httpHeaders: { items: { also: checkHeader } },
    },
  },
  tcpSocket: { fields: { port } },
};

const grace = 'terminationGracePeriodSeconds';
const usualGrace = 30;
const duration: FieldRule = { range: { least: 0 } };

const probe: FieldRule = {
  oneOf: ['exec', 'httpGet', 'tcpSocket', 'grpc'],
  fields: {
    ...handlers,
    grpc: { fields: { port } },
    initialDelaySeconds: duration,
    timeoutSeconds: duration,
    periodSeconds: duration,
    successThreshold: duration,
    failureThreshold: duration,
  },
};

/** A probe that restarts its container. */
const endingProbe: FieldRule = {
  ...probe,
  fields: { ...probe.fields, [grace]: { range: { least: 1, isLong: true } } },
  also: (site) => {
    // The API server allows a higher successThreshold only in readiness probes.
    const successes = numberAt(site.value, 'successThreshold') ?? 1;
    const demand = `must be 1 in a ${site.path.at(-1)}`;
    if (successes > 1) refuse(site, ['successThreshold'], { demand, got: String(successes) });
  },
};

const probes: Fields = {
  livenessProbe: endingProbe,
  readinessProbe: { ...probe, refuses: { [grace]: () => 'may not be set in a readinessProbe' } },
  startupProbe: endingProbe,
};

const probeNames = Object.keys(probes);

const hook: FieldRule = {
  oneOf: ['exec', 'httpGet', 'tcpSocket', 'sleep'],
  fields: {
    ...handlers,
    sleep: {
      also: (site) => {
        const spec = site.pod?.spec;
        // An invalid grace period has been reported.
        const most = has(spec, grace) ? numberAt(spec, grace) : usualGrace;
        // 0 seconds are valid from 1.33 on.
        const least = site.minor >= 33 ? 0 : 1;
        if (most !== undefined && most >= 0 && isJsonObject(site.value))
          checkRange(below(site, 'seconds'), site.value['seconds'], { least, most, isLong: true });
      },
    },
  },
};

/** Probes and lifecycle hooks; `names` are the port names of the container. */
function checkProbes(site: FieldSite, names: readonly string[]): void {
  for (const name of probeNames) checkHandlers(site, [name], probes[name]!, names);
  for (const name of ['postStart', 'preStop']) checkHandlers(site, ['lifecycle', name], hook, names);
}

function checkHandlers(site: FieldSite, steps: Path, rule: FieldRule, names: readonly string[]): void {
  const value = valueAt(site.value, steps);
  if (!isJsonObject(value)) return;
  checkFieldRules(site, value, { rule, path: [...site.path, ...steps] });
  for (const kind of presentOf(value, rule.oneOf!)) {
    const name = textAt(value[kind], 'port');
    if (name === undefined || checkPortName(name) !== undefined || names.includes(name)) continue;
    report(site, [...steps, kind, 'port'], ['port-unknown', { name, candidates: names }]);
  }
}
