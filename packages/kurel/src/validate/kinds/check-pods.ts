import { quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  containerPath,
  containersOf,
  has,
  listAt,
  mappingAt,
  presentOf,
  textAt,
} from '../../kube/index.ts';
import type { ContainerSite, PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { checkClaimSpec } from './check-claims.ts';
import { checkContainer } from './check-containers.ts';
import { checkLabels, checkLabelsAndAnnotations } from './check-metadata.ts';
import { checkNumber, checkTiny, readAmount, showAmount } from './read-amount.ts';
import { checkPodResources } from './check-resources.ts';
import { checkPodSecurity } from './check-security.ts';
import type { KindCheck } from './kind-check.ts';

/** What the API server asks of pods, wherever they are written. */
export function checkPods(check: KindCheck, pod: PodSite): void {
  const { object, findings } = check;
  const { spec, specPath } = pod;
  const metadata = mappingAt(pod.template, 'metadata');
  // That of a Pod is its own and has been looked at.
  if (metadata !== undefined && pod.templatePath.length > 0) {
    checkLabelsAndAnnotations(check, metadata, [...pod.templatePath, 'metadata']);
  }
  const containers = containersOf(pod);
  if (Array.isArray(spec['containers']) && spec['containers'].length === 0) {
    findings.add(object, { path: [...specPath, 'containers'] }, [
      'field-range',
      { field: 'containers', demand: 'must have at least 1 item', found: 'none' },
    ]);
  }
  checkNames(check, containers);
  checkHostPorts(check, containers);
  const volumes = checkVolumes(check, pod);
  for (const site of containers) checkContainer(check, site, volumes);
  checkPodResources(check, pod);
  checkResourceClaims(check, pod);
  checkPodSecurity(check, pod);
  checkNumber(check, spec, { path: specPath, name: 'terminationGracePeriodSeconds', least: 0 });
  checkPodNames(check, spec, specPath);
  const nodeSelector = mappingAt(spec, 'nodeSelector');
  if (nodeSelector !== undefined) checkLabels(check, nodeSelector, [...specPath, 'nodeSelector']);
  checkTolerations(check, pod);
}

/** Containers of all lists share their names. The schema knows of duplicates within one list. */
function checkNames({ object, findings }: KindCheck, sites: readonly ContainerSite[]): void {
  const seen = new Map<string, ContainerSite>();
  for (const site of sites) {
    const name = textAt(site.container, 'name');
    if (name === undefined) continue;
    const reason = checkDnsLabel(name);
    if (reason !== undefined) {
      findings.add(object, { path: containerPath(site, 'name') }, [
        'name-invalid',
        { what: 'container name', text: name, reason, rule: checkDnsLabel },
      ]);
    }
    const first = seen.get(name);
    if (first === undefined) seen.set(name, site);
    else if (first.list !== site.list) {
      findings.add(
        object,
        {
          path: containerPath(site, 'name'),
          related: [{ message: 'it is here first', object, path: containerPath(first, 'name') }],
        },
        ['list-duplicate', { list: 'the pod', what: `a container ${quote(name)}` }],
      );
    }
  }
}

function checkHostPorts({ object, findings }: KindCheck, sites: readonly ContainerSite[]): void {
  let seen: Map<string, Path> | undefined;
  for (const site of sites) {
    if (site.list !== 'containers') continue;
    listAt(site.container, 'ports').forEach((port, index) => {
      if (!isJsonObject(port) || typeof port['hostPort'] !== 'number' || port['hostPort'] === 0) return;
      const key = [textAt(port, 'protocol') ?? 'TCP', textAt(port, 'hostIP') ?? '', port['hostPort']].join(' ');
      const path = containerPath(site, 'ports', index, 'hostPort');
      seen ??= new Map();
      const first = seen.get(key);
      if (first === undefined) seen.set(key, path);
      else {
        findings.add(object, { path, related: [{ message: 'it is here first', object, path: first }] }, [
          'list-duplicate',
          { list: 'the pod', what: `host port ${port['hostPort']}` },
        ]);
      }
    });
  }
}

const named = [
  ['serviceAccountName', checkDnsSubdomain],
  ['priorityClassName', checkDnsSubdomain],
  ['runtimeClassName', checkDnsSubdomain],
  ['hostname', checkDnsLabel],
  ['subdomain', checkDnsLabel],
] as const;

function checkPodNames({ object, findings }: KindCheck, spec: JsonObject, specPath: Path): void {
  for (const [field, rule] of named) {
    const name = textAt(spec, field);
    if (name === undefined || name === '') continue;
    const reason = rule(name);
    if (reason !== undefined)
      findings.add(object, { path: [...specPath, field] }, ['name-invalid', { what: field, text: name, reason, rule }]);
  }
}

const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

/** Claims of devices that a pod has for its containers; before 1.34 they are dropped unread. */
function checkResourceClaims({ object, findings, minor }: KindCheck, { spec, specPath }: PodSite): void {
  if (minor < 34) return;
  listAt(spec, 'resourceClaims').forEach((claim, index) => {
    if (!isJsonObject(claim)) return;
    const path = [...specPath, 'resourceClaims', index];
    const name = textAt(claim, 'name');
    const reason = name === undefined ? undefined : checkDnsLabel(name);
    if (reason !== undefined) {
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'resource claim', text: name!, reason, rule: checkDnsLabel },
      ]);
    }
    const present = presentOf(claim, sources);
    const holder = `"resourceClaims[${index}]"`;
    if (present.length === 0) findings.add(object, { path }, ['field-choice-missing', { holder, fields: sources }]);
    if (present.length > 1) {
      findings.add(object, { path: [...path, present[1]!], at: 'key' }, [
        'fields-exclusive',
        { holder, fields: present },
      ]);
    }
    for (const source of present) {
      const text = textAt(claim, source);
      const why = text === undefined ? undefined : checkDnsSubdomain(text);
      if (why !== undefined)
        findings.add(object, { path: [...path, source] }, [
          'name-invalid',
          { what: source, text: text!, reason: why, rule: checkDnsSubdomain },
        ]);
    }
  });
}

