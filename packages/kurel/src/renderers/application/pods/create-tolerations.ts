import { isJsonObject } from '../../../model/index.ts';
import type { Json } from '../../../model/index.ts';

/** A toleration without a key is for every taint, which Kubernetes wants to be said by its operator. */
export function createTolerations(list: readonly Json[]): readonly Json[] {
  return list.map((toleration) => {
    if (!isJsonObject(toleration) || (toleration['operator'] ?? '') !== '') return toleration;
    const { key, operator: _, ...rest } = toleration;
    return key === undefined || key === null || key === ''
      ? { operator: 'Exists', ...rest }
      : { key, operator: 'Equal', ...rest };
  });
}
