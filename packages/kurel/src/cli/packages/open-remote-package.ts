import { fetchPackage, reportRegistry } from '../../artifact/index.ts';
import type { FetchPackageOptions, PackageConfig } from '../../artifact/index.ts';
import { DiagnosticError, quote, withTexts } from '../../diagnostics/index.ts';
import { memoryFileSystem } from '../../index.ts';
import { FileAccessError, hideUser } from '../../model/index.ts';
import type { FileSystem } from '../../model/index.ts';
import { readOciReference } from '../../registry/index.ts';
import type { Manifest } from '../../registry/index.ts';
import { takesPath } from '../command.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { publishedForms } from '../open-input.ts';
import { openDisk } from '../open-world.ts';
import { createRegistryAccess } from '../registry-access.ts';
import type { RegistrySettings } from '../registry-access.ts';
import { moveFindings } from '../sourced-findings.ts';
import { UsageError } from '../usage-error.ts';
import type { MountedPackage } from './mount-packages.ts';
import { settingsOf } from '../setting-flags.ts';

/** A package in a registry, fetched and verified. */
export interface RemotePackage extends MountedPackage {
  /** As the user wrote it: `oci://host/path:tag`. */
  readonly reference: string;
  readonly digest: string;
  readonly manifest: Manifest;
  readonly config: PackageConfig;
}

type RemoteOptions = RegistrySettings & Pick<FetchPackageOptions, 'verify'>;

/** Fetches a package by a reference with a tag or digest. Throws a `DiagnosticError`. */
export async function openRemotePackage(
  reference: string,
  { verify, ...settings }: RemoteOptions,
  environment: Environment,
): Promise<RemotePackage> {
  return await reportRegistry(async () => {
    const forms = publishedForms(environment);
    const published = await fetchPackage(reference, createRegistryAccess(settings, environment), { forms, verify });
    const { digest, pinned, manifest, config } = published;
    const origin = { reference, pinned, isPinned: published.reference.digest !== undefined };
    const files = (await published.fetchContent()).map((file): [string, Uint8Array] => [
      `${reference}/${file.path}`,
      file.bytes,
    ]);
    const kept = limitFiles(memoryFileSystem(Object.fromEntries(files)), environment);
    const fileSystem: FileSystem = { ...kept, packageAt: () => origin };
    return { reference, digest, manifest, config, directory: reference, fileSystem };
  });
}

/** With the same limit as on the disk. */
function limitFiles(files: FileSystem, { limits }: Environment): FileSystem {
  const { maxFileBytes = Infinity } = limits ?? {};
  const check = async (path: string): Promise<void> => {
    const { length } = await files.readBytes!(path);
    if (length <= maxFileBytes) return;
    const detail = `has ${length} bytes, more than the limit of ${maxFileBytes} for one file`;
    throw new FileAccessError(path, 'too-large', { detail });
  };
  return {
    ...files,
    readText: async (path) => (await check(path), files.readText(path)),
    readBytes: async (path) => (await check(path), files.readBytes!(path)),
  };
}

