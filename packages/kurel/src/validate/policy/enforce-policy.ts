import { quote } from '../../diagnostics/index.ts';
import {
  compareQuantities,
  containerPath,
  containersOf,
  describeObject,
  gvkOf,
  has,
  listAt,
  mappingAt,
  parseQuantity,
  podSiteOf,
  textAt,
} from '../../kube/index.ts';
import type { ContainerSite, PodSite } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Diagnostic, GroupVersionKind, Json, KubeObject, Path } from '../../model/index.ts';
import { noPolicy, tightestLayer } from './rules.ts';
import type { AmountLimit, RuleLayer, Rules } from './rules.ts';
import { fieldsOf } from './fields-of-kinds.ts';
import { isFromRegistry, isUrlFromRegistry } from './match-registry.ts';
import { policyProblems } from './problems.ts';

interface Enforcing {
  readonly object: KubeObject;
  /** What is looked at: the object, or a part of it. */
  readonly subject: string;
  readonly layers: readonly RuleLayer[];
  readonly isWrittenOut: boolean;
  readonly tell: (diagnostic: Diagnostic, path: Path, rule: { readonly layer: RuleLayer; readonly path: Path }) => void;
}

interface EnforceOptions {
  readonly rules: Pick<Rules, 'layers'>;
  /** Its author wrote the object as it is, which no handler has a say in: what no policy speaks of is only told. */
  readonly isWrittenOut?: boolean | undefined;
  /** The path leads into the object. */
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Holds an object against the rules, whatever made it: every container of every pod, every claim and every number of pods. */
export function enforcePolicy(object: KubeObject, { rules, isWrittenOut = false, report }: EnforceOptions): void {
  const gvk = gvkOf(object);
  if (gvk === undefined) return;
  const tell: Enforcing['tell'] = (diagnostic, path, { layer, path: rule }) => {
    const location = layer.locate(rule);
    const related = location === undefined ? undefined : [{ message: 'the rule is here', location }];
    report(related === undefined ? diagnostic : { ...diagnostic, related }, path);
  };
  const enforcing = { object, subject: describeObject(object), layers: rules.layers, isWrittenOut, tell };
  const { counts, storage, resources, images, urls, nodePaths } = fieldsOf(object, gvk);
  for (const path of counts) checkLimit(enforcing, { path, limit: 'maxReplicas', what: `"${path.at(-1)}"` });
  for (const path of storage) checkLimit(enforcing, { path, limit: 'maxStorageSize', what: 'the storage' });
  for (const path of resources) checkResources(enforcing, path);
  for (const path of images) checkSource(enforcing, { path, what: 'image', isAllowed: isFromRegistry });
  for (const path of urls) checkSource(enforcing, { path, what: 'URL', isAllowed: isUrlFromRegistry });
  for (const path of nodePaths) refuseNodePath(enforcing, path);
  const known = podSiteOf(object, gvk);
  const pod = known ?? unknownPodSite(object, gvk);
  if (pod === undefined) return;
  checkPod(enforcing, pod);
  if (known === undefined)
    checkLimit(enforcing, { path: ['spec', 'replicas'], limit: 'maxReplicas', what: '"replicas"' });
}

/** Kinds that are not known, such as those of rollouts, have their pods where Deployments have them. */
function unknownPodSite(object: KubeObject, gvk: GroupVersionKind): PodSite | undefined {
  const template = mappingAt(mappingAt(object, 'spec'), 'template');
  const spec = mappingAt(template, 'spec');
  if (template === undefined || spec === undefined || listAt(spec, 'containers').length === 0) return undefined;
  const path = ['spec', 'template'];
  return { object, gvk, templatePath: path, template, specPath: [...path, 'spec'], spec };
}

interface Limit {
  readonly path: Path;
  readonly limit: AmountLimit;
  readonly what: string;
}

function checkLimit({ object, subject, layers, tell }: Enforcing, { path, limit, what }: Limit): void {
  const layer = tightestLayer(layers, limit);
  const most = layer?.enforced[limit];
  const found = valueAt(object, path);
  if (layer === undefined || most === undefined || found === undefined || typeof found === 'object') return;
  const [amount, bound] = [parseQuantity(`${found}`), parseQuantity(`${most}`)];
  if (amount === undefined || bound === undefined || compareQuantities(amount, bound) <= 0) return;
  const rule = `enforced.${limit}`;
  const args = { what, found: `${found}`, limit: `${most}`, rule, of: layer.of, subject };
  tell(policyProblems.create('policy-limit', args), path, { layer, path: ['enforced', limit] });
}

/** Requests and limits, of a container or of something that stands for several. */
function checkResources(enforcing: Enforcing, path: Path): void {
  for (const [name, limit] of [
    ['cpu', 'maxCPU'],
    ['memory', 'maxMemory'],
  ] as const) {
    for (const [kind, word] of [
      ['requests', 'request'],
      ['limits', 'limit'],
    ] as const) {
      checkLimit(enforcing, { path: [...path, kind, name], limit, what: `the ${name} ${word}` });
    }
  }
}

interface Source {
  readonly path: Path;
  readonly what: string;
  readonly isAllowed: (source: string, allowed: readonly string[]) => boolean;
}

function checkSource({ object, subject, layers, tell }: Enforcing, { path, what, isAllowed }: Source): void {
  const source = valueAt(object, path);
  if (typeof source !== 'string') return;
  for (const layer of layers) {
    const allowed = layer.enforced.allowedRegistries;
    if (allowed === undefined || isAllowed(source, allowed)) continue;
    const args = { what, source, subject, allowed };
    tell(policyProblems.create('policy-registry', args), path, { layer, path: ['enforced', 'allowedRegistries'] });
    return;
  }
}

function checkPod(enforcing: Enforcing, pod: PodSite): void {
  const { spec, specPath } = pod;
  for (const [field, rule] of [
    ['hostNetwork', 'allowHostNetwork'],
    ['hostPID', 'allowHostPID'],
    ['hostIPC', 'allowHostIPC'],
  ] as const) {
    if (spec[field] === true) refuse(enforcing, { what: `"${field}"`, path: [...specPath, field], rule });
  }
  checkHostProcess(enforcing, [...specPath, 'securityContext']);
  checkResources(enforcing, [...specPath, 'resources']);
  for (const [index, volume] of listAt(spec, 'volumes').entries())
    checkVolume(enforcing, volume, [...specPath, 'volumes', index]);
  for (const site of containersOf(pod)) checkContainer(enforcing, site);
}

function checkVolume(whole: Enforcing, volume: Json, path: Path): void {
  const enforcing = narrow(whole, 'volume', volume);
  refuseNodePath(enforcing, [...path, 'hostPath']);
  checkSource(enforcing, { path: [...path, 'image', 'reference'], what: 'image', isAllowed: isFromRegistry });
  for (const kind of ['requests', 'limits']) {
    const claimed = [...path, 'ephemeral', 'volumeClaimTemplate', 'spec', 'resources', kind, 'storage'];
    checkLimit(enforcing, { path: claimed, limit: 'maxStorageSize', what: 'the storage' });
  }
}

function refuseNodePath(enforcing: Enforcing, path: Path): void {
  if (valueAt(enforcing.object, path) === undefined) return;
  refuse(enforcing, { what: `"${path.at(-1)}"`, path: [...path, 'path'], rule: 'allowHostPathVolumes' });
}

function checkContainer(whole: Enforcing, site: ContainerSite): void {
  const enforcing = narrow(whole, 'container', site.container);
  const { securityContext } = site.container;
  checkSource(enforcing, { path: containerPath(site, 'image'), what: 'image', isAllowed: isFromRegistry });
  checkResources(enforcing, containerPath(site, 'resources'));
  for (const [index, port] of listAt(site.container, 'ports').entries()) {
    if (!has(port, 'hostPort') || Number(mappingAt({ port }, 'port')?.['hostPort']) === 0) continue;
    const path = containerPath(site, 'ports', index, 'hostPort');
    refuse(enforcing, { what: '"hostPort"', path, rule: 'allowHostNetwork' });
  }
  const path = containerPath(site, 'securityContext');
  if (valueAt(whole.object, [...path, 'privileged']) === true) {
    refuse(enforcing, { what: '"privileged"', path: [...path, 'privileged'], rule: 'allowPrivileged' });
  }
  checkHostProcess(enforcing, path);
  for (const [index, name] of listAt(mappingAt(securityContext, 'capabilities'), 'add').entries()) {
    if (typeof name === 'string') checkCapability(enforcing, name, [...path, 'capabilities', 'add', index]);
  }
}

function narrow(enforcing: Enforcing, what: string, part: Json): Enforcing {
  return { ...enforcing, subject: `${what} ${quote(textAt(part, 'name') ?? '')} of ${enforcing.subject}` };
}

/** A process of a Windows node is what a privileged container is elsewhere. */
function checkHostProcess(enforcing: Enforcing, path: Path): void {
  const place = [...path, 'windowsOptions', 'hostProcess'];
  if (valueAt(enforcing.object, place) !== true) return;
  refuse(enforcing, { what: '"hostProcess"', path: place, rule: 'allowPrivileged' });
}

function checkCapability({ subject, layers, tell }: Enforcing, capability: string, path: Path): void {
  const name = canonicalCapability(capability);
  for (const layer of layers) {
    const allowed = layer.security.allowedCapabilities;
    const names = allowed?.map(canonicalCapability);
    if (allowed === undefined || names?.includes(name) === true || names?.includes('ALL') === true) continue;
    const diagnostic = policyProblems.create('policy-capability', { capability, subject, allowed });
    tell(diagnostic, path, { layer, path: ['security', 'allowedCapabilities'] });
    return;
  }
}

/** Some runtimes take small letters and the prefix of the kernel's own names. */
function canonicalCapability(name: string): string {
  return name.toUpperCase().replace(/^CAP_/, '');
}

interface Refusal {
  readonly what: string;
  readonly path: Path;
  readonly rule: Exclude<keyof RuleLayer['security'], 'allowedCapabilities'>;
}

/** Tells of the first layer that does not allow something; what none of them denies is allowed. */
function refuse({ subject, layers, isWrittenOut, tell }: Enforcing, { what, path, rule }: Refusal): void {
  const denying = layers.filter(({ security }) => security[rule] === false);
  const layer = (isWrittenOut ? denying.find((one) => one !== noPolicy) : undefined) ?? denying[0];
  if (layer === undefined) return;
  if (isWrittenOut && layer === noPolicy) {
    const args = { what, subject, rule: `security.${rule}` };
    tell(policyProblems.create('policy-security-unsaid', args), path, { layer, path: [] });
    return;
  }
  const isWritten = layer.locate(['security', rule]) !== undefined;
  const args = { what, subject, rule: `security.${rule}`, of: layer.of, isWritten };
  tell(policyProblems.create('policy-security', args), path, { layer, path: ['security', rule] });
}

function valueAt(object: KubeObject, path: Path): Json | undefined {
  let value: Json | undefined = object;
  for (const step of path) {
    value = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined;
  }
  return value ?? undefined;
}
