import type { Path } from '../model/index.ts';
import { isOwn } from './drop-profile.ts';
import type { AskForm } from './drop-profile.ts';
import type { FleetTarget, SettingName } from './fleet.ts';
import type { SettingsMerge } from './merge-settings.ts';

const valueSettings = ['values', 'optionalValues', 'set'] as const satisfies readonly SettingName[];

/**
 * A cluster has values and runs packages of all forms: those that a target inherits do not apply to plain manifests. Those that are set
 * for the application or the target itself are kept, so that the build reports them, and so are those that no other target uses.
 */
export interface ValueFilter {
  /** `placeOf` finds the entry of a values file. */
  add(target: FleetTarget, placeOf: SettingsMerge['placeOf']): Promise<void>;
  /** All targets, in the order in which they were added. */
  finish(): readonly FleetTarget[];
}

interface Pending {
  readonly index: number;
  readonly placeOf: SettingsMerge['placeOf'];
}

export function createValueFilter(formOf: AskForm): ValueFilter {
  const targets: FleetTarget[] = [];
  const pending: Pending[] = [];
  const used = new Set<string>();
  // Targets share the entries that they inherit.
  const seen = new Set<Path>();
  const use = (path: Path): void => {
    if (!seen.has(path)) used.add(JSON.stringify(path));
    seen.add(path);
  };
  return {
    async add(target, placeOf) {
      const { settings } = target;
      const index = targets.push(target) - 1;
      const hasValues = settings.values.length > 0 || settings.set.length > 0;
      // Patches may use values.
      const isPlain = hasValues && settings.patches.length === 0 && (await formOf(settings.package)) === 'manifests';
      if (isPlain) pending.push({ index, placeOf });
      else originsOfValues(target).forEach(use);
    },
    finish() {
      for (const { index, placeOf } of pending) targets[index] = dropValues(targets[index]!, { placeOf, used });
      return targets;
    },
  };
}

function originsOfValues({ origins }: FleetTarget): readonly Path[] {
  return valueSettings.flatMap((name) => origins[name] ?? []);
}

interface Dropping {
  readonly placeOf: SettingsMerge['placeOf'];
  /** The entries that targets of other forms use. */
  readonly used: ReadonlySet<string>;
}

function dropValues(target: FleetTarget, { placeOf, used }: Dropping): FleetTarget {
  const { settings, origins } = target;
  const isKept = (path: Path | undefined): boolean =>
    path === undefined || isOwn(path) || !used.has(JSON.stringify(path));
  const entryOf = (file: string): Path | undefined =>
    (placeOf('optionalValues', file) ?? placeOf('values', file))?.slice(0, -1);
  const kept: Partial<Record<SettingName, readonly Path[]>> = { ...origins };
  for (const name of valueSettings) {
    const list = origins[name]?.filter(isKept) ?? [];
    if (list.length > 0) kept[name] = list;
    else delete kept[name];
  }
  return {
    ...target,
    origins: kept,
    settings: {
      ...settings,
      values: settings.values.filter((file) => isKept(entryOf(file))),
      set: settings.set.filter(({ path }) => isKept(path)),
    },
  };
}
