import { quote } from '../../diagnostics/index.ts';
import { checkPortName, containerPath, has, listAt, textAt } from '../../kube/index.ts';
import type { ContainerSite } from '../../kube/index.ts';
import { missingField } from '../../schema/index.ts';
import { checkEnv } from './check-env.ts';
import { checkNumber, portRange } from './check-number.ts';
import { checkProbes } from './check-probes.ts';
import { checkContainerResources } from './check-resources.ts';
import { checkContainerSecurity } from './check-security.ts';
import type { KindCheck } from './kind-check.ts';

/** What the API server asks of a container; `volumes` are the names that its pod has. */
export function checkContainer(check: KindCheck, site: ContainerSite, volumes: ReadonlySet<string>): void {
  checkImage(check, site);
  const names = checkPorts(check, site);
  checkEnv(check, site);
  checkMounts(check, site, volumes);
  checkContainerResources(check, site);
  checkProbes(check, site, names);
  checkContainerSecurity(check, site);
}

function checkImage({ object, findings }: KindCheck, site: ContainerSite): void {
  const { image } = site.container;
  if (typeof image === 'string' && image.trim() !== image) {
    findings.add(object, { path: containerPath(site, 'image') }, [
      'field-format',
      { field: 'image', demand: 'must not begin or end with a blank', found: quote(image) },
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
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'port name', text: name, reason, rule: checkPortName },
      ]);
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
