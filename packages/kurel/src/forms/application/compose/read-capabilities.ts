import type { JsonObject, Location, Path, Report } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CapabilityDefinition, ClusterProfile, Field, Fields, LocatedData } from '../../../documents/index.ts';
import { locateNearest, readField, renderingField, splitCapabilityKey } from '../../../documents/index.ts';

/** How the platform implements one trait in one scope. */
export interface PlatformCapability {
  readonly rendering: JsonObject;
  /** The path is relative to the rendering. */
  readonly locate: (path: Path) => Location;
}

export interface Capabilities {
  /** Name of the profile, if there is one. */
  readonly profile: string | undefined;
  /** By key: `expose`, `expose.internal`. */
  readonly byKey: ReadonlyMap<string, PlatformCapability>;
  /** The existing scopes of a trait. */
  readonly scopesOf: (trait: string) => readonly string[];
}

interface ProfileReading {
  readonly profile: ClusterProfile;
  readonly source: LocatedData;
  readonly catalog: Catalog;
  readonly definitions: ReadonlyMap<string, CapabilityDefinition>;
  readonly report: Report;
}

export const noCapabilities: Capabilities = { profile: undefined, byKey: new Map(), scopesOf: () => [] };

/** Checks the capability of each trait, used or not, and fills in defaults. */
export function readCapabilities(reading: ProfileReading): Capabilities {
  const { profile, source, catalog, definitions, report } = reading;
  const byKey = new Map<string, PlatformCapability>();
  for (const [key, { rendering }] of Object.entries(profile.spec.capabilities)) {
    const path = ['spec', 'capabilities', key, 'rendering'];
    const { trait } = splitCapabilityKey(key);
    const handler = catalog.traits.get(trait);
    const definition = catalog.isBuiltIn(trait) ? undefined : definitions.get(trait);
    const locate = (inner: Path): Location => locateNearest(source, [...path, ...inner]);
    const defined = definition === undefined ? rendering : read(renderingField(definition), rendering);
    const table = handler === undefined ? undefined : (handler.capability?.rendering ?? relax(handler.properties));
    const value = table === undefined ? defined : read({ type: 'object', properties: table }, defined ?? rendering);
    if (value !== undefined) {
      handler?.capability?.check?.(value, (diagnostic, inner, at) => {
        const place = locate(inner);
        report({ ...diagnostic, location: at === undefined ? place : { ...place, at } });
      });
    }
    byKey.set(key, { rendering: value ?? rendering, locate });

    function read(field: Field, data: JsonObject): JsonObject | undefined {
      const inner = (whole: Path): Path => whole.slice(path.length);
      return readField(field, data, { ...source, path, report, locate: (whole) => locate(inner(whole)) }) as
        | JsonObject
        | undefined;
    }
  }
  const scopes = [...byKey.keys()].map(splitCapabilityKey);
  return {
    profile: profile.metadata.name,
    byKey,
    scopesOf: (trait) => scopes.flatMap((entry) => (entry.trait === trait ? (entry.scope ?? []) : [])),
  };
}

/** A rendering can set everything an author can set, but neither needs to set all of it. */
function relax(fields: Fields): Fields {
  const relaxed = Object.entries(fields).map(([key, field]): [string, Field] => {
    const { required: _required, default: _default, minItems: _minItems, ...rest } = field;
    return [key, rest.properties === undefined ? rest : { ...rest, properties: relax(rest.properties) }];
  });
  return Object.fromEntries(relaxed);
}
