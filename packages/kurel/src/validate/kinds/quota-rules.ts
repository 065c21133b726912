import { checkLabelKey, compareQuantities, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { listWords } from '../../schema/index.ts';
import { explainContainerResource, isExtended } from './check-resources.ts';
import { ofSpec } from './field-rules.ts';
import { demandField, forbid, refuse, refuseName, report } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { isWholeAmount, readAmount, showAmount } from './read-amount.ts';
import { checkValues, operators } from './reference-rules.ts';

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

function checkHard(site: FieldSite): void {
  if (!isJsonObject(site.value)) return;
  for (const [name, value] of Object.entries(site.value)) {
    const reason = explainQuotaResource(name);
    const quantity = readAmount(value);
    if (reason !== undefined)
      refuseName(site, [name], { at: 'key', what: 'resource', text: name, reason, rule: explainQuotaResource });
    if (reason !== undefined || quantity === undefined) continue;
    const isCounted = counted.has(name) || (isExtended(name) && !name.startsWith('requests.'));
    const isWhole = !isCounted || isWholeAmount(quantity);
    if (quantity.nanos >= 0n && isWhole) continue;
    const demand = quantity.nanos < 0n ? 'must be at least 0' : 'must be an integer';
    refuse(site, [name], { code: 'field-range', demand, got: showAmount(value) });
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

function checkScopes(site: FieldSite): void {
  const hard = Object.keys(mappingAt(site.value, 'hard') ?? {});
  const listed = listAt(site.value, 'scopes').flatMap((scope, index) => scopeAt(scope, ['scopes', index]));
  const expressions = listAt(mappingAt(site.value, 'scopeSelector'), 'matchExpressions');
  const selected = expressions.flatMap((expression, index) =>
    scopeAt(textAt(expression, 'scopeName'), ['scopeSelector', 'matchExpressions', index, 'scopeName']),
  );
  for (const group of [listed, selected]) {
    for (const { scope, steps } of group) {
      const misfit = hard.find((resource) => !fitsScope(scope, resource));
      const got = `"${scope}", which does not apply to "${misfit}"`;
      if (misfit !== undefined) refuse(site, steps, { demand: 'must apply to all resources in "hard"', got });
    }
    for (const pair of opposites) {
      const [first, second] = pair.map((name) => group.find(({ scope }) => scope === name));
      if (first === undefined || second === undefined) continue;
      report(site, second.steps, ['fields-exclusive', { holder: '"spec"', fields: pair }]);
    }
  }
}

function scopeAt(scope: Json | undefined, steps: Path): readonly { readonly scope: string; readonly steps: Path }[] {
  return typeof scope === 'string' ? [{ scope, steps }] : [];
}

export const resourceQuota = ofSpec({
  fields: {
    hard: { also: checkHard },
    scopeSelector: {
      fields: {
        matchExpressions: {
          items: {
            fields: {
              scopeName: { required: scopes.join(', ') },
              operator: { required: operators.join(', ') },
            },
            also: checkScopeExpression,
          },
        },
      },
    },
  },
  also: checkScopes,
});

/** Scopes that a pod has or has not, so they take no values. */
function checkScopeExpression(site: FieldSite): void {
  checkValues(site);
  const [scope, operator] = [textAt(site.value, 'scopeName') ?? '', textAt(site.value, 'operator') ?? ''];
  if (![...plainScopes, 'CrossNamespacePodAffinity'].includes(scope) || operator === 'Exists' || operator === '')
    return;
  refuse(site, ['operator'], { demand: `must be Exists when scopeName is ${scope}`, got: `"${operator}"` });
}

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

function checkLimit(site: FieldSite): void {
  const { value } = site;
  const type = textAt(value, 'type') ?? '';
  const isPod = type === 'Pod';
  const rule = isPod || type === 'Container' ? explainContainerResource : explainStandardResource;
  const resources = new Set<string>();
  for (const field of limitFields) {
    const names = Object.keys(mappingAt(value, field) ?? {});
    if (isPod && field.startsWith('default')) {
      if (names.length > 0) forbid(site, field, 'may not be set when type is Pod');
      continue;
    }
    for (const name of names) {
      resources.add(name);
      const reason = rule(name);
      if (reason !== undefined)
        refuseName(site, [field, name], { at: 'key', what: 'resource', text: name, reason, rule });
    }
  }
  const hasStorage = ['min', 'max'].some((field) => has(mappingAt(value, field), 'storage'));
  if (type === 'PersistentVolumeClaim' && !hasStorage) {
    const holder = 'a limit of type PersistentVolumeClaim';
    demandField(site, ['max'], { holder, expected: 'or "min", with "storage"' });
  }
  for (const name of resources) checkOrder(site, name, isPod);
}

function explainStandardResource(name: string): string | undefined {
  const reason = checkLabelKey(name);
  if (reason !== undefined || name.includes('/') || name === 'storage' || isQuotaResource(name)) return reason;
  return 'must be a standard resource or an extended resource such as example.com/gpu';
}

function checkOrder(site: FieldSite, name: string, isPod: boolean): void {
  const amountOf = (field: string): Json | undefined => {
    if (isPod && field.startsWith('default')) return undefined;
    const amounts = mappingAt(site.value, field) ?? {};
    return Object.hasOwn(amounts, name) ? amounts[name] : undefined;
  };
  for (const [low, high] of ordered) {
    const [least, most] = [amountOf(low), amountOf(high)];
    const [lower, upper] = [readAmount(least), readAmount(most)];
    if (lower === undefined || upper === undefined || compareQuantities(lower, upper) <= 0) continue;
    const demand = `must be at most "${high}" (${showAmount(most!)})`;
    refuse(site, [low, name], { code: 'field-range', demand, got: showAmount(least!) });
  }
  const written = amountOf('maxLimitRequestRatio');
  const demand = explainRatio(written, amountOf('min'), amountOf('max'));
  if (demand !== undefined)
    refuse(site, ['maxLimitRequestRatio', name], { code: 'field-range', demand, got: showAmount(written!) });
}

function explainRatio(...amounts: readonly (Json | undefined)[]): string | undefined {
  const [ratio, least, most] = amounts.map(readAmount);
  if (ratio === undefined) return undefined;
  if (ratio.nanos < 1_000_000_000n) return 'must be at least 1';
  if (least === undefined || most === undefined || least.nanos <= 0n) return undefined;
  const isTooLarge = Number(ratio.nanos) / 1e9 > Number(most.nanos) / Number(least.nanos);
  return isTooLarge ? 'must be at most "max" divided by "min"' : undefined;
}

export const limitRange = ofSpec({
  fields: {
    limits: {
      unique: 'type',
      items: { fields: { type: { required: limitTypes.join(', '), text: explainLimitType } }, also: checkLimit },
    },
  },
});
