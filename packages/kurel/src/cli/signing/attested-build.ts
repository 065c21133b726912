import { isAbsolute, relative, resolve } from 'node:path';

import { DiagnosticError, isSecretName, quote } from '../../diagnostics/index.ts';
import { toSlashes } from '../../host/index.ts';
import type { BuildResult } from '../../index.ts';
import { compareText } from '../../model/index.ts';
import { findSecretWords } from '../../provenance/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import { keepReads } from '../../reads/index.ts';
import { mapPaths, settingNames, wordsOfSettings } from '../../settings/index.ts';
import type { BuildSettings, SettingName } from '../../settings/index.ts';
import { keyOfInput, signingProblems } from '../../signing/index.ts';
import type { BuildInput, BuildProvenance } from '../../signing/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import { build as buildCommand } from '../commands/build.ts';
import type { Environment } from '../environment.ts';
import { kurelVersion } from '../kurel-version.ts';
import { observeReads } from '../observe-reads.ts';
import type { StampedRead } from '../observe-reads.ts';
import { openInput } from '../open-input.ts';
import { openDisk } from '../open-world.ts';
import { splitKey } from '../fleet/stamp-reads.ts';
import { parseFlags } from '../parse-flags.ts';
import { settingsOf } from '../setting-flags.ts';
import { UsageError } from '../usage-error.ts';
import { valuesOfSecret } from '../values-of-secrets.ts';

/** Settings that do not change the files of a build, or that are for another machine to decide. */
const unattested: ReadonlySet<SettingName> = new Set([
  'output',
  'offline',
  'allowPrivate',
  'registryConfig',
  'noCache',
  'maxFleetSteps',
]);
const attestedNames = settingNames.filter((name) => !unattested.has(name));

/** How the network may be used, which the attestation does not decide. */
export function networkSettings(flags: object, { workingDirectory }: Environment): Partial<BuildSettings> {
  const { allowPrivate, offline, registryConfig } = settingsOf(flags);
  // The build may run in another directory.
  const placed = registryConfig === undefined ? undefined : resolve(workingDirectory, registryConfig);
  return { allowPrivate, offline, registryConfig: placed };
}

type BuildWords = Pick<BuildProvenance, 'path' | 'flags'>;

/** The words of a build that others can repeat: paths are relative, and nothing comes from stdin. */
export function wordsOfBuild(path: string, settings: BuildSettings, options: AttestedOptions): BuildWords {
  const place = (text: string): string => placeInside(text, options);
  const { output: _, registryConfig: __, ...others } = settings;
  return { path: place(path), flags: wordsOfSettings(mapPaths(others, place), attestedNames) };
}

/** The settings of attested words. */
export function settingsOfWords({ path, flags: words }: BuildWords): BuildSettings {
  return settingsOf(parseFlags(buildCommand, [path, ...words]).flags);
}

/** Throws if kurel would not attest these words: they must not decide how the network is used, or read files elsewhere. */
export function checkWords(build: BuildWords, options: AttestedOptions): void {
  const usual = wordsOfBuild(build.path, settingsOfWords(build), options);
  const attestable = new Set([usual.path, ...usual.flags]);
  const foreign = [build.path, ...build.flags].find((word) => !attestable.has(word));
  if (foreign !== undefined) throw new UsageError(`${quote(foreign.slice(0, 100))} cannot be attested`);
}

function placeInside(path: string, { root, environment: { workingDirectory } }: AttestedOptions): string {
  if (path.startsWith('oci://')) {
    if (/@sha256:[0-9a-f]{64}$/.test(path)) return path;
    throw impossible(`"${path}" has a tag, which can be moved`, 'name the package by its digest');
  }
  if (path === '-') throw impossible('it reads standard input', 'write it to a file');
  const way = relative(root, resolve(workingDirectory, path));
  if (isOutside(way))
    throw impossible(`"${path}" is outside ${root}`, 'build in a directory or repository with all inputs');
  return isAbsolute(path) ? toSlashes(relative(workingDirectory, path)) || '.' : path;
}

function isOutside(way: string): boolean {
  return isAbsolute(way) || way === '..' || /^\.\.[\\/]/.test(way);
}

