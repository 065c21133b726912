import { quote } from '../../diagnostics/index.ts';
import {
  checkLabelKey,
  checkPortName,
  explainSchedule,
  has,
  isBuiltInGroup,
  listAt,
  mappingAt,
  numberAt,
  presentOf,
  textAt,
} from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { fieldName, isCidr, missingField, notAllowed } from '../../schema/index.ts';
import { checkBinding, checkRole } from './check-access.ts';
import { checkClaim, checkClaimTemplates } from './check-claims.ts';
import { checkData } from './check-data.ts';
import { checkIngress } from './check-ingresses.ts';
import { checkNumber, checkTiny, portRange } from './read-amount.ts';
import { checkPods } from './check-pods.ts';
import { checkService } from './check-services.ts';
import { checkWorkload, readSelector } from './check-workloads.ts';
import type { KindCheck } from './kind-check.ts';

const metricFields: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

function checkAutoscaler(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec');
  checkNumber(check, spec, { path: ['spec'], name: 'maxReplicas', least: 1 });
  checkNumber(check, spec, { path: ['spec'], name: 'minReplicas', least: 0 });
  const [least, most] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas')];
  if (least !== undefined && most !== undefined && least > most) {
    findings.add(
      object,
      {
        path: ['spec', 'minReplicas'],
        related: [{ message: 'maxReplicas is here', object, path: ['spec', 'maxReplicas'] }],
      },
      [
        'field-range',
        { field: 'minReplicas', demand: `must be at most ${most}, which is "maxReplicas"`, found: String(least) },
      ],
    );
  }
  listAt(spec, 'metrics').forEach((metric, index) => {
    if (!isJsonObject(metric) || typeof metric['type'] !== 'string') return;
    const field = metricFields[metric['type']];
    if (field === undefined || isJsonObject(metric[field])) return;
    findings.add(object, { path: ['spec', 'metrics', index, field] }, [
      'field-required',
      missingField({ name: field, holder: `metrics[${index}] of type ${metric['type']}`, expected: 'an object' }),
    ]);
  });
}

function checkDisruptionBudget({ object, findings }: KindCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined) return;
  const present = presentOf(spec, ['minAvailable', 'maxUnavailable']);
  if (present.length === 2) {
    findings.add(object, { path: ['spec', present[1]!], at: 'key' }, [
      'fields-exclusive',
      { holder: '"spec"', fields: present },
    ]);
  }
  for (const name of present) {
    const amount = spec[name];
    if (typeof amount !== 'string' || /^\d+%$/.test(amount)) continue;
    findings.add(object, { path: ['spec', name] }, [
      'field-format',
      { field: name, demand: 'must be an integer or a percentage such as 50%', found: `"${amount}"` },
    ]);
  }
  const selector = mappingAt(spec, 'selector');
  const read = selector === undefined ? undefined : readSelector(selector);
  if (typeof read === 'string' && findings.errorsOf(object) === 0) {
    findings.add(object, { path: ['spec', 'selector'], at: 'key' }, ['selector-invalid', { reason: read }]);
  }
}

const amounts = [
  'parallelism',
  'completions',
  'backoffLimit',
  'activeDeadlineSeconds',
  'ttlSecondsAfterFinished',
] as const;
const policies = ['OnFailure', 'Never'];

function checkJob(check: KindCheck, pod: PodSite | undefined): void {
  const { object, gvk, findings } = check;
  const path: Path = gvk.kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
  const outer = mappingAt(object, 'spec');
  const spec = gvk.kind === 'CronJob' ? mappingAt(mappingAt(outer, 'jobTemplate'), 'spec') : outer;
  for (const name of amounts) checkNumber(check, spec, { path, name, least: 0 });
  if (spec?.['completionMode'] === 'Indexed' && !has(spec, 'completions')) {
    findings.add(object, { path: [...path, 'completions'] }, [
      'field-required',
      missingField({ name: 'completions', holder: `spec of an indexed ${gvk.kind}`, expected: 'an integer' }),
    ]);
  }
  if (pod === undefined) return;
  const policy = pod.spec['restartPolicy'];
  if (policy === undefined || policy === null || policy === 'Always') {
    findings.add(object, { path: [...pod.specPath, 'restartPolicy'] }, [
      'field-enum',
      notAllowed({
        field: `restartPolicy of a ${gvk.kind}`,
        found: policy === 'Always' ? '"Always"' : 'left out, which means "Always"',
        allowed: policies,
        word: undefined,
      }),
    ]);
  }
}

