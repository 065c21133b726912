import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { listAt, valueAt } from '../documents/value-at.ts';
import type { ApplicationDocument } from '../documents/read-application-document.ts';

type Component = ApplicationDocument['spec']['components'][number];
type Trait = Component['traits'][number];
type Policy = ApplicationDocument['spec']['policies'][number];

/** A type without a handler, so that nothing else is reported about the part. */
const nothing = '';

interface SalvageOptions {
  readonly catalog: Catalog;
  /** Without a valid profile, the properties it would add to traits are unknown. */
  readonly isPlatformValid: boolean;
}

/**
 * The parts of a faulty application whose properties can still be checked: components, traits and policies, each at its
 * original index. This way mistakes in the structure and in properties are reported together.
 */
export function salvageDocument(data: Json, options: SalvageOptions): ApplicationDocument {
  const name = valueAt(data, ['metadata', 'name']);
  return {
    metadata: { name: typeof name === 'string' ? name : nothing, labels: {}, annotations: {} },
    spec: {
      components: (listAt(data, ['spec', 'components']) ?? []).map((item) => salvageComponent(item, options)),
      policies: (listAt(data, ['spec', 'policies']) ?? []).map((item) => salvagePolicy(item, options.catalog)),
    },
  };
}

const componentKeys: ReadonlySet<string> = new Set([
  'name',
  'type',
  'properties',
  'traits',
  'labels',
  'annotations',
  'enabled',
]);
const traitKeys: ReadonlySet<string> = new Set(['type', 'properties', 'enabled']);
const policyKeys: ReadonlySet<string> = new Set(['name', 'type', 'properties']);

function salvageComponent(item: Json, { catalog, isPlatformValid }: SalvageOptions): Component {
  const { name, type, ...rest } = salvagePart(item, componentKeys, catalog.components);
  const list = isPlatformValid ? listAt(item, ['traits']) : undefined;
  const traits = (list ?? []).map((trait): Trait => {
    const { type: traitType, properties } = salvagePart(trait, traitKeys, catalog.traits);
    return { type: traitType, properties, enabled: true };
  });
  const isNamed = typeof name === 'string' && name !== '';
  return {
    name: isNamed ? name : nothing,
    type: isNamed ? type : nothing,
    ...rest,
    labels: {},
    annotations: {},
    enabled: true,
    traits,
  };
}

function salvagePolicy(item: Json, catalog: Catalog): Policy {
  const { name, ...rest } = salvagePart(item, policyKeys, catalog.policies);
  return { name: typeof name === 'string' ? name : nothing, ...rest };
}

interface Part {
  readonly name: Json | undefined;
  readonly type: string;
  readonly properties: JsonObject;
}

/** Missing properties may be present under a misspelled key, so they do not count as missing. */
function salvagePart(item: Json, keys: ReadonlySet<string>, known: ReadonlyMap<string, unknown>): Part {
  const { name, type, properties = null } = isJsonObject(item) ? item : {};
  const isWhole = isJsonObject(properties) || (isJsonObject(item) && Object.keys(item).every((key) => keys.has(key)));
  const isKnown = typeof type === 'string' && known.has(type) && isWhole;
  return { name, type: isKnown ? type : nothing, properties: isJsonObject(properties) ? properties : {} };
}
