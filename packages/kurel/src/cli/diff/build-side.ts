import { build, examinedPackageOf } from '../../index.ts';
import type { BuildRequest } from '../../index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import type { SchemaStore } from '../../index.ts';
import type { KubeObject } from '../../model/index.ts';
import type { FlagValues } from '../command.ts';
import type { Environment } from '../environment.ts';
import { refusedBy } from '../explain/answer-from-build.ts';
import { fileProblem } from '../file-problem.ts';
import type { InputFlags } from '../input-flags.ts';
import type { InputWorld } from '../open-world.ts';
import type { Findings } from '../print-diagnostics.ts';
import { openInput } from '../open-input.ts';
import type { OpenedInput } from '../open-input.ts';
import { readRequest } from '../read-request.ts';
import { isWrongUsage } from '../usage-error.ts';
import type { Revisions } from './revisions.ts';

export interface BuiltSide extends Findings {
  /** Absent if it cannot be built; the diagnostics explain why. */
  readonly objects?: readonly KubeObject[];
  readonly isWrongUsage: boolean;
}

export interface SideSurroundings {
  readonly environment: Environment;
  readonly revisions: Revisions;
  readonly store: SchemaStore;
}

type Flags = FlagValues<InputFlags>;

/** Builds one side of a comparison. */
export async function buildSide(
  text: string,
  flags: Flags,
  { environment, revisions, store }: SideSurroundings,
): Promise<BuiltSide> {
  const place = await findPlace(text, flags, { revisions, environment });
  if ('diagnostics' in place) return { ...place, isWrongUsage: false };
  const given = await readRequest(place.input, place.flags, environment, place.world);
  if (!given.ok) return { ...given, isWrongUsage: given.diagnostics.some(({ code }) => code === 'set-syntax') };
  const result = await build(withStore(given.request, store));
  const examined = result.ok ? examinedPackageOf(result.rendering.facts) : undefined;
  const { strict, budget } = given.request;
  const refused = await refusedBy(examined, { store, environment, strict, budget });
  const findings = {
    // Notes of a build are not of interest here.
    diagnostics: [...given.diagnostics, ...refused.diagnostics, ...result.diagnostics].filter(
      ({ severity }) => severity !== 'note',
    ),
    sources: [...given.sources, ...refused.sources, ...result.sources],
  };
  if (!result.ok) return { ...findings, isWrongUsage: isWrongUsage(result.diagnostics) };
  if (refused.diagnostics.some(({ severity }) => severity === 'error')) return { ...findings, isWrongUsage: false };
  return { ...findings, objects: result.objects, isWrongUsage: false };
}

interface Place {
  readonly input: OpenedInput;
  readonly flags: Flags;
  readonly world: InputWorld;
}

async function findPlace(
  text: string,
  given: Flags,
  { revisions, environment }: Pick<SideSurroundings, 'revisions' | 'environment'>,
): Promise<Place | Findings> {
  try {
    const path = await revisions.locate(text);
    const flags = await locateFlags(given, revisions);
    const { profile, policy, local } = flags;
    const named = [profile, policy, local, ...flags['capability-def']].filter((one) => one !== undefined);
    const world = revisions.openWorld(path, named);
    return { input: await openInput(path, flags, environment, world.fileSystem), flags, world };
  } catch (error) {
    if (error instanceof DiagnosticError) return { diagnostics: error.diagnostics, sources: error.sources };
    return { diagnostics: [fileProblem(error)], sources: [] };
  }
}

/** Profiles, policies and values files may be in a revision as well. */
async function locateFlags(flags: Flags, revisions: Revisions): Promise<Flags> {
  const locateOne = async (text: string | undefined): Promise<string | undefined> =>
    text === undefined ? undefined : await revisions.locate(text);
  const locateAll = async (texts: readonly string[]): Promise<readonly string[]> => {
    const located: string[] = [];
    for (const text of texts) located.push(await revisions.locate(text));
    return located;
  };
  return {
    ...flags,
    profile: await locateOne(flags.profile),
    policy: await locateOne(flags.policy),
    local: await locateOne(flags.local),
    values: await locateAll(flags.values),
    'capability-def': await locateAll(flags['capability-def']),
  };
}

/** Patches use the types of fields. */
function withStore(request: BuildRequest, store: SchemaStore): BuildRequest {
  const patches = request.patches === undefined ? undefined : { ...request.patches, store };
  return { ...request, patches, store: () => store };
}
