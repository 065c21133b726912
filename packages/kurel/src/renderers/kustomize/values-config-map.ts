import { canonicalJson } from '../../engine/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import type { Json, Values } from '../../model/index.ts';
import { writeYaml } from '../../yaml/index.ts';
import { kustomizeProblems } from './problems.ts';

/**
 * Values as the ConfigMap `values` that a kustomization may name as a resource or take replacements from. ConfigMaps hold
 * texts: scalars are written as they are, lists and mappings as JSON; `null` removes.
 */
export function writeValuesConfigMap(values: Values): string {
  const names = Object.keys(values).filter((name) => !/^[-._a-zA-Z0-9]{1,253}$/.test(name));
  if (names.length > 0) {
    throw new DiagnosticError(names.map((name) => kustomizeProblems.create('kustomization-value-name', { name })));
  }
  const data = Object.entries(values).filter(([, value]) => value !== null);
  return writeYaml({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'values' },
    data: Object.fromEntries(data.map(([name, value]) => [name, formatValue(value)])),
  });
}

function formatValue(value: Json): string {
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}