function checkCronJob(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec');
  const schedule = textAt(spec, 'schedule');
  const reason = schedule === undefined ? undefined : explainSchedule(schedule);
  if (reason !== undefined)
    findings.add(object, { path: ['spec', 'schedule'] }, ['schedule-invalid', { text: schedule!, reason }]);
  for (const name of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    checkNumber(check, spec, { path: ['spec'], name, least: 0 });
  }
  const zone = textAt(spec, 'timeZone');
  if (zone !== undefined && (zone === '' || /^local$/i.test(zone))) {
    findings.add(object, { path: ['spec', 'timeZone'] }, [
      'field-format',
      { field: 'timeZone', demand: 'must name a time zone such as "Europe/Berlin"', found: quote(zone) },
    ]);
  }
}

type Check = (check: KindCheck, pod: PodSite | undefined) => void;

/** By kind: no two groups here have a kind of the same name, and asking for it makes no text for each object. */
const checks = new Map<string, { readonly group: string; readonly checks: readonly Check[] }>([
  ['ConfigMap', { group: '', checks: [checkData] }],
  ['PersistentVolumeClaim', { group: '', checks: [checkClaim] }],
  ['ReplicationController', { group: '', checks: [checkWorkload] }],
  ['Secret', { group: '', checks: [checkData] }],
  ['Service', { group: '', checks: [checkService] }],
  ['CustomResourceDefinition', { group: 'apiextensions.k8s.io', checks: [checkDefinition] }],
  ['DaemonSet', { group: 'apps', checks: [checkWorkload] }],
  ['Deployment', { group: 'apps', checks: [checkWorkload] }],
  ['ReplicaSet', { group: 'apps', checks: [checkWorkload] }],
  ['StatefulSet', { group: 'apps', checks: [checkWorkload, checkClaimTemplates] }],
  ['HorizontalPodAutoscaler', { group: 'autoscaling', checks: [checkAutoscaler] }],
  ['CronJob', { group: 'batch', checks: [checkCronJob, checkJob] }],
  ['Job', { group: 'batch', checks: [checkJob] }],
  ['Ingress', { group: 'networking.k8s.io', checks: [checkIngress] }],
  ['NetworkPolicy', { group: 'networking.k8s.io', checks: [checkNetworkPolicy] }],
  ['PodDisruptionBudget', { group: 'policy', checks: [checkDisruptionBudget] }],
  ['Cluster', { group: 'postgresql.cnpg.io', checks: [checkDatabase] }],
  ['ClusterRole', { group: 'rbac.authorization.k8s.io', checks: [checkRole] }],
  ['ClusterRoleBinding', { group: 'rbac.authorization.k8s.io', checks: [checkBinding] }],
  ['Role', { group: 'rbac.authorization.k8s.io', checks: [checkRole] }],
  ['RoleBinding', { group: 'rbac.authorization.k8s.io', checks: [checkBinding] }],
  ['StorageClass', { group: 'storage.k8s.io', checks: [checkStorageClass] }],
]);

/** What Kubernetes asks of its own kinds in code, and what is unlikely to be meant. */
export function checkByKind(check: KindCheck, pod: PodSite | undefined): void {
  const { gvk } = check;
  const own = checks.get(gvk.kind);
  if (own?.group === gvk.group) for (const one of own.checks) one(check, pod);
  if (pod !== undefined) checkPods(check, pod);
}

function checkStorageClass({ object, findings }: KindCheck): void {
  const provisioner = textAt(object, 'provisioner');
  const reason = provisioner === undefined ? undefined : explainProvisioner(provisioner);
  if (reason !== undefined) {
    findings.add(object, { path: ['provisioner'] }, [
      'name-invalid',
      { what: 'provisioner', text: provisioner!, reason, rule: explainProvisioner },
    ]);
  }
}

function explainProvisioner(text: string): string | undefined {
  return checkLabelKey(text.toLowerCase());
}

