import { getOrAdd } from '../budget/index.ts';
import type { FleetSettingName } from '../documents/index.ts';
import { detectInput } from '../forms/index.ts';
import type { Form } from '../forms/index.ts';
import type { FileSystem, Path } from '../model/index.ts';
import type { FleetContext, FleetTarget } from './fleet.ts';
import type { SettingsMerge } from './merge-settings.ts';
import { isInRegistry } from './registry-package.ts';

/** The form of a package; `undefined` if it cannot be read, which the build reports. Each package is looked at once. */
type AskForm = (path: string, place: Path) => Promise<Form | undefined>;

/** `place` is the entry that has the package. */
export function createFormFinder({ fileSystem, steps }: Pick<FleetContext, 'fileSystem' | 'steps'>): AskForm {
  const answers = new Map<string, Promise<Form | undefined>>();
  return (path, place) =>
    getOrAdd(answers, path, () => {
      steps.takeLookUp(place);
      return findForm(path, fileSystem);
    });
}

async function findForm(path: string, fileSystem: FileSystem): Promise<Form | undefined> {
  // The build looks at it, when it has been fetched.
  if (isInRegistry(path)) return undefined;
  try {
    return (await detectInput({ path, fileSystem, isForApplications: true })).form;
  } catch {
    return undefined;
  }
}

interface Configured<Settings> {
  readonly settings: Settings;
  readonly origins: FleetTarget['origins'];
}

interface SettingsOfForms {
  readonly package: string | undefined;
  readonly profile?: string | undefined;
  readonly noProfile?: boolean | undefined;
  readonly layout?: string | undefined;
  readonly flux?: object | undefined;
}

/**
 * A cluster has one profile and one namespace for Flux objects, and runs packages of all forms: what a target inherits of them does not
 * apply to packages without traits. What is set for the application or the target itself is kept, so that the build reports it.
 */
export async function dropForeign<Settings extends SettingsOfForms>(
  { settings, origins }: Configured<Settings>,
  formOf: AskForm,
): Promise<Configured<Settings>> {
  const { package: input, layout } = settings;
  const isInherited = (entries: readonly Path[] | undefined): boolean => entries?.some(isOwnEntry) === false;
  const ofProfile = (origins.profile ?? origins.noProfile)?.slice(-1);
  const foreign: readonly FleetSettingName[] = [
    ...(isInherited(ofProfile) ? (['profile', 'noProfile'] as const) : []),
    ...(layout !== 'flux' && isInherited(origins.flux) ? (['flux'] as const) : []),
  ];
  const at = (ofProfile ?? origins.flux)?.at(-1);
  if (input === undefined || at === undefined || foreign.length === 0) return { settings, origins };
  if ((await formOf(input, at))?.settings.includes('application') !== false) return { settings, origins };
  const without = <Each extends object>(each: Each): Each =>
    Object.fromEntries(Object.entries(each).filter(([name]) => !foreign.includes(name as FleetSettingName))) as Each;
  return { settings: without(settings), origins: without(origins) };
}

/** Whether an entry is about one application or one target. */
export function isOwnEntry([, key, , inner]: Path): boolean {
  return key === 'applications' || key === 'targets' || inner === 'include';
}

const valueSettings = ['values', 'optionalValues', 'set'] as const satisfies readonly FleetSettingName[];

type PlaceOf = SettingsMerge['placeOf'];

/**
 * A cluster has values and runs packages of all forms: those that a target inherits do not apply to plain manifests. Those that are set
 * for the application or the target itself are kept, so that the build reports them, and so are those that no other target uses.
 */
export function createValueFilter(formOf: AskForm) {
  const targets: FleetTarget[] = [];
  const pending: { readonly index: number; readonly placeOf: PlaceOf }[] = [];
  const used = new Set<string>();
  // Targets share the entries that they inherit.
  const seen = new Set<Path>();
  const use = (path: Path): void => {
    if (!seen.has(path)) used.add(JSON.stringify(path));
    seen.add(path);
  };

  function dropValues(target: FleetTarget, placeOf: PlaceOf): FleetTarget {
    const { settings, origins } = target;
    const isKept = (path: Path | undefined): boolean =>
      path === undefined || isOwnEntry(path) || !used.has(JSON.stringify(path));
    const entryOf = (file: string): Path | undefined =>
      (placeOf('optionalValues', file) ?? placeOf('values', file))?.slice(0, -1);
    const kept: Partial<Record<FleetSettingName, readonly Path[]>> = { ...origins };
    for (const name of valueSettings) {
      const list = origins[name]?.filter(isKept) ?? [];
      if (list.length > 0) kept[name] = list;
      else delete kept[name];
    }
    const values = settings.values.filter((file) => isKept(entryOf(file)));
    const set = settings.set.filter(({ path }) => isKept(path));
    return { ...target, origins: kept, settings: { ...settings, values, set } };
  }

  return {
    /** `placeOf` finds the entry of a values file. */
    async add(target: FleetTarget, placeOf: PlaceOf): Promise<void> {
      const { settings, origins } = target;
      const index = targets.push(target) - 1;
      const hasValues = settings.values.length > 0 || settings.set.length > 0;
      // Patches may use values.
      const isPlain =
        hasValues &&
        settings.patches.length === 0 &&
        (await formOf(settings.package, target.path))?.holdsObjects === true;
      if (isPlain) pending.push({ index, placeOf });
      else for (const name of valueSettings) origins[name]?.forEach(use);
    },
    /** All targets, in the order in which they were added. */
    finish(): readonly FleetTarget[] {
      for (const { index, placeOf } of pending) targets[index] = dropValues(targets[index]!, placeOf);
      return targets;
    },
  };
}