function checkTolerations(check: KindCheck, { spec, specPath }: PodSite): void {
  listAt(spec, 'tolerations').forEach((toleration, index) => {
    const path = [...specPath, 'tolerations', index];
    // One that is null is an empty one.
    if (toleration === null || isJsonObject(toleration)) checkToleration(check, toleration ?? {}, path);
  });
}

function checkToleration({ object, findings }: KindCheck, toleration: JsonObject, path: Path): void {
  const key = textAt(toleration, 'key') ?? '';
  const value = textAt(toleration, 'value') ?? '';
  const operator = textAt(toleration, 'operator') ?? '';
  const effect = textAt(toleration, 'effect') ?? '';
  const refuse = (name: string, demand: string, found: string): void =>
    findings.add(object, { path: [...path, name] }, [
      'field-enum',
      { field: name, demand, found: found === '' ? 'none' : quote(found) },
    ]);
  const keyReason = key === '' ? undefined : checkLabelKey(key);
  if (keyReason !== undefined) {
    findings.add(object, { path: [...path, 'key'] }, [
      'label-invalid',
      { what: 'key', text: key, of: 'a toleration', reason: keyReason },
    ]);
  }
  if (operator === 'Exists' && value !== '') refuse('value', 'must be left out when the operator is Exists', value);
  if (key === '' && operator !== 'Exists') refuse('operator', 'must be Exists when there is no "key"', operator);
  const valueReason = operator === '' || operator === 'Equal' ? checkLabelValue(value) : undefined;
  if (valueReason !== undefined) {
    findings.add(object, { path: [...path, 'value'] }, [
      'label-invalid',
      { what: 'value', text: value, of: 'a toleration', reason: valueReason },
    ]);
  }
  if (has(toleration, 'tolerationSeconds') && effect !== 'NoExecute')
    refuse('effect', 'must be NoExecute beside "tolerationSeconds"', effect);
}

/** Checks the volumes of a pod and gives the names under which containers may mount them. */
function checkVolumes(check: KindCheck, { spec, specPath }: PodSite): ReadonlySet<string> {
  const { object, findings } = check;
  const names = new Set<string>();
  listAt(spec, 'volumes').forEach((volume, index) => {
    if (!isJsonObject(volume)) return;
    const name = textAt(volume, 'name');
    if (name !== undefined) {
      names.add(name);
      const reason = checkDnsLabel(name);
      if (reason !== undefined) {
        findings.add(object, { path: [...specPath, 'volumes', index, 'name'] }, [
          'name-invalid',
          { what: 'volume name', text: name, reason, rule: checkDnsLabel },
        ]);
      }
    }
    const sources = Object.keys(volume).filter((field) => field !== 'name' && has(volume, field));
    if (sources.length > 1) {
      findings.add(object, { path: [...specPath, 'volumes', index, sources[1]!], at: 'key' }, [
        'fields-exclusive',
        { holder: `volume "${name ?? index}"`, fields: sources },
      ]);
    }
    const path = [...specPath, 'volumes', index];
    checkSizeLimit(check, mappingAt(volume, 'emptyDir'), [...path, 'emptyDir', 'sizeLimit']);
    const template = mappingAt(mappingAt(volume, 'ephemeral'), 'volumeClaimTemplate');
    checkClaimSpec(check, template?.['spec'], [...path, 'ephemeral', 'volumeClaimTemplate', 'spec']);
  });
  // A StatefulSet makes a volume of each claim template for each of its pods.
  for (const claim of listAt(mappingAt(object, 'spec'), 'volumeClaimTemplates')) {
    const name = textAt(metadataOf(claim), 'name');
    if (name !== undefined) names.add(name);
  }
  return names;
}

function checkSizeLimit({ object, findings }: KindCheck, directory: JsonObject | undefined, path: Path): void {
  const size = directory?.['sizeLimit'];
  checkTiny({ object, findings }, { of: directory?.['medium'] === 'Memory' ? 'memory' : 'storage', value: size, path });
  const amount = size === undefined ? undefined : readAmount(size);
  if (amount === undefined || amount.nanos >= 0n) return;
  findings.add(object, { path }, [
    'field-range',
    { field: 'sizeLimit', demand: 'must be at least 0', found: showAmount(size!) },
  ]);
}

function metadataOf(value: Json): Json | undefined {
  return isJsonObject(value) ? value['metadata'] : undefined;
}
