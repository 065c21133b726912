import { detectInput } from '../forms/index.ts';
import type { FileSystem, Path } from '../model/index.ts';
import type { FleetTarget } from './fleet.ts';
import { isInRegistry } from './registry-package.ts';

/** The form of a package; `undefined` if it cannot be read, which the build reports. Each package is looked at once. */
export type AskForm = (path: string) => Promise<string | undefined>;

export function createFormFinder(fileSystem: FileSystem): AskForm {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const answer = known.get(path) ?? findForm(path, fileSystem);
    known.set(path, answer);
    return answer;
  };
}

async function findForm(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  // The build looks at it, when it has been fetched.
  if (isInRegistry(path)) return undefined;
  try {
    return (await detectInput({ path, fileSystem, isForApplications: true })).form.name;
  } catch {
    return undefined;
  }
}

interface WithProfile<Settings> {
  readonly settings: Settings;
  readonly origins: FleetTarget['origins'];
}

interface ProfileSettings {
  readonly package: string | undefined;
  readonly profile?: string | undefined;
  readonly noProfile?: boolean | undefined;
}

/**
 * A cluster has one profile and runs packages of all forms: a profile that a target inherits does not apply to packages without traits.
 * One that is set for the application or the target itself is kept, so that the build reports it.
 */
export async function dropProfile<Settings extends ProfileSettings>(
  { settings, origins }: WithProfile<Settings>,
  formOf: AskForm,
): Promise<WithProfile<Settings>> {
  const { package: input } = settings;
  const at = (origins.profile ?? origins.noProfile)?.at(-1);
  if (input === undefined || at === undefined || isOwn(at)) return { settings, origins };
  if (((await formOf(input)) ?? 'application') === 'application') return { settings, origins };
  const { profile: _, noProfile: __, ...others } = origins;
  return { settings: { ...settings, profile: undefined, noProfile: undefined }, origins: others };
}

/** Whether an entry is about one application or one target. */
export function isOwn([, key, , inner]: Path): boolean {
  return key === 'applications' || key === 'targets' || inner === 'include';
}
