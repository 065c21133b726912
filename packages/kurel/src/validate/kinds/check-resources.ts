import { checkDnsLabel, checkLabelKey, compareQuantities, listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import type { FieldRule } from './field-rules.ts';
import { below, demandField, refuse, refuseName, refuseNone, report } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import type { NameRule } from './problems.ts';
import { checkTiny, isWholeAmount, readAmount, showAmount, wholeOf } from './read-amount.ts';

export const containerResources: FieldRule = {
  fields: { claims: { since: 34, items: { fields: { request: { text: checkDnsLabel } }, also: checkClaim } } },
  also: (site) => checkAmounts(site, explainContainerResource),
};

/** Pod-level resources. */
export const podResources: FieldRule = {
  since: 34,
  refuses: { claims: () => 'may not be set in pod-level resources' },
  also: (site) => checkAmounts(site, explainPodResource),
};

/** The overhead of a runtime for each pod, by resource. */
export const overhead: FieldRule = {
  also: (site) => {
    if (!isJsonObject(site.value)) return;
    const amounts = site.value;
    for (const name of Object.keys(amounts)) checkResource(site, [name], amounts[name]!, explainContainerResource);
    checkPages(site, Object.keys(amounts));
  },
};

const none: JsonObject = {};

function checkAmounts(site: FieldSite, explainName: NameRule): void {
  const { value: resources, path, object, findings } = site;
  if (!isJsonObject(resources)) return;
  const limits = mappingAt(resources, 'limits') ?? none;
  const requests = mappingAt(resources, 'requests') ?? none;
  for (const field of ['limits', 'requests'] as const) {
    const amounts = field === 'limits' ? limits : requests;
    for (const name in amounts) {
      const value = amounts[name]!;
      const isValid = checkResource(site, [field, name], value, explainName);
      if (isValid && (name === 'memory' || name === 'ephemeral-storage'))
        checkTiny({ object, findings, value, path: [...path, field, name] }, name === 'memory' ? name : 'storage');
    }
  }
  for (const name in requests) {
    if (explainName(name) === undefined) checkRequest(site, name, requests[name]!, limits);
  }
  checkPages(site, [...Object.keys(limits), ...Object.keys(requests)]);
}

function checkPages(site: FieldSite, names: readonly string[]): void {
  if (names.includes('cpu') || names.includes('memory') || !names.some((name) => name.startsWith(pagesPrefix))) return;
  refuseNone(site, { holder: `"${site.path.at(-1)}" with huge pages`, fields: ['cpu', 'memory'] });
}

/** Checks the name and the amount of a resource, and returns whether the name is valid. */
function checkResource(site: FieldSite, steps: Path, value: Json, explainName: NameRule): boolean {
  const name = String(steps.at(-1));
  const reason = explainName(name);
  if (reason !== undefined) {
    refuseName(site, steps, { at: 'key', what: 'resource', text: name, reason, rule: explainName });
    return false;
  }
  const quantity = readAmount(value);
  const demand = quantity === undefined ? undefined : demandOf(name, quantity);
  if (demand !== undefined) refuse(site, steps, { code: 'field-range', demand, got: showAmount(value) });
  return true;
}

/** The rule that an amount of the resource violates. */
function demandOf(name: string, quantity: Quantity): string | undefined {
  if (quantity.nanos < 0n) return 'must be at least 0';
  if (isExtended(name)) return isWholeAmount(quantity) ? undefined : 'must be an integer';
  const pageSize = pageSizeOf(name);
  if (pageSize === undefined || wholeOf(quantity) % wholeOf(readAmount(pageSize)!) === 0n) return undefined;
  return `must be a multiple of the page size ${pageSize}`;
}

function checkRequest(site: FieldSite, name: string, request: Json, limits: JsonObject): void {
  const isFirm = isExtended(name) || pageSizeOf(name) !== undefined;
  if (!Object.hasOwn(limits, name)) {
    const expected = `equal to the request (${showAmount(request)})`;
    if (isFirm) demandField(below(site, 'limits'), [name], { holder: 'limits', expected });
    return;
  }
  const limit = limits[name]!;
  if (request === limit) return;
  const [wanted, most] = [readAmount(request), readAmount(limit)];
  if (wanted === undefined || most === undefined) return;
  const difference = compareQuantities(wanted, most);
  if (difference < 0 ? !isFirm : difference === 0) return;
  if (isFirm) {
    const demand = `must be the same in "requests" and "limits"`;
    refuse(site, ['requests', name], { demand, got: `${showAmount(request)} and ${showAmount(limit)}` });
  } else {
    const args = { resource: name, request: showAmount(request), limit: showAmount(limit) };
    report(site, ['requests', name], ['requests-above-limits', args]);
  }
}

/** The claim of a container names one of its pod. */
function checkClaim(site: FieldSite): void {
  const name = textAt(site.value, 'name');
  if (name === undefined) return;
  const claims = new Set(listAt(site.pod?.spec, 'resourceClaims').flatMap((claim) => textAt(claim, 'name') ?? []));
  if (!claims.has(name)) report(site, ['name'], ['claim-unknown', { name, candidates: [...claims] }]);
}

const pagesPrefix = 'hugepages-';
const quotaPrefix = 'requests.';
const longestDomain = 253 - quotaPrefix.length;

/** The `2Mi` of `hugepages-2Mi`; `undefined` for other resources. */
function pageSizeOf(name: string): string | undefined {
  return name.startsWith(pagesPrefix) ? name.slice(pagesPrefix.length) : undefined;
}

/** Resources with another domain than kubernetes.io are counted in integers and never overcommitted. */
export function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** Why a container cannot request a resource of this name. */
export function explainContainerResource(name: string): string | undefined {
  const pageSize = pageSizeOf(name);
  if (pageSize !== undefined) return explainPages(name, pageSize);
  if (!name.includes('/')) {
    return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage'
      ? undefined
      : 'must be cpu, memory, ephemeral-storage, hugepages-SIZE or an extended resource such as example.com/gpu';
  }
  const reason = checkLabelKey(name);
  if (reason !== undefined || !isExtended(name)) return reason;
  if (name.startsWith(quotaPrefix)) return `must not start with "${quotaPrefix}", which is reserved for quotas`;
  // Quotas name it with their prefix, and the length of that name is limited too.
  return name.indexOf('/') > longestDomain ? `must have at most ${longestDomain} characters before "/"` : undefined;
}

/** Why a resource of this name is not valid at the pod level. */
function explainPodResource(name: string): string | undefined {
  const pageSize = pageSizeOf(name);
  if (pageSize !== undefined) return explainPages(name, pageSize);
  return name === 'cpu' || name === 'memory' ? undefined : 'must be cpu, memory or hugepages-SIZE at the pod level';
}

function explainPages(name: string, pageSize: string): string | undefined {
  const size = readAmount(pageSize);
  const isSize = size !== undefined && size.nanos > 0n && isWholeAmount(size);
  return isSize ? checkLabelKey(name) : 'must end with a page size, for example hugepages-2Mi';
}
