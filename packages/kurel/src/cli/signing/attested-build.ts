import { isAbsolute, relative, resolve } from 'node:path';

import { DiagnosticError, isSecretName, quote } from '../../diagnostics/index.ts';
import { toSlashes } from '../../host/index.ts';
import type { BuildResult } from '../../index.ts';
import { compareText } from '../../model/index.ts';
import { findSecretWords } from '../../provenance/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import { keepReads } from '../../reads/index.ts';
import { keyOfInput, signingProblems } from '../../signing/index.ts';
import type { BuildInput, BuildProvenance } from '../../signing/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { OutputBuildFlags } from '../build-to-output.ts';
import { build as buildCommand } from '../commands/build.ts';
import type { Environment } from '../environment.ts';
import { kurelVersion } from '../kurel-version.ts';
import { observeReads } from '../observe-reads.ts';
import type { StampedRead } from '../observe-reads.ts';
import { openInput } from '../open-input.ts';
import { openDisk } from '../open-world.ts';
import { splitKey } from '../fleet/stamp-reads.ts';
import { writeWords } from '../fleet/target-command.ts';
import { parseFlags } from '../parse-flags.ts';
import type { RegistryFlags } from '../registry-access.ts';
import { UsageError } from '../usage-error.ts';
import { valuesOfSecret } from '../values-of-secrets.ts';

/** Flags that do not change the files of a build, or that are for another machine to decide. */
const ownFlags: ReadonlySet<string> = new Set([
  'output',
  'check',
  'watch',
  'message-format',
  'offline',
  'allow-private',
  'registry-config',
  'no-cache',
]);

/** How the network may be used, which the attestation does not decide. */
export function networkWords(
  flags: RegistryFlags & { readonly offline?: boolean },
  { workingDirectory }: Environment,
): readonly string[] {
  const { 'allow-private': isPrivate, offline, 'registry-config': config } = flags;
  // The build may run in another directory.
  const placed = config === undefined ? undefined : resolve(workingDirectory, config);
  return writeWords({ 'allow-private': isPrivate, offline, 'registry-config': placed });
}

type BuildWords = Pick<BuildProvenance, 'path' | 'flags'>;

/** The words of a build that others can repeat: paths are relative, and nothing comes from stdin. */
export function wordsOfBuild(
  path: string,
  flags: Readonly<Record<string, boolean | string | readonly string[] | undefined>>,
  options: AttestedOptions,
): BuildWords {
  const place = (text: string): string => placeInside(text, options);
  const words = Object.entries(buildCommand.flags).flatMap(([name, definition]) => {
    const value = flags[name];
    if (ownFlags.has(name)) return [];
    const isPath = 'completes' in definition && definition.completes === 'path';
    const placed = isPath && value !== undefined ? [value].flat().map((text) => place(String(text))) : value;
    return writeWords({ [name]: placed });
  });
  return { path: place(path), flags: words };
}

/** Throws if kurel would not attest these words: they must not decide how the network is used, or read files elsewhere. */
export function checkWords({ path, flags: words }: BuildWords, options: AttestedOptions): void {
  const usual = wordsOfBuild(path, parseFlags(buildCommand, [path, ...words]).flags, options);
  const attestable = new Set([usual.path, ...usual.flags]);
  const foreign = [path, ...words].find((word) => !attestable.has(word));
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
  /** Flags that are not attested, such as those for the network. */
  readonly own?: readonly string[] | undefined;
}

/** Builds, and describes the build for others. Throws a `DiagnosticError` with the findings if the build fails. */
export async function buildAttested(
  { path, flags: words }: BuildWords,
  { environment, root, own = [] }: AttestedOptions,
): Promise<AttestedBuild> {
  const attested = parseFlags(buildCommand, [path, ...words]).flags;
  const { form } = await openInput(path, attested, environment);
  // Other forms do not use the network, and report flags that have no effect.
  const flags = form.fetches === true ? parseFlags(buildCommand, [path, ...words, ...own]).flags : attested;
  const kept = keepReads(openDisk(environment));
  const observed = observeReads(kept);
  const build: Environment = { ...environment, files: kept.fileSystem, watched: observed.watched };
  const collecting: OutputBuildFlags = { ...flags, output: undefined, check: false };
  const call = { path, flags: collecting, environment: build, collectFor: path };
  const { exitCode, diagnostics, sources, result } = await buildToOutput(call);
  if (exitCode !== 0 || result === undefined) throw new DiagnosticError(diagnostics, { sources });
  refuseSecrets(words, result.rendering);
  const reads = await observed.reads(result);
  return {
    result,
    provenance: {
      version: kurelVersion,
      directory: toSlashes(relative(root, environment.workingDirectory)) || '.',
      path,
      flags: words,
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
