import { quote } from '../../diagnostics/index.ts';
import { checkPortName, compareQuantities, parseQuantity } from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';
import type { Json } from '../../model/index.ts';
import { containerPath } from '../pod-site.ts';
import type { ContainerSite } from '../pod-site.ts';
import { has, listAt, mappingAt, textAt } from '../read-fields.ts';
import { showValue } from '../fields/describe-value.ts';
import { checkEnv } from './check-env.ts';
import { checkProbes } from './check-probes.ts';
import { checkNumber, portRange } from './check-number.ts';
import type { KindCheck } from './kind-check.ts';

/** What the API server asks of a container; `volumes` are the names that its pod has. */
export function checkContainer(check: KindCheck, site: ContainerSite, volumes: ReadonlySet<string>): void {
  checkImage(check, site);
  const names = checkPorts(check, site);
  checkEnv(check, site);
  checkMounts(check, site, volumes);
  checkResources(check, site);
  checkProbes(check, site, names);
  checkSecurity(check, site);
}

function checkImage({ object, findings }: KindCheck, site: ContainerSite): void {
  const { image } = site.container;
  if (typeof image === 'string' && image.trim() !== image) {
    findings.add(object, { path: containerPath(site, 'image') }, [
      'field-value',
      { field: '"image"', demand: 'not begin or end with a blank', found: `is ${quote(image)}` },
    ]);
  }
  if (image !== undefined && image !== null && image !== '') return;
  findings.add(object, { path: containerPath(site, 'image') }, [
    'field-required',
    { name: 'image', holder: `container ${quote(textAt(site.container, 'name') ?? '')}`, expected: 'a string' },
  ]);
}

/** Gives the names of the ports. */
function checkPorts(check: KindCheck, site: ContainerSite): readonly string[] {
  const { object, findings } = check;
  const names: string[] = [];
  listAt(site.container, 'ports').forEach((port, index) => {
    const path = [...site.pod.specPath, site.list, site.index, 'ports', index];
    checkNumber(check, port, { path, name: 'containerPort', ...portRange });
    checkNumber(check, port, { path, name: 'hostPort', least: 0, most: portRange.most });
    const name = textAt(port, 'name');
    if (name === undefined || name === '') return;
    const reason = checkPortName(name);
    if (reason !== undefined)
      findings.add(object, { path: [...path, 'name'] }, ['name-invalid', { what: 'port name', text: name, reason }]);
    const first = names.indexOf(name);
    if (first !== -1) {
      findings.add(object, { path: [...path, 'name'] }, [
        'list-duplicate',
        { list: '"ports"', what: `name ${quote(name)}` },
      ]);
    }
    names.push(name);
  });
  return names;
}

function checkMounts({ object, findings }: KindCheck, site: ContainerSite, volumes: ReadonlySet<string>): void {
  listAt(site.container, 'volumeMounts').forEach((mount, index) => {
    const name = textAt(mount, 'name');
    if (name !== undefined && !volumes.has(name)) reportVolume(index, name, 'volumeMounts');
    if (has(mount, 'subPath') && has(mount, 'subPathExpr')) {
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

function checkResources({ object, findings }: KindCheck, site: ContainerSite): void {
  const resources = mappingAt(site.container, 'resources');
  if (resources === undefined) return;
  const limits = mappingAt(resources, 'limits');
  const requests = mappingAt(resources, 'requests');
  for (const field of ['limits', 'requests']) {
    for (const resource in mappingAt(resources, field)) {
      if (isResourceName(resource)) continue;
      findings.add(object, { path: containerPath(site, 'resources', field, resource), at: 'key' }, [
        'name-invalid',
        {
          what: 'resource',
          text: resource,
          reason: 'must be cpu, memory, ephemeral-storage, hugepages-…, or one of a domain, as in example.com/gpu',
        },
      ]);
    }
  }
  if (limits === undefined || requests === undefined) return;
  for (const resource in requests) {
    const [request, limit] = [requests[resource]!, limits[resource]];
    if (limit === undefined || limit === null || request === limit || !isAbove(request, limit)) continue;
    findings.add(object, { path: containerPath(site, 'resources', 'requests', resource) }, [
      'requests-above-limits',
      { resource, request: plainText(request), limit: plainText(limit) },
    ]);
  }
}

function isResourceName(name: string): boolean {
  return name.includes('/') || /^(?:cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name);
}

function plainText(value: Json): string {
  return typeof value === 'string' ? value : showValue(value);
}

function isAbove(request: Json, limit: Json): boolean {
  const [a, b] = [readQuantity(request), readQuantity(limit)];
  return a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
}

// The same few amounts stand in every container of a build.
const quantities = new Map<string, Quantity | undefined>();
const mostQuantities = 1000;

function readQuantity(value: Json): Quantity | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  const known = quantities.get(text);
  if (known !== undefined) return known;
  const quantity = parseQuantity(text);
  if (quantities.size < mostQuantities) quantities.set(text, quantity);
  return quantity;
}

function checkSecurity({ object, findings }: KindCheck, site: ContainerSite): void {
  const context = mappingAt(site.container, 'securityContext');
  if (context === undefined) return;
  const path = containerPath(site, 'securityContext');
  if (context['privileged'] === true && context['allowPrivilegeEscalation'] === false) {
    findings.add(object, { path: [...path, 'allowPrivilegeEscalation'] }, [
      'field-value',
      { field: '"allowPrivilegeEscalation"', demand: 'be true in a privileged container', found: 'is false' },
    ]);
  }
  if (context['runAsNonRoot'] === true && context['runAsUser'] === 0) {
    findings.add(object, { path: [...path, 'runAsUser'] }, [
      'setting-risky',
      { sentence: '"runAsNonRoot" forbids "runAsUser" 0, so the container will not start' },
    ]);
  }
}
