import { checkLabelKey, compareQuantities, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { fieldName, listWords, missingField } from '../../schema/index.ts';
import { explainContainerResource } from './check-resources.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { isWholeAmount, readAmount, showAmount } from './read-amount.ts';
import { checkValues } from './selector-rules.ts';

const counted = new Set(
  'pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims services.nodeports services.loadbalancers'.split(
    ' ',
  ),
);
const computed = new Set(['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);
const stored = new Set([
  'ephemeral-storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
  'requests.storage',
]);

function isQuotaResource(name: string): boolean {
  return counted.has(name) || computed.has(name) || stored.has(name) || /^(?:requests\.)?hugepages-/.test(name);
}

function explainQuotaResource(name: string): string | undefined {
  const reason = checkLabelKey(name);
  if (reason !== undefined || name.includes('/') || isQuotaResource(name)) return reason;
  return 'must be a resource that quotas support, such as pods or requests.cpu, or count/RESOURCE.GROUP';
}

function checkHard({ value, path, object, findings }: FieldSite): void {
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    const reason = explainQuotaResource(name);
    const place = [...path, name];
    if (reason !== undefined) {
      const args = { what: 'resource', text: name, reason, rule: explainQuotaResource };
      findings.add(object, { path: place, at: 'key' }, ['name-invalid', args]);
      continue;
    }
    const amount = readAmount(value[name]!);
    if (amount === undefined) continue;
    const isExtended = name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
    const isWhole = !(counted.has(name) || isExtended) || isWholeAmount(amount);
    if (amount.nanos >= 0n && isWhole) continue;
    const demand = amount.nanos < 0n ? 'must be at least 0' : 'must be an integer';
    findings.add(object, { path: place }, [
      'field-range',
      { field: fieldName(place), demand, found: showAmount(value[name]!) },
    ]);
  }
}

const plainScopes = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'];
const scopes = [...plainScopes, 'PriorityClass', 'CrossNamespacePodAffinity', 'VolumeAttributesClass'];
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** Whether a quota with this scope can limit the resource. */
function fitsScope(scope: string, resource: string): boolean {
  if (!isQuotaResource(resource) || !scopes.includes(scope)) return true;
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass')
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  return resource === 'pods' || computed.has(resource);
}

function checkScopes({ value, path, object, findings }: FieldSite): void {
  const hard = Object.keys(mappingAt(value, 'hard') ?? {});
  const listed = listAt(value, 'scopes').flatMap((scope, index) => named(scope, [...path, 'scopes', index]));
  const selected = listAt(mappingAt(value, 'scopeSelector'), 'matchExpressions').flatMap((one, index) =>
    named(isJsonObject(one) ? one['scopeName'] : undefined, [
      ...path,
      'scopeSelector',
      'matchExpressions',
      index,
      'scopeName',
    ]),
  );
  for (const group of [listed, selected]) {
    for (const { scope, place } of group) {
      const misfit = hard.find((resource) => !fitsScope(scope, resource));
      if (misfit === undefined) continue;
      const args = {
        field: fieldName(place),
        demand: `must apply to all resources in "hard"`,
        found: `"${scope}", which does not apply to "${misfit}"`,
      };
      findings.add(object, { path: place }, ['field-enum', args]);
    }
    const names = group.map(({ scope }) => scope);
    for (const pair of opposites) {
      if (!pair.every((scope) => names.includes(scope))) continue;
      const place = group.find(({ scope }) => scope === pair[1])!.place;
      findings.add(object, { path: place }, ['fields-exclusive', { holder: '"spec"', fields: pair }]);
    }
  }
}

function named(scope: Json | undefined, place: Path): readonly { readonly scope: string; readonly place: Path }[] {
  return typeof scope === 'string' ? [{ scope, place }] : [];
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

export const resourceQuota: FieldRule = {
  fields: {
    spec: {
      fields: {
        hard: { also: checkHard },
        scopes: { items: { words: scopes, emptyIsValue: true } },
        scopeSelector: {
          fields: {
            matchExpressions: {
              items: {
                fields: {
                  scopeName: { required: scopes.join(', '), words: scopes },
                  operator: { required: operators.join(', '), words: operators },
                },
                also: (site) => {
                  checkValues(site, ['In', 'NotIn']);
                  const [scope, operator] = [textAt(site.value, 'scopeName') ?? '', textAt(site.value, 'operator')];
                  if (![...plainScopes, 'CrossNamespacePodAffinity'].includes(scope) || operator === 'Exists') return;
                  if (operator === undefined || operator === '') return;
                  const args = {
                    field: 'operator',
                    demand: `must be Exists when scopeName is ${scope}`,
                    found: `"${operator}"`,
                  };
                  site.findings.add(site.object, { path: [...site.path, 'operator'] }, ['field-enum', args]);
                },
              },
            },
          },
        },
      },
      also: checkScopes,
    },
  },
};

const limitTypes = ['Container', 'Pod', 'PersistentVolumeClaim'];

function explainLimitType(type: string): string | undefined {
  return (
    checkLabelKey(type) ??
    (type.includes('/') || limitTypes.includes(type) ? undefined : `must be ${listWords(limitTypes, 'or')}`)
  );
}

const limitFields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Pairs of amounts in ascending order. */
const ordered = [
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['defaultRequest', 'max'],
  ['defaultRequest', 'default'],
  ['min', 'default'],
  ['default', 'max'],
] as const;

function checkLimit({ value, path, object, findings }: FieldSite): void {
  const type = textAt(value, 'type') ?? '';
  const isPod = type === 'Pod';
  const resources = new Set<string>();
  for (const field of limitFields) {
    const amounts = mappingAt(value, field) ?? {};
    if (isPod && (field === 'default' || field === 'defaultRequest')) {
      if (Object.keys(amounts).length === 0) continue;
      const demand = 'may not be set when type is Pod';
      findings.add(object, { path: [...path, field], at: 'key' }, ['field-enum', { field, demand }]);
      continue;
    }
    for (const name of Object.keys(amounts)) {
      resources.add(name);
      const rule = isPod || type === 'Container' ? explainContainerResource : explainStandardResource;
      const reason = rule(name);
      if (reason === undefined) continue;
      findings.add(object, { path: [...path, field, name], at: 'key' }, [
        'name-invalid',
        { what: 'resource', text: name, reason, rule },
      ]);
    }
  }
  if (
    type === 'PersistentVolumeClaim' &&
    !has(mappingAt(value, 'min'), 'storage') &&
    !has(mappingAt(value, 'max'), 'storage')
  ) {
    const expected = 'or "min", with "storage"';
    const args = missingField({ name: 'max', holder: 'a limit of type PersistentVolumeClaim', expected });
    findings.add(object, { path: [...path, 'max'] }, ['field-required', args]);
  }
  for (const name of resources) checkOrder({ value, path, object, findings }, name, isPod);
}

function explainStandardResource(name: string): string | undefined {
  const reason = checkLabelKey(name);
  if (reason !== undefined || name.includes('/') || name === 'storage' || isQuotaResource(name)) return reason;
  return 'must be a standard resource or an extended resource such as example.com/gpu';
}

function checkOrder(
  { value, path, object, findings }: Pick<FieldSite, 'value' | 'path' | 'object' | 'findings'>,
  name: string,
  isPod: boolean,
): void {
  const amountOf = (field: string): Json | undefined => {
    if (isPod && field.startsWith('default')) return undefined;
    const amounts = mappingAt(value, field) ?? {};
    return Object.hasOwn(amounts, name) ? amounts[name] : undefined;
  };
  for (const [low, high] of ordered) {
    const [one, other] = [amountOf(low), amountOf(high)];
    const [least, most] = [one, other].map((amount) => (amount === undefined ? undefined : readAmount(amount)));
    if (least === undefined || most === undefined || compareQuantities(least, most) <= 0) continue;
    const args = {
      field: fieldName([...path, low, name]),
      demand: `must be at most "${high}" (${showAmount(other!)})`,
      found: showAmount(one!),
    };
    findings.add(object, { path: [...path, low, name] }, ['field-range', args]);
  }
  checkRatio({ value, path, object, findings }, name, amountOf);
}

function checkRatio(
  { path, object, findings }: Pick<FieldSite, 'value' | 'path' | 'object' | 'findings'>,
  name: string,
  amountOf: (field: string) => Json | undefined,
): void {
  const written = amountOf('maxLimitRequestRatio');
  const ratio = written === undefined ? undefined : readAmount(written);
  if (ratio === undefined) return;
  const place = [...path, 'maxLimitRequestRatio', name];
  const refuse = (demand: string): void =>
    findings.add(object, { path: place }, [
      'field-range',
      { field: fieldName(place), demand, found: showAmount(written!) },
    ]);
  const [least, most] = ['min', 'max'].map((field) => {
    const amount = amountOf(field);
    return amount === undefined ? undefined : readAmount(amount);
  });
  if (ratio.nanos < 1_000_000_000n) refuse('must be at least 1');
  else if (
    least !== undefined &&
    most !== undefined &&
    least.nanos > 0n &&
    Number(ratio.nanos) / 1e9 > Number(most.nanos) / Number(least.nanos)
  )
    refuse('must be at most "max" divided by "min"');
}

export const limitRange: FieldRule = {
  fields: {
    spec: {
      fields: {
        limits: {
          unique: 'type',
          items: { fields: { type: { required: limitTypes.join(', '), text: explainLimitType } }, also: checkLimit },
        },
      },
    },
  },
};
