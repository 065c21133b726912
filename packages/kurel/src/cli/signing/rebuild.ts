import { isAbsolute, join, resolve } from 'node:path';

import { reportRegistry } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import type { BuildSettings } from '../../settings/index.ts';
import { isValid, keyOfInput, provenanceClaim, readProvenance, signingProblems } from '../../signing/index.ts';
import type { BuildInput, BuildProvenance, CheckedArtifact } from '../../signing/index.ts';
import { build as buildCommand } from '../commands/build.ts';
import { createStore } from '../open-schemas.ts';
import type { Environment } from '../environment.ts';
import { kurelVersion } from '../kurel-version.ts';
import { withLimits } from '../limits.ts';
import { repositoryOf } from '../open-repository.ts';
import { openDisk } from '../open-world.ts';
import { flagsOf } from '../setting-flags.ts';
import { UsageError } from '../usage-error.ts';
import { buildAttested, checkWords, networkSettings, settingsOfWords } from './attested-build.ts';
import type { AttestedBuild } from './attested-build.ts';
import { compareFiles, readRendered } from './compare-files.ts';
import { reportRefused } from './open-artifact.ts';
import type { OpenedArtifact } from './open-artifact.ts';

interface RebuildCall {
  readonly flags: { readonly source?: string | undefined };
  readonly environment: Environment;
}

/** Builds an artifact again as its provenance says, and compares all files. Throws a `DiagnosticError` that names the cause if they differ. */
export async function rebuildArtifact(
  artifact: OpenedArtifact,
  checked: CheckedArtifact,
  call: RebuildCall,
): ReturnType<typeof rebuildFrom> {
  const [first, ...others] = findProvenance(checked, artifact.reference);
  try {
    return await rebuildFrom(first, artifact, call);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    // The same files may have been built more than once, from other inputs.
    for (const provenance of others) {
      const rebuilt = await rebuildFrom(provenance, artifact, call).catch(ignoreFindings);
      if (rebuilt !== undefined) return rebuilt;
    }
    throw error;
  }
}

function ignoreFindings(error: unknown): undefined {
  if (error instanceof DiagnosticError) return undefined;
  throw error;
}

async function rebuildFrom(provenance: BuildProvenance, artifact: OpenedArtifact, { flags, environment }: RebuildCall) {
  const { workingDirectory } = environment;
  const root = flags.source === undefined ? repositoryOf(workingDirectory) : resolve(workingDirectory, flags.source);
  const changed = await checkInputs(provenance, { ...environment, workingDirectory: root });
  if (changed.length > 0) throw new DiagnosticError([...otherVersions(provenance, []), ...changed]);
  const rebuilt = await buildAgain(provenance, { root, flags, environment });
  const stored = await readRendered(artifact);
  const differences = compareFiles(stored, rebuilt.result.files, () => createStore(undefined));
  const versions = otherVersions(provenance, rebuilt.provenance.inputs);
  if (differences.length > 0) {
    throw new DiagnosticError([
      ...versions,
      ...findOtherInputs(provenance.inputs, rebuilt.provenance.inputs),
      ...differences.map((difference) => signingProblems.create('rebuild-file', difference)),
    ]);
  }
  // The same bytes, whichever versions made them.
  const warnings = versions.map((finding): Diagnostic => Object.assign({}, finding, { severity: 'warning' }));
  return { files: stored.length, inputs: provenance.inputs.length, warnings };
}

/** Provenance that somebody who is trusted has signed; the last one first. */
function findProvenance(
  { attestations }: CheckedArtifact,
  reference: string,
): readonly [BuildProvenance, ...BuildProvenance[]] {
  const claims = attestations.filter(({ statement }) => statement.predicateType === provenanceClaim).toReversed();
  const [first, ...others] = claims.filter(isValid).flatMap(({ statement }) => readProvenance(statement) ?? []);
  if (first !== undefined) return [first, ...others];
  const refused = reportRefused('attestation-refused', claims, reference);
  throw new DiagnosticError(
    refused.length > 0 ? refused : [signingProblems.create('attestation-missing', { reference })],
  );
}

async function checkInputs({ inputs }: BuildProvenance, environment: Environment): Promise<readonly Diagnostic[]> {
  const kept = keepReads(openDisk(environment));
  const diagnostics: Diagnostic[] = [];
  for (const input of inputs) {
    if (input.type !== 'file') continue;
    const stamp = isInside(input.name) ? await kept.stampOf(input.name, 'content') : '!';
    if (stamp === input.stamp) continue;
    const state = stamp.startsWith('!') ? 'missing' : 'changed';
    diagnostics.push(signingProblems.create('rebuild-input', { input: input.name, state }));
  }
  return diagnostics;
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[\\/]/).includes('..');
}

/** Programs that made the artifact, of which this machine has others. */
function otherVersions({ version, inputs }: BuildProvenance, now: readonly BuildInput[]): readonly Diagnostic[] {
  const diagnostics =
    version === kurelVersion
      ? []
      : [signingProblems.create('rebuild-version', { attested: version, own: kurelVersion })];
  for (const input of inputs) {
    const same = now.find((other) => keyOfInput(other) === keyOfInput(input));
    if (input.type !== 'program' || same === undefined || same.stamp === input.stamp) continue;
    diagnostics.push(
      signingProblems.create('rebuild-input', { input: `${input.name} ${input.stamp}`, state: 'version' }),
    );
  }
  return diagnostics;
}

/** Inputs of this build that are not the attested ones: files that were added, and content of URLs. */
function findOtherInputs(attested: readonly BuildInput[], now: readonly BuildInput[]): readonly Diagnostic[] {
  const earlier = new Map(attested.map((input) => [keyOfInput(input), input]));
  return now.flatMap((input): readonly Diagnostic[] => {
    if (input.type === 'program') return [];
    const before = earlier.get(keyOfInput(input));
    if (before !== undefined && before.stamp === input.stamp) return [];
    const state = before === undefined ? 'added' : 'changed';
    return [signingProblems.create('rebuild-input', { input: input.name, state })];
  });
}

async function buildAgain(
  { directory, path, flags: words }: BuildProvenance,
  { root, flags, environment: outside }: RebuildCall & { readonly root: string },
): Promise<AttestedBuild> {
  try {
    if (!isInside(directory)) throw new UsageError('its directory is outside the repository');
    const workingDirectory = join(root, directory);
    checkWords({ path, flags: words }, { environment: { ...outside, workingDirectory }, root });
    const own = networkSettings(flags, outside);
    const settings = { ...settingsOfWords({ path, flags: words }), ...own };
    const placed = { ...withLimits(outside, { settings }), workingDirectory };
    const environment = await openPackages(path, { settings, environment: placed });
    return await buildAttested({ path, flags: words }, { environment, root, own });
  } catch (error) {
    if (error instanceof UsageError) throw signingProblems.error('rebuild-failed', { reason: error.message });
    if (!(error instanceof DiagnosticError)) throw error;
    const { diagnostics, sources } = error;
    const reason = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it gives nothing';
    throw new DiagnosticError([signingProblems.create('rebuild-failed', { reason }), ...diagnostics], { sources });
  }
}

async function openPackages(
  path: string,
  { settings, environment }: { readonly settings: BuildSettings; readonly environment: Environment },
): Promise<Environment> {
  if (!path.startsWith('oci://')) return environment;
  const { openRemoteInputs } = await import('../packages/open-remote-package.ts');
  return await reportRegistry(
    async () => await openRemoteInputs(buildCommand, { positionals: [path], flags: flagsOf(settings), environment }),
  );
}
