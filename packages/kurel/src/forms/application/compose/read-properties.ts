import { deepMerge } from '../../../engine/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path } from '../../../model/index.ts';
import type { CompiledHandler } from '../catalog/compile-handler.ts';
import type { ReportAt } from '../catalog/define.ts';
import { holds, locateNearest, readField } from '../../../documents/index.ts';
import type { PolicyRules } from '../../../documents/index.ts';
import type { CompositionInput } from './composition.ts';
import type { PlatformCapability } from './read-capabilities.ts';

/** The sources of properties in order of precedence: the author, the platform, a policy. */
export interface PropertySources {
  readonly handler: CompiledHandler;
  /** Path of the properties in the application. */
  readonly path: Path;
  readonly authored: JsonObject;
  readonly platform?: PlatformCapability | undefined;
  readonly policyDefaults: PolicyRules['defaults'];
}

type PropertyReading = Pick<CompositionInput, 'application' | 'report' | 'checkKubernetes'>;

export interface ReadProperties {
  /** Checked, with defaults; `undefined` after an error. */
  readonly properties: JsonObject | undefined;
  readonly report: ReportAt;
  /** Locates a property. */
  readonly locate: (path: Path) => Location;
}

/** Merges the properties of a handler and checks them against its table. */
export function readProperties(
  { handler, path, authored, platform, policyDefaults }: PropertySources,
  { application, report, checkKubernetes }: PropertyReading,
): ReadProperties {
  const merged = platform === undefined ? authored : deepMerge(platform.rendering, authored);
  const data = withPolicyDefaults(merged, handler, policyDefaults);
  const locate = (inner: Path): Location => {
    const isOfPlatform = !holds(authored, inner) && holds(platform?.rendering, inner);
    return isOfPlatform ? platform!.locate(inner) : locateNearest(application, [...path, ...inner]);
  };
  const properties = readField(handler.field, data, {
    path,
    locate: (whole) => locate(whole.slice(path.length)),
    referencesAt: application.referencesAt,
    isMixedAt: application.isMixedAt,
    writtenAt: application.writtenAt,
    report,
    emptyIsAbsent: true,
    checkKubernetes,
  });
  return {
    properties: properties as JsonObject | undefined,
    locate,
    report(diagnostic: Diagnostic, inner, at) {
      const location = locate(inner);
      report({ ...diagnostic, location: at === undefined ? location : { ...location, at } });
    },
  };
}

function withPolicyDefaults(
  data: JsonObject,
  { field, policyKeys }: CompiledHandler,
  defaults: PolicyRules['defaults'],
): JsonObject {
  if (policyKeys.length === 0) return data;
  const filled = policyKeys.flatMap((key): [string, Json][] => {
    const value = defaults[field.properties![key]!.policyDefault!];
    const isSet = Object.hasOwn(data, key) && data[key] !== null;
    return value === undefined || isSet ? [] : [[key, value]];
  });
  return filled.length === 0 ? data : { ...data, ...Object.fromEntries(filled) };
}
