import { DiagnosticError } from '../../diagnostics/index.ts';
import type { BuildSettings } from '../../settings/index.ts';
import type { FlagDefinition, FlagValues } from '../command.ts';
import { comparedBuildOf } from './compare-builds.ts';
import type { ComparedBuild } from './compare-builds.ts';
import type { Revisions } from './revisions.ts';
import type { Environment } from '../environment.ts';
import { buildForQuestion } from '../explain/answer-from-build.ts';
import { fileProblem } from '../file-problem.ts';
import { fixedPart } from '../fleet/changed-targets.ts';
import { inputFlags } from '../input-flags.ts';
import type { InputFlags } from '../input-flags.ts';
import { openInput } from '../open-input.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { readRequest } from '../read-request.ts';

export interface BuiltSide extends SourcedFindings {
  /** Absent if it cannot be built; the diagnostics explain why. */
  readonly built?: ComparedBuild | undefined;
  /** The exit code if it cannot be built. */
  readonly failure: 1 | 2;
}

interface SideSurroundings {
  readonly environment: Environment;
  readonly revisions: Revisions;
}

export async function buildSide(
  text: string,
  settings: BuildSettings,
  { environment, revisions }: SideSurroundings,
): Promise<BuiltSide> {
  let side: Awaited<ReturnType<typeof openSide>>;
  try {
    side = await openSide(text, settings, { revisions, environment });
  } catch (error) {
    const { diagnostics, sources } =
      error instanceof DiagnosticError ? error : { diagnostics: [fileProblem(error)], sources: [] };
    return { diagnostics, sources, failure: 1 };
  }
  const reading = await readRequest(side.input, side.settings, environment, side.world);
  const { result, diagnostics, sources, failure } = await buildForQuestion(reading);
  return {
    diagnostics: diagnostics.filter(({ severity }) => severity !== 'note'),
    sources,
    failure,
    built: result && comparedBuildOf(result),
  };
}

async function openSide(
  text: string,
  written: BuildSettings,
  { revisions, environment }: Pick<SideSurroundings, 'revisions' | 'environment'>,
) {
  const path = await revisions.locate(text);
  const settings = await locateFiles(written, revisions);
  const { profile, policy, local, definitions, crds } = settings;
  const files = [profile, policy, local, ...definitions, ...crds.map(fixedPart)];
  const named = files.filter((file) => file !== undefined);
  const world = revisions.openWorld(path, named);
  return { input: await openInput(path, settings, environment, world.fileSystem), settings, world };
}

/** Profiles, policies and values files may be in a revision as well. */
async function locateFiles(settings: BuildSettings, revisions: Revisions): Promise<BuildSettings> {
  const locateOne = async (text: string | undefined): Promise<string | undefined> =>
    text === undefined ? undefined : await revisions.locate(text);
  const locateAll = async (texts: readonly string[]): Promise<readonly string[]> => {
    const located: string[] = [];
    for (const text of texts) located.push(await revisions.locate(text));
    return located;
  };
  return {
    ...settings,
    profile: await locateOne(settings.profile),
    policy: await locateOne(settings.policy),
    local: await locateOne(settings.local),
    values: await locateAll(settings.values),
    definitions: await locateAll(settings.definitions),
    crds: await locateAll(settings.crds),
  };
}

export type Side = 'a' | 'b';

const names = [
  'as',
  'values',
  'set',
  'set-string',
  'patch',
  'enable',
  'profile',
  'policy',
  'kubernetes-version',
  'crds',
] as const;

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

export function flagsOfSide(flags: FlagValues<InputFlags & SideFlags>, side: Side): FlagValues<InputFlags> {
  const merged = names.map((name) => {
    const [common, own] = [flags[name], flags[`${name}-${side}`]];
    const isList = typeof common === 'object' && typeof own === 'object';
    return [name, isList ? [...common, ...own] : (own ?? common)];
  });
  const ofSide = { ...flags, ...(Object.fromEntries(merged) as Pick<FlagValues<InputFlags>, SidedName>) };
  const isOfOther = ofSide.patch.length === 0 && (flags['patch-a'].length > 0 || flags['patch-b'].length > 0);
  return {
    ...ofSide,
    // Features of the patches of the other side.
    feature: isOfOther ? [] : flags.feature,
    'no-profile': flags[`profile-${side}`] === undefined && flags['no-profile'],
  };
}

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
