import { quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { isBuiltInGroup, listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { KindCheck } from './kind-check.ts';

/** CustomResourceDefinitions of apiextensions.k8s.io/v1. */
export function checkDefinition({ object, gvk, findings }: KindCheck): void {
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
