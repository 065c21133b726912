import { isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path, Report } from '../../../model/index.ts';
import { fieldOf } from '../catalog/define.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import type { KubernetesCheck, WrittenAt } from '../documents/findings.ts';
import { holds, locateNearest } from '../documents/located-data.ts';
import type { LocatedData } from '../documents/located-data.ts';
import { readField } from '../documents/read-field.ts';
import type { PolicyRules } from '../documents/read-policy.ts';

/** The sources of properties in order of precedence: the author, the platform, a policy. */
export interface PropertySources {
  readonly table: Fields;
  /** What to use instead of certain properties that are not in the table. */
  readonly instead?: Readonly<Record<string, string>> | undefined;
  /** How to print the properties, for the hint about an unknown one. */
  readonly listing?: string | undefined;
  readonly author: LocatedData;
  /** Path of the properties in the author's document. */
  readonly path: Path;
  readonly authored: JsonObject;
  readonly platform?: { readonly rendering: JsonObject; readonly locate: (path: Path) => Location } | undefined;
  readonly policyDefaults: PolicyRules['defaults'];
  readonly report: Report;
  readonly checkKubernetes?: KubernetesCheck | undefined;
  readonly writtenAt?: WrittenAt | undefined;
  /** Maps the path of a lowered property to the original one. */
  readonly pathOf?: ((path: Path) => Path) | undefined;
}

export interface ReadProperties {
  /** Checked, with defaults; `undefined` after an error. */
  readonly properties: JsonObject | undefined;
  readonly report: ReportAt;
  /** Locates a property. */
  readonly locate: (path: Path) => Location;
}

/** Merges the properties of a handler and checks them against its table. */
export function readProperties(sources: PropertySources): ReadProperties {
  const { table, author, path, authored, platform, report, checkKubernetes, pathOf = (inner) => inner } = sources;
  const merged = mergeMappings(platform?.rendering ?? {}, authored);
  const data = withPolicyDefaults(merged, table, sources.policyDefaults);
  const locate = (inner: Path): Location => {
    const isOfPlatform = !holds(authored, inner) && holds(platform?.rendering, inner);
    return isOfPlatform ? platform!.locate(inner) : locateNearest(author, [...path, ...pathOf(inner)]);
  };
  const properties = readField(
    fieldOf({ properties: table, instead: sources.instead, listing: sources.listing }),
    data,
    {
      path,
      locate: (whole) => locate(whole.slice(path.length)),
      referencesAt: (whole) => author.referencesAt?.([...path, ...pathOf(whole.slice(path.length))]) ?? [],
      isMixedAt: (whole) => author.isMixedAt?.([...path, ...pathOf(whole.slice(path.length))]) === true,
      report,
      emptyIsAbsent: true,
      checkKubernetes,
      writtenAt: sources.writtenAt,
    },
  );
  return {
    properties: properties as JsonObject | undefined,
    locate,
    report(diagnostic: Diagnostic, inner, at) {
      const location = locate(inner);
      report({ ...diagnostic, location: at === undefined ? location : { ...location, at } });
    },
  };
}

/** Objects merge key by key; any other value of the author replaces, including `null`. Unmerged parts are shared. */
function mergeMappings(below: JsonObject, above: JsonObject): JsonObject {
  if (Object.keys(below).length === 0) return above;
  const keys = [...Object.keys(below), ...Object.keys(above).filter((key) => !Object.hasOwn(below, key))];
  const entries = keys.map((key): [string, Json] => {
    if (!Object.hasOwn(above, key)) return [key, below[key]!];
    const [lower, upper] = [Object.hasOwn(below, key) ? below[key] : undefined, above[key]!];
    return [key, isJsonObject(lower) && isJsonObject(upper) ? mergeMappings(lower, upper) : upper];
  });
  return Object.fromEntries(entries);
}

function withPolicyDefaults(data: JsonObject, table: Fields, defaults: PolicyRules['defaults']): JsonObject {
  const filled = policyKeysOf(table).flatMap((key): [string, Json][] => {
    const value = defaults[table[key]!.policyDefault!];
    const isGiven = Object.hasOwn(data, key) && data[key] !== null;
    return value === undefined || isGiven ? [] : [[key, value]];
  });
  return filled.length === 0 ? data : { ...data, ...Object.fromEntries(filled) };
}

const policyKeysOfTables = new WeakMap<Fields, readonly string[]>();

function policyKeysOf(table: Fields): readonly string[] {
  let keys = policyKeysOfTables.get(table);
  if (keys === undefined) {
    keys = Object.keys(table).filter((key) => table[key]!.policyDefault !== undefined);
    policyKeysOfTables.set(table, keys);
  }
  return keys;
}
