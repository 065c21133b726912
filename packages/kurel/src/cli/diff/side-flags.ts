import type { FlagDefinition, FlagValues } from '../command.ts';
import { inputFlags } from '../input-flags.ts';
import type { InputFlags } from '../input-flags.ts';

export type Side = 'a' | 'b';

const names = ['as', 'values', 'set', 'set-string', 'patch', 'enable', 'profile', 'policy'] as const;

type SidedName = (typeof names)[number];

type SideFlags = { readonly [Name in SidedName as `${Name}-${Side}`]: Omit<InputFlags[Name], 'short'> };

/** Input flags for A or B only: `--values-a`, `--profile-b`. */
export const sideFlags = Object.fromEntries(
  names.flatMap((name) => (['a', 'b'] as const).map((side) => [`${name}-${side}`, describeFlag(name, side)])),
) as unknown as SideFlags;

function describeFlag(name: SidedName, side: Side): FlagDefinition {
  const { short: _, ...flag }: FlagDefinition = inputFlags[name];
  const how = flag.type === 'list' ? `after every --${name}` : `instead of --${name}`;
  return { ...flag, section: 'side', summary: `For ${side.toUpperCase()} only, ${how}.` };
}

/** The flags of one side. */
export function flagsOfSide(flags: FlagValues<InputFlags & SideFlags>, side: Side): FlagValues<InputFlags> {
  const own = <Name extends SidedName>(name: Name) => flags[`${name}-${side}` as const];
  const profile = own('profile');
  const patch = [...flags.patch, ...own('patch')];
  const isOfOther = patch.length === 0 && (flags['patch-a'].length > 0 || flags['patch-b'].length > 0);
  return {
    ...flags,
    as: own('as') ?? flags.as,
    values: [...flags.values, ...own('values')],
    set: [...flags.set, ...own('set')],
    'set-string': [...flags['set-string'], ...own('set-string')],
    patch,
    // Features of the patches of the other side.
    feature: isOfOther ? [] : flags.feature,
    enable: [...flags.enable, ...own('enable')],
    profile: profile ?? flags.profile,
    'no-profile': profile === undefined && flags['no-profile'],
    policy: own('policy') ?? flags.policy,
  };
}

/** Whether a flag is set for one side only. */
export function hasOwnFlags(flags: FlagValues<SideFlags>, side: Side): boolean {
  return names.some((name) => {
    const value = flags[`${name}-${side}`];
    return value !== undefined && value.length > 0;
  });
}

/** The flag of an assignment: `--set[2]` is the first `--set-b` if there are two `--set`. */
export function nameAssignment(file: string, flags: FlagValues<InputFlags>, side: Side): string {
  const [, name, index] = /^--(set|set-string)\[(\d+)\]$/.exec(file) ?? [];
  if (name === undefined) return file;
  const own = Number(index) - flags[name as 'set' | 'set-string'].length;
  return own < 0 ? file : `--${name}-${side}[${own}]`;
}
