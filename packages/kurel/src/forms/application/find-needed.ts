import { listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import type { Catalog } from './catalog/catalog.ts';

export interface NeededCapability {
  readonly type: string;
  /** What a profile could say, as lines of it. */
  readonly example: string;
  /** Whether all that needs it can be switched off. */
  readonly isOptional: boolean;
}

/** The capabilities that an application needs of a profile, as it is written, whatever is switched off; by name. */
export function findNeeded(application: Json, catalog: Catalog): readonly NeededCapability[] {
  const found = new Map<string, NeededCapability>();
  for (const component of listAt(mappingAt(application, 'spec'), 'components')) {
    for (const trait of listAt(component, 'traits').filter(isJsonObject)) {
      const type = textAt(trait, 'type') ?? '';
      const capability = catalog.traits.get(type)?.capability;
      if (capability?.isNeeded(mappingAt(trait, 'properties') ?? {}) !== true) continue;
      const isOptional = isSwitched(component) || isSwitched(trait);
      found.set(type, {
        type,
        example: capability.example,
        isOptional: isOptional && found.get(type)?.isOptional !== false,
      });
    }
  }
  return [...found.keys()].toSorted().map((type) => found.get(type)!);
}

function isSwitched(part: Json): boolean {
  return isJsonObject(part) && Object.hasOwn(part, 'enabled') && part['enabled'] !== true;
}