/** A Cluster of CloudNativePG, whose sizes become those of claims and containers. */
function checkDatabase(check: KindCheck): void {
  const spec = mappingAt(check.object, 'spec');
  checkSize(check, mappingAt(spec, 'storage'), ['spec', 'storage']);
  checkSize(check, mappingAt(spec, 'walStorage'), ['spec', 'walStorage']);
  listAt(spec, 'tablespaces').forEach((space, index) => {
    checkSize(check, mappingAt(space, 'storage'), ['spec', 'tablespaces', index, 'storage']);
  });
  for (const field of ['limits', 'requests']) {
    const value = mappingAt(mappingAt(spec, 'resources'), field)?.['memory'];
    checkTiny(check, { of: 'memory', value, path: ['spec', 'resources', field, 'memory'] });
  }
}

function checkSize(check: KindCheck, storage: Readonly<Record<string, Json>> | undefined, path: Path): void {
  checkTiny(check, { of: 'storage', value: storage?.['size'], path: [...path, 'size'] });
}

/** CustomResourceDefinitions of apiextensions.k8s.io/v1. */
function checkDefinition({ object, gvk, findings }: KindCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined || gvk.version !== 'v1') return;
  const name = textAt(mappingAt(object, 'metadata'), 'name');
  const [plural, group] = [textAt(mappingAt(spec, 'names'), 'plural'), textAt(spec, 'group')];
  if (name !== undefined && plural !== undefined && group !== undefined && name !== `${plural}.${group}`) {
    findings.add(object, { path: ['metadata', 'name'] }, [
      'name-invalid',
      { what: 'name', text: name, reason: `must be "${plural}.${group}", plural and group` },
    ]);
  }
  if (group !== undefined && isBuiltInGroup(group)) {
    const demand = 'must be a group of your own, with a dot';
    const found = `${quote(group)}, which Kubernetes serves itself`;
    findings.add(object, { path: ['spec', 'group'] }, ['field-enum', { field: 'group', demand, found }]);
  }
  const versions = listAt(spec, 'versions').filter(isJsonObject);
  const stored = versions.filter((version) => version['storage'] === true).length;
  if (stored !== 1) {
    findings.add(object, { path: ['spec', 'versions'], at: 'key' }, [
      'field-range',
      {
        field: 'versions',
        demand: 'must have exactly one with storage: true',
        found: stored === 0 ? 'none' : String(stored),
      },
    ]);
  }
}

function checkNetworkPolicy(check: KindCheck): void {
  const spec = mappingAt(check.object, 'spec');
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    listAt(spec, direction).forEach((rule, index) => {
      const path = ['spec', direction, index];
      listAt(rule, 'ports').forEach((port, position) => checkPort(check, port, [...path, 'ports', position]));
      listAt(rule, peers).forEach((peer, position) => {
        checkBlock(check, mappingAt(peer, 'ipBlock'), [...path, peers, position, 'ipBlock']);
      });
    });
  }
}

function checkPort(check: KindCheck, port: Json, path: Path): void {
  const { object, findings } = check;
  const name = textAt(port, 'port');
  const reason = name === undefined ? undefined : checkPortName(name);
  if (reason !== undefined)
    findings.add(object, { path: [...path, 'port'] }, [
      'name-invalid',
      { what: 'port', text: name!, reason, rule: checkPortName },
    ]);
  checkNumber(check, port, { path, name: 'port', ...portRange });
  const [first, last] = [numberAt(port, 'port'), numberAt(port, 'endPort')];
  if (last === undefined || (first !== undefined && last >= first)) return;
  const demand =
    first === undefined
      ? 'must only be set beside a "port" that is a number'
      : `must be at least ${first}, which is "port"`;
  findings.add(object, { path: [...path, 'endPort'] }, [
    'field-range',
    { field: 'endPort', demand, found: String(last) },
  ]);
}

function checkBlock({ object, findings }: KindCheck, block: Json | undefined, path: Path): void {
  const cidr = textAt(block, 'cidr');
  if (cidr !== undefined) checkNetwork(cidr, [...path, 'cidr']);
  listAt(block, 'except').forEach((network, index) => {
    if (typeof network === 'string') checkNetwork(network, [...path, 'except', index]);
  });

  function checkNetwork(network: string, place: Path): void {
    if (isCidr(network)) return;
    const expected = 'a network such as 10.0.0.0/8';
    findings.add(object, { path: place }, [
      'field-format',
      { field: fieldName(place), demand: `must be ${expected}`, found: quote(network) },
    ]);
  }
}
