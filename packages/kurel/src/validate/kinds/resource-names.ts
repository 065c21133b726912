import { checkLabelKey } from '../../kube/index.ts';
import { isWholeAmount, readAmount } from './read-amount.ts';

const pagesPrefix = 'hugepages-';
const quotaPrefix = 'requests.';
const longestDomain = 253 - quotaPrefix.length;

/** The `2Mi` of `hugepages-2Mi`; `undefined` for what are no huge pages. */
export function pageSizeOf(name: string): string | undefined {
  return name.startsWith(pagesPrefix) ? name.slice(pagesPrefix.length) : undefined;
}

/** Resources of a domain that is not Kubernetes' own are counted, and never given out twice. */
export function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** Why a container cannot ask for a resource of this name. */
export function explainContainerResource(name: string): string | undefined {
  const pageSize = pageSizeOf(name);
  if (pageSize !== undefined) return explainPages(name, pageSize);
  if (!name.includes('/')) {
    return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage'
      ? undefined
      : 'must be cpu, memory, ephemeral-storage, hugepages-…, or one of a domain, as in example.com/gpu';
  }
  const reason = checkLabelKey(name);
  if (reason !== undefined || !isExtended(name)) return reason;
  if (name.startsWith(quotaPrefix)) return `must not begin with "${quotaPrefix}", which is for quotas`;
  // Quotas must be able to name it, with their prefix.
  return name.indexOf('/') > longestDomain ? `must have at most ${longestDomain} characters before "/"` : undefined;
}

/** Why there is no resource of this name for a pod as a whole. */
export function explainPodResource(name: string): string | undefined {
  const pageSize = pageSizeOf(name);
  if (pageSize !== undefined) return explainPages(name, pageSize);
  return name === 'cpu' || name === 'memory' ? undefined : 'must be cpu, memory or hugepages-… for a pod as a whole';
}

function explainPages(name: string, pageSize: string): string | undefined {
  const size = readAmount(pageSize);
  const isSize = size !== undefined && size.nanos > 0n && isWholeAmount(size);
  return isSize ? checkLabelKey(name) : 'must end in the size of a page, as in hugepages-2Mi';
}
