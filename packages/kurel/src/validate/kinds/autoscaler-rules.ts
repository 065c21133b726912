import { checkDnsLabel, has, listAt, numberAt, parseApiVersion, textAt } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import type { FindingPlace } from '../findings.ts';
import { explainContainerResource } from './check-resources.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { checkUnion, demandField, refuse, refuseNone } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { amount, positiveAmount } from './read-amount.ts';
import { pathSegment } from './reference-rules.ts';

/** Before 1.36 the API server also accepts the core group; `checkTarget` has the rule of later versions. */
function explainTarget(text: string): string | undefined {
  return parseApiVersion(text) === undefined ? 'must have the form "group/version"' : undefined;
}

const reference: FieldRule = {
  required: 'an object with "apiVersion", "kind" and "name"',
  fields: {
    apiVersion: { format: explainTarget },
    kind: { required: 'the kind of the object', ...pathSegment },
    name: { required: 'the name of the object', ...pathSegment },
  },
};

const targetTypes = ['Utilization', 'Value', 'AverageValue'];

/** The target value of a metric; one of `fields` is required. */
function target(fields: readonly string[], exclusive: boolean): FieldRule {
  return {
    required: `an object with "type" and "${fields.at(-1)}"`,
    ...(exclusive ? { exclusive: fields } : {}),
    fields: {
      type: { required: targetTypes.join(', '), words: targetTypes },
      value: positiveAmount,
      averageValue: positiveAmount,
      averageUtilization: { range: { least: 1 } },
    },
    also: (site) => {
      if (fields.some((name) => has(site.value, name))) return;
      if (fields.length > 1) refuseNone(site, { fields });
      else demandField(site, fields, { expected: 'a quantity' });
    },
  };
}

const metric: FieldRule = {
  required: 'an object with "name"',
  fields: { name: { required: 'the name of the metric', ...pathSegment } },
};
const resourceTarget = target(['averageUtilization', 'averageValue'], true);

const sources: Fields = {
  resource: { fields: { name: { required: 'cpu or memory' }, target: resourceTarget } },
  containerResource: {
    fields: {
      name: { required: 'cpu or memory', text: explainContainerResource },
      container: { required: 'the name of a container', text: checkDnsLabel },
      target: resourceTarget,
    },
  },
  pods: { fields: { metric, target: target(['averageValue'], false) } },
  object: { fields: { describedObject: reference, metric, target: target(['value', 'averageValue'], false) } },
  external: { fields: { metric, target: target(['value', 'averageValue'], true) } },
};

const sourceOf: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

function checkSource(site: FieldSite): void {
  const holder = `${fieldName(site.path)} of type ${textAt(site.value, 'type')}`;
  checkUnion(site, 'type', sourceOf, { holder, expected: 'an object' });
}

const scaling: FieldRule = {
  fields: {
    stabilizationWindowSeconds: { range: { least: 0, most: 3600 } },
    selectPolicy: { words: ['Max', 'Min', 'Disabled'], emptyIsValue: true },
    tolerance: amount,
    policies: {
      items: {
        fields: {
          type: { required: 'Pods or Percent', words: ['Pods', 'Percent'] },
          value: { required: 'a number', range: { least: 1 } },
          periodSeconds: { required: 'a number', range: { least: 1, most: 1800 } },
        },
      },
      also: (site) => {
        if (isJsonArray(site.value) && site.value.length === 0)
          refuse(site, [], { code: 'field-range', demand: 'must have at least 1 item', got: 'none' });
      },
    },
  },
};

export const autoscaler = ofSpec({
  required: 'an object',
  fields: {
    scaleTargetRef: { ...reference, also: checkTarget },
    maxReplicas: { required: 'a number', range: { least: 1 } },
    minReplicas: { range: { least: 0 } },
    targetCPUUtilizationPercentage: { range: { least: 1 } },
    metrics: {
      items: {
        fields: { type: { required: Object.keys(sourceOf).join(', '), words: Object.keys(sourceOf) }, ...sources },
        also: checkSource,
      },
    },
    behavior: { fields: { scaleUp: scaling, scaleDown: scaling } },
  },
  also: checkReplicas,
});

/** From 1.36 on, the scale target must have an API group. */
function checkTarget(site: FieldSite): void {
  const version = textAt(site.value, 'apiVersion') ?? '';
  if (site.minor < 36 || (version !== '' && parseApiVersion(version)?.group !== '')) return;
  if (textAt(site.value, 'kind') === 'ReplicationController' && version === 'v1') return;
  demandField(site, ['apiVersion'], { expected: 'with an API group, for example apps/v1' });
}

function checkReplicas(site: FieldSite): void {
  const [least, most] = [numberAt(site.value, 'minReplicas'), numberAt(site.value, 'maxReplicas')];
  const refuseLeast = (demand: string, related?: FindingPlace['related']): void =>
    refuse(site, ['minReplicas'], { code: 'field-range', demand, got: String(least), related });
  if (least !== undefined && most !== undefined && least > most) {
    const place = { message: 'maxReplicas is here', object: site.object, path: [...site.path, 'maxReplicas'] };
    refuseLeast(`must be at most "maxReplicas" (${most})`, [place]);
  }
  const types = listAt(site.value, 'metrics').map((entry) => textAt(entry, 'type'));
  if (least === 0 && !types.includes('Object') && !types.includes('External'))
    refuseLeast('must be at least 1 unless a metric has type Object or External');
}
