import {
  checkDnsLabel,
  checkLabelKey,
  compareQuantities,
  containerPath,
  has,
  listAt,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import type { ContainerSite, PodSite, Quantity } from '../../kube/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { fieldName, missingField } from '../../schema/index.ts';
import { checkTiny, isWholeAmount, readAmount, showAmount, wholeOf } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

export function checkContainerResources(check: KindCheck, site: ContainerSite): void {
  const resources = mappingAt(site.container, 'resources');
  if (resources === undefined) return;
  const path = containerPath(site, 'resources');
  checkAmounts(check, resources, { path, explainName: explainContainerResource });
  // Before 1.34 the API server drops claims unread.
  if (check.minor >= 34) checkClaims(check, site, resources);
}

/** Pod-level resources. Before 1.34 the API server drops them unread. */
export function checkPodResources(check: KindCheck, { spec, specPath }: PodSite): void {
  const resources = check.minor < 34 ? undefined : mappingAt(spec, 'resources');
  if (resources === undefined) return;
  const path = [...specPath, 'resources'];
  checkAmounts(check, resources, { path, explainName: explainPodResource });
  if (!has(resources, 'claims')) return;
  check.findings.add(check.object, { path: [...path, 'claims'], at: 'key' }, [
    'field-enum',
    { field: 'claims', demand: 'may not be set in pod-level resources' },
  ]);
}

const none: JsonObject = {};

interface Amounts {
  readonly path: Path;
  readonly explainName: (name: string) => string | undefined;
}

/** The overhead of a runtime for each pod, by resource. */
export function checkOverhead(check: KindCheck, amounts: JsonObject, path: Path): void {
  let hasPages = false;
  for (const name of Object.keys(amounts)) {
    const reason = explainContainerResource(name);
    const place = [...path, name];
    if (reason === undefined) checkAmount(check, { name, value: amounts[name]!, path: place });
    else {
      const args = { what: 'resource', text: name, reason, rule: explainContainerResource };
      check.findings.add(check.object, { path: place, at: 'key' }, ['name-invalid', args]);
    }
    if (pageSizeOf(name) !== undefined) hasPages = true;
  }
  if (!hasPages || Object.hasOwn(amounts, 'cpu') || Object.hasOwn(amounts, 'memory')) return;
  check.findings.add(check.object, { path, at: 'key' }, [
    'field-choice-missing',
    { holder: `"${path.at(-1)}" with huge pages`, fields: ['cpu', 'memory'] },
  ]);
}

function checkAmounts(check: KindCheck, resources: JsonObject, { path, explainName }: Amounts): void {
  const { object, findings } = check;
  const limits = mappingAt(resources, 'limits') ?? none;
  const requests = mappingAt(resources, 'requests') ?? none;
  let hasPages = false;
  let hasMemoryOrCpu = false;
  for (const field of ['limits', 'requests'] as const) {
    const amounts = field === 'limits' ? limits : requests;
    for (const name in amounts) {
      const reason = explainName(name);
      if (reason === undefined) {
        const value = amounts[name]!;
        checkAmount(check, { name, value, path: [...path, field, name] });
        if (name === 'memory' || name === 'ephemeral-storage') {
          checkTiny(check, { of: name === 'memory' ? name : 'storage', value, path: [...path, field, name] });
        }
      } else {
        findings.add(object, { path: [...path, field, name], at: 'key' }, [
          'name-invalid',
          { what: 'resource', text: name, reason, rule: explainName },
        ]);
      }
      if (pageSizeOf(name) !== undefined) hasPages = true;
      if (name === 'cpu' || name === 'memory') hasMemoryOrCpu = true;
    }
  }
  for (const name in requests) {
    if (explainName(name) === undefined) checkRequest(check, { name, request: requests[name]!, limits, path });
  }
  if (hasPages && !hasMemoryOrCpu) {
    findings.add(object, { path, at: 'key' }, [
      'field-choice-missing',
      { holder: '"resources" with huge pages', fields: ['cpu', 'memory'] },
    ]);
  }
}

interface Amount {
  readonly name: string;
  readonly value: Json;
  readonly path: Path;
}

function checkAmount({ object, findings }: KindCheck, { name, value, path }: Amount): void {
  const amount = readAmount(value);
  const demand = amount === undefined ? undefined : demandOf(name, amount);
  if (demand === undefined) return;
  findings.add(object, { path }, ['field-range', { field: fieldName(path), demand, found: showAmount(value) }]);
}

/** The rule that an amount of the resource violates. */
function demandOf(name: string, amount: Quantity): string | undefined {
  if (amount.nanos < 0n) return 'must be at least 0';
  if (isExtended(name)) return isWholeAmount(amount) ? undefined : 'must be an integer';
  const pageSize = pageSizeOf(name);
  if (pageSize === undefined || wholeOf(amount) % wholeOf(readAmount(pageSize)!) === 0n) return undefined;
  return `must be a multiple of the page size ${pageSize}`;
}

interface Request {
  readonly name: string;
  readonly request: Json;
  readonly limits: JsonObject;
  /** Of the resources. */
  readonly path: Path;
}

function checkRequest({ object, findings }: KindCheck, { name, request, limits, path }: Request): void {
  const isFirm = isExtended(name) || pageSizeOf(name) !== undefined;
  if (!Object.hasOwn(limits, name)) {
    if (!isFirm) return;
    findings.add(object, { path: [...path, 'limits', name] }, [
      'field-required',
      missingField({ name, holder: 'limits', expected: `equal to the request (${showAmount(request)})` }),
    ]);
    return;
  }
  const limit = limits[name]!;
  if (request === limit) return;
  const [wanted, most] = [readAmount(request), readAmount(limit)];
  if (wanted === undefined || most === undefined) return;
  const difference = compareQuantities(wanted, most);
  if (difference < 0 ? !isFirm : difference === 0) return;
  const place = { path: [...path, 'requests', name] };
  if (isFirm) {
    const demand = `must be the same in "requests" and "limits"`;
    const found = `${showAmount(request)} and ${showAmount(limit)}`;
    findings.add(object, place, ['field-enum', { field: fieldName(place.path), demand, found }]);
  } else {
    const args = { resource: name, request: showAmount(request), limit: showAmount(limit) };
    findings.add(object, place, ['requests-above-limits', args]);
  }
}

function checkClaims({ object, findings }: KindCheck, site: ContainerSite, resources: JsonObject): void {
  if (!has(resources, 'claims')) return;
  const known = new Set(listAt(site.pod.spec, 'resourceClaims').flatMap((claim) => textAt(claim, 'name') ?? []));
  listAt(resources, 'claims').forEach((claim, index) => {
    const path = containerPath(site, 'resources', 'claims', index);
    const [name, request] = [textAt(claim, 'name'), textAt(claim, 'request')];
    if (name !== undefined && !known.has(name))
      findings.add(object, { path: [...path, 'name'] }, ['claim-unknown', { name, known: [...known] }]);
    const reason = request === undefined || request === '' ? undefined : checkDnsLabel(request);
    if (reason !== undefined)
      findings.add(object, { path: [...path, 'request'] }, [
        'name-invalid',
        { what: 'request', text: request!, reason, rule: checkDnsLabel },
      ]);
  });
}

const pagesPrefix = 'hugepages-';
const quotaPrefix = 'requests.';
const longestDomain = 253 - quotaPrefix.length;

/** The `2Mi` of `hugepages-2Mi`; `undefined` for other resources. */
function pageSizeOf(name: string): string | undefined {
  return name.startsWith(pagesPrefix) ? name.slice(pagesPrefix.length) : undefined;
}

/** Resources with another domain than kubernetes.io are counted in integers and never overcommitted. */
function isExtended(name: string): boolean {
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
