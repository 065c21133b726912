import { describeValue, quote } from '../../../diagnostics/index.ts';
import type { hardening, ValueOf } from '../../../documents/index.ts';
import {
  eachMapping,
  fieldOf,
  listControls,
  pathTo,
  podSecurityLevels,
  textAt,
  violatedControls,
} from '../../../kube/index.ts';
import type { Place, PodSite } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';

export type Level = ValueOf<typeof hardening.psaLevel>;

/** A field of a pod that a level forbids. */
interface Excess {
  /** Path in the object that contains the pod. */
  readonly path: Path;
  /** `"privileged" of container "web" is true` */
  readonly what: string;
  /** The strictest level that allows it. */
  readonly allowedBy: Level;
}

const { allowedCapabilities, allowedSysctls, allowedVolumeTypes } = listControls;
const capabilities = {
  baseline: new Set<string>(allowedCapabilities.lists.baseline),
  restricted: new Set<string>(allowedCapabilities.lists.restricted),
};
const sysctls = new Set<string>(allowedSysctls.lists.baseline);
const volumeTypes = new Set<string>(allowedVolumeTypes.lists.restricted);

/**
 * Fields of a pod that a level of the Pod Security Standards forbids. Missing fields are ignored: the trait sets them.
 */
export function findExcesses({ spec, specPath }: PodSite, level: Level): readonly Excess[] {
  const excesses: Excess[] = [];
  const rank = podSecurityLevels.indexOf(level);
  eachMapping(spec, (holder, place) => {
    const path = [...specPath, ...pathTo(place)];
    for (const [key, value] of Object.entries(holder)) checkField(key, value, { holder, place, path });
    for (const type of forbiddenTypes(holder, place))
      add('restricted', `volume ${quote(nameOf(holder))} is of type ${type}`, [...path, type]);
    if (fieldOf(place) === 'sysctls') {
      const name = textAt(holder, 'name');
      if (name !== undefined && !sysctls.has(name)) add('baseline', `the pod sets ${quote(name)}`, [...path, 'name']);
    }
  });
  return excesses;

  function add(least: 'baseline' | 'restricted', what: string, path: Path): void {
    if (podSecurityLevels.indexOf(least) > rank) return;
    excesses.push({ path, what, allowedBy: least === 'baseline' ? 'privileged' : 'baseline' });
  }

  function checkField(key: string, value: Json, { holder, place, path }: FieldSite): void {
    const of = ownerOf(place);
    if (key === 'hostPath' && fieldOf(place) === 'volumes') {
      add('baseline', `volume ${quote(nameOf(holder))} is of type hostPath`, [...path, key, 'path']);
      return;
    }
    for (const { level: least, field } of violatedControls(key, value, place)) {
      add(least, `${quote(field.join('.'))} of ${of} is ${describeValue(value)}`, [...path, key]);
    }
    // Not part of the standard, but the trait guarantees it for this level.
    if (key === 'readOnlyRootFilesystem' && value !== null && value !== true)
      add('restricted', `"readOnlyRootFilesystem" of ${of} is ${describeValue(value)}`, [...path, key]);
    if (key !== 'add' || fieldOf(place) !== 'capabilities' || !isJsonArray(value)) return;
    for (const [index, name] of value.entries()) {
      if (typeof name !== 'string' || capabilities.restricted.has(name)) continue;
      const least = capabilities.baseline.has(name) ? 'restricted' : 'baseline';
      add(least, `${of} adds capability ${quote(name)}`, [...path, key, index]);
    }
  }
}

interface FieldSite {
  readonly holder: JsonObject;
  readonly place: Place;
  readonly path: Path;
}

/** Types of a volume that `restricted` forbids. */
function forbiddenTypes(volume: JsonObject, place: Place): readonly string[] {
  if (fieldOf(place) !== 'volumes') return [];
  return Object.keys(volume).filter(
    (type) => isJsonObject(volume[type]!) && type !== 'hostPath' && !volumeTypes.has(type),
  );
}

/** `container "web"` */
function ownerOf(place: Place): string {
  for (let at: Place | undefined = place; at !== undefined; at = at.above) {
    if (typeof at.step === 'number' && /containers$/i.test(fieldOf(at))) return `container ${quote(nameOf(at.value))}`;
  }
  return 'the pod';
}

function nameOf(value: Json): string {
  return textAt(value, 'name') ?? '';
}