interface RemoteCall {
  readonly positionals: readonly string[];
  /** Those for registries, `--offline` and `--watch` matter, if the command has them. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
}

export function isReference(text: string): boolean {
  return text.startsWith('oci://');
}

/**
 * Fetches the packages in registries that are arguments of a command, each once. Afterwards, they are paths like any other: commands find
 * them in `openDisk`.
 */
export async function openRemoteInputs(
  command: Pick<Command, 'name' | 'arguments' | 'readsRevisions'>,
  { positionals, flags, environment }: RemoteCall,
): Promise<Environment> {
  const references = positionals.filter((text, index) => isReference(text) && isInput(command, positionals, index));
  for (const reference of references) checkReference(reference, flags);
  const packages: MountedPackage[] = [];
  const { registryConfig, allowPrivate } = settingsOf(flags);
  const own: RegistrySettings = { registryConfig, allowPrivate };
  const options = { ...own, verify: createVerify(own, command, { flags, environment }) };
  for (const reference of new Set(references)) {
    packages.push(
      // Without a change of the files, a later run of --watch would fail the same way.
      await (flags['watch'] === true
        ? openRemotePackage(reference, options, environment)
        : openOrFail(reference, () => openRemotePackage(reference, options, environment))),
    );
  }
  return packages.length === 0 ? environment : { ...environment, packages };
}

/** Refuses packages without the signatures that the profiles of the command require. */
function createVerify(
  own: RegistrySettings,
  { readsRevisions }: Pick<Command, 'readsRevisions'>,
  { flags, environment }: Pick<RemoteCall, 'flags' | 'environment'>,
): NonNullable<FetchPackageOptions['verify']> {
  const profiles = ['profile', 'profile-a', 'profile-b'].map((name) => flags[name]);
  const files = profiles.filter((file) => typeof file === 'string');
  return async (manifest, reference) => {
    if (files.length === 0) return;
    const { createSignatureCheck, readProfileRules } = await import('../signing/require-signatures.ts');
    const access = createRegistryAccess(own, environment);
    const check = async (file: string, fileSystem: FileSystem): Promise<void> => {
      const required = [await readProfileRules(file, fileSystem)];
      await createSignatureCheck(required, { access, fileSystem })(manifest, reference);
    };
    for (const file of new Set(files)) {
      if (readsRevisions === true) await useRevision(file, environment, check);
      else await check(file, openDisk(environment));
    }
  };
}

/** Does something with a file that may be in a revision of git. Findings have its path as the user wrote it. */
async function useRevision(
  text: string,
  environment: Environment,
  work: (file: string, fileSystem: FileSystem) => Promise<void>,
): Promise<void> {
  const { openRevisions } = await import('../diff/revisions.ts');
  const revisions = openRevisions(environment);
  try {
    const file = await revisions.locate(text);
    await work(file, revisions.openWorld(file, [file]).fileSystem);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const show = (path: string): string => revisions.show(path);
    const moved = moveFindings(error.diagnostics, (location) => ({ ...location, file: show(location.file) }));
    throw new DiagnosticError(
      moved.map((finding) => withTexts(finding, { message: show(finding.message) })),
      { cause: error, sources: error.sources.map((source) => Object.assign({}, source, { path: show(source.path) })) },
    );
  } finally {
    revisions.close();
  }
}

/** Whether an argument is a package to read. Commands that write into their input, or read other files, do not take references. */
function isInput(
  { name, arguments: declared }: Pick<Command, 'name' | 'arguments'>,
  words: readonly string[],
  index: number,
): boolean {
  const argument = declared[Math.min(index, declared.length - 1)];
  if (argument === undefined || !takesPath(argument, words)) return false;
  if (argument.inRegistry === undefined) {
    throw new UsageError(
      `kurel ${name} cannot use ${quote(hideUser(words[index]!))}, which is in a registry`,
      'fetch it with kurel pull, and pass the directory',
    );
  }
  return argument.inRegistry === 'content';
}

export function checkReference(reference: string, flags: RemoteCall['flags']): void {
  const read = readOciReference(reference);
  if ('reason' in read) throw new UsageError(`${quote(hideUser(reference))} is not a valid reference: ${read.reason}`);
  if (read.tag === undefined && read.digest === undefined) {
    throw new UsageError(`${quote(reference)} has no tag and no digest`, `add one, such as ${reference}:1.0.0`);
  }
  if (flags['offline'] !== true) return;
  throw new UsageError(
    `--offline cannot be used with ${quote(reference)}, which is in a registry`,
    'fetch it with kurel pull, and pass the directory',
  );
}

/** A failure becomes a finding of the command, in the format of its other findings, when it reads the first file. */
async function openOrFail(directory: string, open: () => Promise<MountedPackage>): Promise<MountedPackage> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const refuse = (path: string): never => {
      throw new FileAccessError(path, 'failed', { detail: error.message, cause: error });
    };
    const fileSystem: FileSystem = { readText: refuse, readBytes: refuse, list: refuse, kindOf: refuse };
    return { directory, fileSystem };
  }
}
