import { detectInput } from '../forms/index.ts';
import type { FileSystem, Path } from '../model/index.ts';
import type { FleetTarget } from './fleet.ts';
import type { MergedSettings } from './merge-settings.ts';

/** Whether a package is an application package. Each package is looked at once. */
export type AskForm = (path: string) => Promise<boolean>;

export function createFormFinder(fileSystem: FileSystem): AskForm {
  const known = new Map<string, Promise<boolean>>();
  return (path) => {
    const answer = known.get(path) ?? isApplication(path, fileSystem);
    known.set(path, answer);
    return answer;
  };
}

async function isApplication(path: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    return (await detectInput({ path, fileSystem, isForApplications: true })).form.name === 'application';
  } catch {
    // The build reports why the package cannot be read.
    return true;
  }
}

interface Merged {
  readonly settings: MergedSettings;
  readonly origins: FleetTarget['origins'];
}

/**
 * A cluster has one profile and runs packages of all forms: a profile that a target inherits does not apply to packages without traits.
 * One that is set for the application or the target itself is kept, so that the build reports it.
 */
export async function dropProfile({ settings, origins }: Merged, isForApplications: AskForm): Promise<Merged> {
  const { package: input } = settings;
  const at = (origins.profile ?? origins.noProfile)?.at(-1);
  if (input === undefined || at === undefined || isOwn(at) || (await isForApplications(input))) {
    return { settings, origins };
  }
  const { profile: _, noProfile: __, ...others } = origins;
  return { settings: { ...settings, profile: undefined, noProfile: undefined }, origins: others };
}

function isOwn([, key, , inner]: Path): boolean {
  return key === 'applications' || key === 'targets' || inner === 'include';
}
