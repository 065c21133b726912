import { quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  containerPath,
  containersOf,
  has,
  listAt,
  mappingAt,
  numberAt,
  presentOf,
  textAt,
} from '../../kube/index.ts';
import type { ContainerSite, PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { checkContainer } from './check-containers.ts';
import { checkLabelsAndAnnotations } from './check-metadata.ts';
import { checkFieldRules } from './field-rules.ts';
import { podRules } from './pod-rules.ts';
import { checkTolerations } from './check-tolerations.ts';
import { checkTiny, readAmount, showAmount } from './read-amount.ts';
import { checkPodResources } from './check-resources.ts';
import { checkPodSecurity } from './check-security.ts';
import type { KindCheck } from './kind-check.ts';

/** Checks the rules of the API server for pods and pod templates. */
export function checkPods(check: KindCheck, pod: PodSite): void {
  const { object, findings } = check;
  const { spec, specPath } = pod;
  const metadata = mappingAt(pod.template, 'metadata');
  // The metadata of a Pod has been checked as the metadata of an object.
  if (metadata !== undefined && pod.templatePath.length > 0) {
    checkLabelsAndAnnotations(check, metadata, [...pod.templatePath, 'metadata']);
  }
  const containers = containersOf(pod);
  checkNames(check, containers);
  checkHostPorts(check, containers);
  checkSharedPorts(check, containers);
  const volumes = checkVolumes(check, pod);
  for (const site of containers) checkContainer(check, site, volumes);
  checkPodResources(check, pod);
  checkResourceClaims(check, pod);
  checkPodSecurity(check, pod);
  const grace = numberAt(spec, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace < 0) {
    const sentence = `terminationGracePeriodSeconds is ${grace}, but Kubernetes uses 1 for negative values`;
    findings.add(object, { path: [...specPath, 'terminationGracePeriodSeconds'] }, ['setting-risky', { sentence }]);
  }
  checkFieldRules(check, spec, { rule: podRules, path: specPath });
  checkTolerations(check, spec['tolerations'], [...specPath, 'tolerations']);
}

/** Container names are unique across all lists. The schema check finds duplicates within one list. */
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
          related: [{ message: 'the first one is here', object, path: containerPath(first, 'name') }],
        },
        ['list-duplicate', { list: 'the pod', what: `container name ${quote(name)}` }],
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
        findings.add(object, { path, related: [{ message: 'the first one is here', object, path: first }] }, [
          'list-duplicate',
          { list: 'the pod', what: `host port ${port['hostPort']}` },
        ]);
      }
    });
  }
}

/** Containers of a pod share its network, so only one can listen on a port. The schema check finds duplicates within a container. */
function checkSharedPorts({ object, findings }: KindCheck, sites: readonly ContainerSite[]): void {
  if (sites.length < 2) return;
  const running = sites.filter(
    ({ list, container }) => list === 'containers' || container['restartPolicy'] === 'Always',
  );
  if (running.length < 2) return;
  const seen = new Map<string, { readonly site: ContainerSite; readonly path: Path }>();
  for (const site of running) {
    listAt(site.container, 'ports').forEach((port, index) => {
      const number = numberAt(port, 'containerPort');
      if (number === undefined) return;
      const key = `${number}/${textAt(port, 'protocol') ?? 'TCP'}`;
      const path = containerPath(site, 'ports', index, 'containerPort');
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { site, path });
      else if (first.site !== site) {
        const related = [{ message: 'the first one is here', object, path: first.path }];
        findings.add(object, { path, related, severity: 'warning' }, [
          'list-duplicate',
          {
            list: 'the pod',
            what: `container port ${key}`,
            advice: 'change the port of one of the containers',
          },
        ]);
      }
    });
  }
}

const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

/** The resource claims of a pod. Before 1.34 the API server drops them unread. */
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

/** Checks the volumes of a pod and returns the names that containers may mount. */
function checkVolumes(check: KindCheck, { spec, specPath }: PodSite): ReadonlySet<string> {
  const { object, findings } = check;
  const names = new Set<string>();
  listAt(spec, 'volumes').forEach((volume, index) => {
    if (!isJsonObject(volume)) return;
    const name = textAt(volume, 'name');
    if (name !== undefined) names.add(name);
    const sources = Object.keys(volume).filter((field) => field !== 'name' && has(volume, field));
    if (sources.length > 1) {
      findings.add(object, { path: [...specPath, 'volumes', index, sources[1]!], at: 'key' }, [
        'fields-exclusive',
        { holder: `volume "${name ?? index}"`, fields: sources },
      ]);
    }
    const path = [...specPath, 'volumes', index];
    checkSizeLimit(check, mappingAt(volume, 'emptyDir'), [...path, 'emptyDir', 'sizeLimit']);
  });
  // Each claim template of a StatefulSet becomes a volume of its pods.
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