export interface AttestedBuild {
  readonly result: BuildResult;
  readonly provenance: BuildProvenance;
}

interface AttestedOptions {
  readonly environment: Environment;
  /** Inputs are named relative to this directory. */
  readonly root: string;
  /** Settings that are not attested, such as those for the network. */
  readonly own?: Partial<BuildSettings> | undefined;
}

/** Builds, and describes the build for others. Throws a `DiagnosticError` with the findings if the build fails. */
export async function buildAttested(
  words: BuildWords,
  { environment, root, own = {} }: AttestedOptions,
): Promise<AttestedBuild> {
  const { path } = words;
  const attested = settingsOfWords(words);
  const { form } = await openInput(path, attested, environment);
  // Other forms do not use the network, and report settings that have no effect.
  const settings = form.fetches === true ? { ...attested, ...own } : attested;
  const kept = keepReads(openDisk(environment));
  const observed = observeReads(kept);
  const build: Environment = { ...environment, files: kept.fileSystem, watched: observed.watched };
  const call = { path, settings: { ...settings, output: undefined }, environment: build, collectFor: path };
  const { exitCode, diagnostics, sources, result } = await buildToOutput(call);
  if (exitCode !== 0 || result === undefined) throw new DiagnosticError(diagnostics, { sources });
  refuseSecrets(words.flags, result.rendering);
  const reads = await observed.reads(result);
  return {
    result,
    provenance: {
      version: kurelVersion,
      directory: toSlashes(relative(root, environment.workingDirectory)) || '.',
      ...words,
      inputs: await listInputs(reads, result, { root, environment }),
    },
  };
}

async function listInputs(
  reads: readonly StampedRead[],
  result: BuildResult,
  { root, environment: { workingDirectory } }: AttestedOptions,
): Promise<readonly BuildInput[]> {
  const inputs = new Map<string, BuildInput>();
  const add = (input: BuildInput): void => void inputs.set(keyOfInput(input), input);
  for (const [key, stamp] of reads) {
    const [look, path] = splitKey(key);
    // Files that do not exist are not inputs, and the environment may be secret.
    if (look === 'program') add({ type: 'program', name: path, stamp });
    if (look !== 'content' || stamp.startsWith('!')) continue;
    const way = relative(root, resolve(workingDirectory, path));
    if (isOutside(way)) throw impossible(`it reads "${path}", which is outside ${root}`);
    add({ type: 'file', name: toSlashes(way), stamp });
  }
  for (const read of await result.reads()) {
    if (read.type === 'package') add({ type: 'package', name: read.reference });
    // What comes after the path of a URL may be a token.
    if (read.type === 'url') add({ type: 'url', name: read.url.replace(/[?#].*$/s, ''), stamp: read.sha256 });
  }
  return Array.from(inputs.entries())
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, input]) => input);
}

function impossible(reason: string, hint?: string): DiagnosticError {
  return signingProblems.error('attestation-impossible', { reason, hint });
}

// Shorter values carry no secret, and appear everywhere.
const shortest = 4;

/** Refuses flags whose value ends up in a Secret, because everybody can read an attestation. The value is not quoted. */
function refuseSecrets(words: readonly string[], rendering: Rendering): void {
  const values = rendering.objects.flatMap(valuesOfSecret).filter(({ length }) => length >= shortest);
  const secrets = [...findSecretWords(rendering), ...values];
  for (const word of words) {
    const [, flag = '', value = ''] = /^--([^=]+)=([^]*)$/.exec(word) ?? [];
    const equals = value.indexOf('=');
    const [name, content] = [value.slice(0, Math.max(equals, 0)), value.slice(equals + 1)];
    const isNamed = flag.startsWith('set') && isSecretName(name);
    const isUsed = content.length >= shortest && secrets.some((secret) => content.includes(secret));
    if (!isNamed && !isUsed) continue;
    const shown = equals > 0 ? `--${flag} ${name}` : `--${flag}`;
    throw impossible(
      `the value of ${shown} may be a secret`,
      'put it into a values file, of which only the digest is attested',
    );
  }
}
