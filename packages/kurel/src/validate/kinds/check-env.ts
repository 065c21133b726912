import { quote } from '../../diagnostics/index.ts';
import { checkDnsSubdomain, checkEnvVarName } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { containerPath } from '../pod-site.ts';
import type { ContainerSite } from '../pod-site.ts';
import { listAt, mappingAt, presentOf, textAt } from '../read-fields.ts';
import type { KindCheck } from './kind-check.ts';

const envSources: readonly string[] = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const bulkSources: readonly string[] = ['configMapRef', 'secretRef'];

/** Environment variables of a container and where they come from. */
export function checkEnv(check: KindCheck, site: ContainerSite): void {
  const { object, findings } = check;
  // The wider rule is on by default from 1.32 on.
  const rule = { relaxed: check.minor >= 32 };
  listAt(site.container, 'env').forEach((entry, index) => {
    if (!isJsonObject(entry)) return;
    const name = textAt(entry, 'name');
    const reason = name === undefined ? undefined : checkEnvVarName(name, rule);
    if (reason !== undefined) {
      findings.add(object, { path: containerPath(site, 'env', index, 'name') }, [
        'name-invalid',
        { what: 'environment variable', text: name!, reason, isLower: false },
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
    checkFieldPath(check, from, path);
  });
  listAt(site.container, 'envFrom').forEach((entry, index) => {
    if (!isJsonObject(entry)) return;
    const path = containerPath(site, 'envFrom', index);
    checkSource(check, { value: entry, names: bulkSources, path, holder: `"envFrom[${index}]"` });
  });
}

interface Source {
  readonly value: JsonObject;
  readonly names: readonly string[];
  readonly path: Path;
  readonly holder: string;
}

/** There must be exactly one, and what it names must be able to have that name. */
function checkSource({ object, findings }: KindCheck, { value, names, path, holder }: Source): void {
  const present = presentOf(value, names);
  for (const source of present) {
    const name = source.startsWith('f') || source.startsWith('r') ? undefined : textAt(value[source], 'name');
    const reason = name === undefined || name === '' ? undefined : checkDnsSubdomain(name);
    if (reason !== undefined) {
      const what = source.startsWith('secret') ? 'Secret name' : 'ConfigMap name';
      findings.add(object, { path: [...path, source, 'name'] }, ['name-invalid', { what, text: name!, reason }]);
    }
  }
  if (present.length === 1) return;
  // A field that is unknown has been reported, and was most likely meant to be the one.
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

const fieldPaths: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

function checkFieldPath({ object, findings }: KindCheck, from: JsonObject, path: Path): void {
  const field = textAt(mappingAt(from, 'fieldRef'), 'fieldPath');
  if (field === undefined || fieldPaths.includes(field) || /^metadata\.(?:labels|annotations)\['[^']+'\]$/.test(field))
    return;
  findings.add(object, { path: [...path, 'fieldRef', 'fieldPath'] }, [
    'field-enum',
    {
      field: '"fieldPath"',
      found: quote(field),
      allowed: [...fieldPaths, "metadata.labels['KEY']", "metadata.annotations['KEY']"],
      word: field,
    },
  ]);
}
