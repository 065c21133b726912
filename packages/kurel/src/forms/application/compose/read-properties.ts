import { isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path, Report } from '../../../model/index.ts';
import { fieldOf } from '../catalog/define.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import type { KubernetesCheck, WrittenAt } from '../documents/findings.ts';
import type { PolicyRules } from '../documents/read-policy.ts';
import { readField } from '../documents/read-field.ts';
import { holds, locateNearest } from './located-data.ts';
import type { LocatedData } from './located-data.ts';

/** Where properties come from, the first that has one wins: the author, the platform, a policy. */
export interface PropertySources {
  readonly table: Fields;
  /** What to use instead of properties that are not in it. */
  readonly instead?: Readonly<Record<string, string>> | undefined;
  readonly author: LocatedData;
  /** Of the properties in the document of the author. */
  readonly path: Path;
  readonly authored: JsonObject;
  readonly platform?: { readonly rendering: JsonObject; readonly locate: (path: Path) => Location } | undefined;
  readonly policyDefaults: PolicyRules['defaults'];
  readonly report: Report;
  readonly checkKubernetes?: KubernetesCheck | undefined;
  readonly writtenAt?: WrittenAt | undefined;
  /** Where properties that take the place of others stood. */
  readonly pathOf?: ((path: Path) => Path) | undefined;
}

export interface ReadProperties {
  /** Checked, with defaults; `undefined` when something is wrong with them. */
  readonly properties: JsonObject | undefined;
  readonly report: ReportAt;
  /** Where a property stands. */
  readonly locate: (path: Path) => Location;
}

/** Puts the properties of a handler together and checks them by its table. */
export function readProperties(sources: PropertySources): ReadProperties {
  const { table, author, path, authored, platform, report, checkKubernetes, pathOf = (inner) => inner } = sources;
  const merged = mergeMappings(platform?.rendering ?? {}, authored);
  const data = withPolicyDefaults(merged, table, sources.policyDefaults);
  const locate = (inner: Path): Location => {
    const isOfPlatform = !holds(authored, inner) && holds(platform?.rendering, inner);
    return isOfPlatform ? platform!.locate(inner) : locateNearest(author, [...path, ...pathOf(inner)]);
  };
  const properties = readField(
    fieldOf({ properties: table, ...(sources.instead === undefined ? {} : { instead: sources.instead }) }),
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

/** Mappings merge key by key; everything else of the author replaces, also `null`. What is not merged is shared. */
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
