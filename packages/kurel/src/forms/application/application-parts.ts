import { textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, Path, Report } from '../../model/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { itemsAt, readField } from '../../documents/index.ts';
import type { LocatedData } from '../../documents/index.ts';
import { putAt } from './pods/change-pods.ts';
import { applicationProblems } from './problems.ts';

/** A component or trait of an application as written. */
interface ApplicationPart {
  readonly part: Json;
  readonly path: Path;
  readonly isTrait: boolean;
  /** The component that it is or belongs to. */
  readonly component: Json;
}

/** Components and their traits, in document order. */
export function listParts(application: Json): readonly ApplicationPart[] {
  const parts: ApplicationPart[] = [];
  for (const [index, component] of itemsAt(application, ['spec', 'components']).entries()) {
    const path = ['spec', 'components', index];
    parts.push({ part: component, path, isTrait: false, component });
    for (const [position, part] of itemsAt(component, ['traits']).entries()) {
      parts.push({ part, path: [...path, 'traits', position], isTrait: true, component });
    }
  }
  return parts;
}

/** A component or trait with an `enabled` field. */
interface OptionalPart extends Pick<ApplicationPart, 'path'> {
  readonly enabled: Json;
}

/** Components and traits with `enabled`, in document order. */
export function findOptionalParts(application: Json): readonly OptionalPart[] {
  const optional: OptionalPart[] = [];
  const add = (part: Json, pathOf: () => Path): void => {
    if (isJsonObject(part) && Object.hasOwn(part, 'enabled'))
      optional.push({ path: pathOf(), enabled: part['enabled']! });
  };
  itemsAt(application, ['spec', 'components']).forEach((component, index) => {
    const path = ['spec', 'components', index];
    add(component, () => path);
    itemsAt(component, ['traits']).forEach((trait, position) => add(trait, () => [...path, 'traits', position]));
  });
  return optional;
}

/** Tells whether a path is that of a disabled part. */
export function createIsOff(off: readonly Path[]): (path: Path) => boolean {
  const keys = new Set(off.map((path) => JSON.stringify(path)));
  return (path) => keys.has(JSON.stringify(path));
}

/** The indexes of the parts of a list to keep; `undefined` keeps the list as it is. */
type KeptIn = (list: Path, parts: readonly Json[]) => readonly number[] | undefined;

interface KeptParts extends LocatedData {
  /** Maps a path to that in the whole application. */
  readonly pathBefore: (path: Path) => Path;
}

/** The application with only some of its components and traits. */
export function keepParts({ data, locate, referencesAt, isMixedAt, ...rest }: LocatedData, keptIn: KeptIn): KeptParts {
  const kept = new Map<string, readonly number[]>();
  return {
    ...rest,
    data: keep(data, ['spec', 'components'], []),
    locate: (path) => locate(pathBefore(path)),
    referencesAt: (path) => referencesAt?.(pathBefore(path)) ?? [],
    isMixedAt: (path) => isMixedAt?.(pathBefore(path)) === true,
    pathBefore,
  };

  function keep(holder: Json, steps: Path, at: Path): Json {
    const list = [...at, ...steps];
    const parts = valueAt(holder, steps);
    const indexes = isJsonArray(parts) ? keptIn(list, parts) : undefined;
    if (!isJsonArray(parts) || indexes === undefined) return holder;
    kept.set(JSON.stringify(list), indexes);
    return putAt(
      holder,
      steps,
      indexes.map((index) => keep(parts[index]!, ['traits'], [...list, index])),
    );
  }

  function pathBefore(path: Path): Path {
    const before: (string | number)[] = [];
    for (const step of path) {
      const indexes = typeof step === 'number' ? kept.get(JSON.stringify(before)) : undefined;
      before.push(indexes?.[step as number] ?? step);
    }
    return before;
  }
}

/** The application without its disabled parts. */
export function leaveOut(application: LocatedData, off: readonly Path[]): KeptParts {
  if (off.length === 0) return { ...application, pathBefore: (path) => path };
  const isOff = createIsOff(off);
  return keepParts(application, (list, parts) => [...parts.keys()].filter((index) => !isOff([...list, index])));
}

/** An application as written, and the paths of its disabled parts. */
interface PartsOff {
  readonly authored: LocatedData;
  readonly off: readonly Path[];
}

/** Disabled parts are not read, but an unknown type in them would still fail once they are enabled. */
export function checkPartsOff({ off, authored }: PartsOff, catalog: Catalog, report: Report): void {
  for (const path of off) {
    const isTrait = path.includes('traits');
    const types = [...(isTrait ? catalog.traits : catalog.components).keys()].toSorted();
    const type = textAt(valueAt(authored.data, path), 'type');
    if (type === undefined || type.includes('${')) continue;
    const field = { type: 'string', enum: types, noun: isTrait ? 'trait' : 'component type' } as const;
    readField(field, type, { path: [...path, 'type'], locate: authored.locate, report });
  }
}

/** Whether all components are disabled, which is valid but rarely intended. */
export function checkAnyOn({ off, authored }: PartsOff, report: Report): boolean {
  const count = itemsAt(authored.data, ['spec', 'components']).length;
  const isAllOff = count > 0 && off.filter((path) => path.length === 3).length === count;
  const location = { ...authored.locate(['spec', 'components']), at: 'key' as const };
  if (isAllOff) report(applicationProblems.create('components-off', { count }, { location }));
  return isAllOff;
}
