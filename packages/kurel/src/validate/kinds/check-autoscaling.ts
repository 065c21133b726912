import { isJsonObject } from '../../model/index.ts';
import { listAt, mappingAt, numberAt, presentOf } from '../../kube/index.ts';
import { missingField } from '../../schema/index.ts';
import { checkNumber } from './check-number.ts';
import type { KindCheck } from './kind-check.ts';
import { readSelector } from './check-workloads.ts';

const metricFields: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

export function checkAutoscaler(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec');
  checkNumber(check, spec, { path: ['spec'], name: 'maxReplicas', least: 1 });
  checkNumber(check, spec, { path: ['spec'], name: 'minReplicas', least: 0 });
  const [least, most] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas')];
  if (least !== undefined && most !== undefined && least > most) {
    findings.add(
      object,
      {
        path: ['spec', 'minReplicas'],
        related: [{ message: 'maxReplicas is here', object, path: ['spec', 'maxReplicas'] }],
      },
      [
        'field-range',
        { field: 'minReplicas', demand: `must be at most ${most}, which is "maxReplicas"`, found: String(least) },
      ],
    );
  }
  listAt(spec, 'metrics').forEach((metric, index) => {
    if (!isJsonObject(metric) || typeof metric['type'] !== 'string') return;
    const field = metricFields[metric['type']];
    if (field === undefined || isJsonObject(metric[field])) return;
    findings.add(object, { path: ['spec', 'metrics', index, field] }, [
      'field-required',
      missingField({ name: field, holder: `metrics[${index}] of type ${metric['type']}`, expected: 'an object' }),
    ]);
  });
}

export function checkDisruptionBudget({ object, findings }: KindCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined) return;
  const present = presentOf(spec, ['minAvailable', 'maxUnavailable']);
  if (present.length === 2) {
    findings.add(object, { path: ['spec', present[1]!], at: 'key' }, [
      'fields-exclusive',
      { holder: '"spec"', fields: present },
    ]);
  }
  for (const name of present) {
    const amount = spec[name];
    if (typeof amount !== 'string' || /^\d+%$/.test(amount)) continue;
    findings.add(object, { path: ['spec', name] }, [
      'field-format',
      { field: name, demand: 'must be an integer or a percentage such as 50%', found: `"${amount}"` },
    ]);
  }
  const selector = mappingAt(spec, 'selector');
  const read = selector === undefined ? undefined : readSelector(selector);
  if (typeof read === 'string' && findings.errorsOf(object) === 0) {
    findings.add(object, { path: ['spec', 'selector'], at: 'key' }, ['selector-invalid', { reason: read }]);
  }
}
