import { quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  containersOf,
  listAt,
  mappingAt,
  numberAt,
  textAt,
} from '../../kube/index.ts';
import type { ContainerSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { checkVolumes, container } from './check-containers.ts';
import { checkAddress, checkLabelsAndAnnotations } from './check-metadata.ts';
import { overhead, podResources } from './check-resources.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { below, checkChoice, createUniqueness, demandField, forbid } from './field-site.ts';
import type { FieldSite, KindCheck, Site } from './field-site.ts';
import { labels, objectName } from './reference-rules.ts';
import { affinity, spreadConstraints, tolerations } from './scheduling-rules.ts';
import { checkRoots, podSecurity, warn } from './security-rules.ts';
import { podVolume } from './volume-rules.ts';

/** Checks the rules of the API server for pods and pod templates. */
export function checkPods(check: KindCheck): void {
  const { pod } = check;
  if (pod === undefined) return;
  const metadata = mappingAt(pod.template, 'metadata');
  // The metadata of a Pod has been checked as the metadata of an object.
  if (metadata !== undefined && pod.templatePath.length > 0)
    checkLabelsAndAnnotations(check, metadata, [...pod.templatePath, 'metadata']);
  const { object, findings } = check;
  const site = { object, findings, path: pod.specPath };
  const containers = containersOf(pod);
  checkPorts(site, containers);
  checkFieldRules(check, pod.spec, { rule: podRules, path: pod.specPath });
  checkNames(site, containers);
  checkRoots(site, pod.spec, containers);
  checkVolumes(site, pod, containers);
}

/** `svc.cluster.local`, `_tcp.example.com.`, or `.` for the root. */
function explainSearch(text: string): string | undefined {
  if (text === '.') return undefined;
  const name = text.replace(/\.$/, '');
  return /^[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*$/.test(name)
    ? undefined
    : checkDnsSubdomain(name);
}

const claimName: FieldRule = { text: checkDnsSubdomain, emptyIsValue: true };

/** The spec of a pod. */
export const podRules: FieldRule = {
  fields: {
    initContainers: { items: container },
    containers: { items: container },
    ephemeralContainers: { items: container },
    serviceAccountName: objectName,
    serviceAccount: objectName,
    priorityClassName: objectName,
    runtimeClassName: { text: checkDnsSubdomain, emptyIsValue: true },
    hostname: { text: checkDnsLabel },
    subdomain: { text: checkDnsLabel },
    nodeName: objectName,
    nodeSelector: labels,
    activeDeadlineSeconds: { range: { least: 1, most: 2 ** 31 - 1, isLong: true } },
    os: { fields: { name: { required: 'linux or windows', words: ['linux', 'windows'] } } },
    volumes: { items: podVolume, unique: 'name' },
    overhead,
    resources: podResources,
    resourceClaims: {
      since: 34,
      items: {
        fields: {
          name: { text: checkDnsLabel, what: 'resource claim', emptyIsValue: true },
          resourceClaimName: claimName,
          resourceClaimTemplateName: claimName,
        },
        also: checkClaimSource,
      },
    },
    hostAliases: {
      items: {
        fields: {
          ip: { required: 'an IP address', format: checkAddress },
          hostnames: { items: { text: checkDnsSubdomain, emptyIsValue: true } },
        },
      },
    },
    readinessGates: {
      items: { fields: { conditionType: { required: 'the type of a condition', text: checkLabelKey } } },
    },
    schedulingGates: { items: { fields: { name: { required: 'a name', text: checkLabelKey } } }, unique: 'name' },
    dnsConfig: {
      fields: {
        nameservers: { most: 3, items: { format: checkAddress, emptyIsValue: true } },
        searches: { most: 32, items: { format: explainSearch, emptyIsValue: true } },
        options: { items: { fields: { name: { required: 'the name of an option' } } } },
      },
    },
    securityContext: podSecurity,
    affinity,
    tolerations,
    topologySpreadConstraints: spreadConstraints,
  },
  also: checkPod,
};

/** Fields of a pod that depend on one another. */
function checkPod(site: FieldSite): void {
  const { value: spec } = site;
  if (!isJsonObject(spec)) return;
  const grace = numberAt(spec, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace < 0) {
    const field = 'terminationGracePeriodSeconds';
    warn(site, field, `${field} is ${grace}, but Kubernetes uses 1 for negative values`);
  }
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    forbid(site, 'shareProcessNamespace', 'may not be true when "hostPID" is true');
  if (textAt(spec, 'dnsPolicy') === 'None' && listAt(mappingAt(spec, 'dnsConfig'), 'nameservers').length === 0) {
    const expected = 'required when dnsPolicy is None';
    demandField(below(site, 'dnsConfig'), ['nameservers'], { holder: 'dnsConfig', expected });
  }
  if (spec['hostUsers'] !== false) return;
  for (const name of ['hostPID', 'hostIPC'])
    if (spec[name] === true) forbid(site, name, 'may not be true when "hostUsers" is false');
}

function checkClaimSource(site: FieldSite): void {
  if (!isJsonObject(site.value)) return;
  checkChoice(site, site.value, { fields: ['resourceClaimName', 'resourceClaimTemplateName'], at: 'value' });
}

/** Container names are unique across all lists. The schema check finds duplicates within one list. */
function checkNames(site: Site, containers: readonly ContainerSite[]): void {
  if (containers.length < 2) return;
  const checkName = createUniqueness(site, 'the pod');
  for (const { container: fields, list, index } of containers) {
    const name = textAt(fields, 'name');
    if (name !== undefined)
      checkName(name, [list, index, 'name'], { what: `container name ${quote(name)}`, part: list });
  }
}

/** Ports of the node, and of the network that the containers share, are used only once. */
function checkPorts(site: Site, containers: readonly ContainerSite[]): void {
  const checkPort = createUniqueness(site, 'the pod');
  for (const { list, index, container: fields } of containers) {
    const isRunning = list === 'containers' || fields['restartPolicy'] === 'Always';
    listAt(fields, 'ports').forEach((port, position) => {
      if (!isJsonObject(port)) return;
      const { containerPort, hostPort } = port;
      const protocol = textAt(port, 'protocol') ?? 'TCP';
      const steps = [list, index, 'ports', position];
      if (list === 'containers' && typeof hostPort === 'number' && hostPort !== 0) {
        const key = `host ${protocol} ${textAt(port, 'hostIP') ?? ''} ${hostPort}`;
        checkPort(key, [...steps, 'hostPort'], { what: `host port ${hostPort}` });
      }
      if (!isRunning || typeof containerPort !== 'number' || containers.length === 1) return;
      const key = `${containerPort}/${protocol}`;
      const advice = 'change the port of one of the containers';
      // The schema check finds duplicates within a container.
      const use = { what: `container port ${key}`, advice, severity: 'warning', part: fields } as const;
      checkPort(key, [...steps, 'containerPort'], use);
    });
  }
}
