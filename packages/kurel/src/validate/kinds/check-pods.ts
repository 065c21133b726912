import { quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  containerPath,
  containersOf,
  listAt,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import type { ContainerSite, PodSite } from '../../kube/index.ts';
import { checkContainer } from './check-containers.ts';
import { checkLabels, checkLabelsAndAnnotations } from './check-metadata.ts';
import { checkNumber } from './check-number.ts';
import { checkResourceClaims } from './check-resource-claims.ts';
import { checkPodResources } from './check-resources.ts';
import { checkPodSecurity } from './check-security.ts';
import { checkTolerations } from './check-tolerations.ts';
import { checkVolumes } from './check-volumes.ts';
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
