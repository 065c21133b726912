import { DiagnosticError } from '../../diagnostics/index.ts';
import { type Diagnostic, type FileSystem, isJsonObject, type JsonObject, type SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { findNearPath } from '../find-near-path.ts';
import { joinPath, lastPartOf, normalisePath, parentOf } from '../paths.ts';
import { listReferences, type Reference } from './list-references.ts';
import { kustomizeProblems } from './problems.ts';

export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A kustomization file that takes part in a build. */
export interface Kustomization {
  readonly directory: string;
  readonly source: SourceFile;
  readonly data: JsonObject;
}

export interface KustomizationScan {
  /** The one to build first, then those that it leads to. */
  readonly kustomizations: readonly Kustomization[];
  /** Files that they name. */
  readonly files: readonly string[];
}

export interface ScanOptions {
  readonly fileSystem: FileSystem;
  readonly allowNetwork: boolean;
  /** A file that will be there when kustomize runs. */
  readonly promised?: string | undefined;
}

/**
 * Follows a kustomization to everything on the disk that its fields name. All that is missing or would have to be fetched is
 * thrown together, each at its place, which kustomize itself would tell one at a time and without a place.
 */
export async function scanKustomization(path: string, options: ScanOptions): Promise<KustomizationScan> {
  const { fileSystem, allowNetwork } = options;
  const kustomizations: Kustomization[] = [];
  const files = new Set<string>();
  const problems: Diagnostic[] = [];
  const seen = new Set<string>();

  async function scan(directory: string, kustomization: Kustomization): Promise<void> {
    seen.add(directory);
    kustomizations.push(kustomization);
    for (const reference of listReferences(kustomization.data)) await follow(reference, kustomization);
  }

  async function follow(reference: Reference, from: Kustomization): Promise<void> {
    const { text } = reference;
    const place = { location: { file: from.source.path, document: 0, path: reference.path } };
    const target = resolveReference(from.directory, text);
    if (target === options.promised) return;
    const kind = isAddress(text) ? undefined : await fileSystem.kindOf(target);
    if (kind === 'file' || kind === 'other') files.add(target);
    else if (kind === 'directory') {
      if (seen.has(target)) return;
      const found = await openKustomization(fileSystem, target);
      if (found !== undefined) await scan(target, found);
      else
        problems.push(
          kustomizeProblems.create('kustomization-not-found', { path: target, isThere: true, near: undefined }, place),
        );
    } else if (looksRemote(text)) {
      if (!allowNetwork)
        problems.push(kustomizeProblems.create('kustomization-needs-network', { reference: text }, place));
    } else {
      const near = await findNearPath(fileSystem, target);
      const meant = near === undefined ? undefined : joinPath(parentOf(text), lastPartOf(near));
      problems.push(
        kustomizeProblems.create('kustomization-reference-missing', { reference: text, near: meant }, place),
      );
    }
  }

  const root = await openKustomization(fileSystem, path);
  if (root === undefined) throw await explainMissing(fileSystem, path);
  await scan(normalisePath(path), root);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { kustomizations, files: [...files] };
}

export function resolveReference(directory: string, reference: string): string {
  return normalisePath(reference.startsWith('/') ? reference : joinPath(directory, reference));
}

/** Reads the kustomization file of a directory; `undefined` when it has none. */
async function openKustomization(fileSystem: FileSystem, directory: string): Promise<Kustomization | undefined> {
  if ((await fileSystem.kindOf(directory)) !== 'directory') return undefined;
  for (const name of kustomizationNames) {
    const path = joinPath(directory, name);
    if ((await fileSystem.kindOf(path)) !== 'file') continue;
    const source = { path, text: await fileSystem.readText(path) };
    const { documents, diagnostics } = readYaml(source);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new DiagnosticError(errors);
    const data = documents[0]?.data;
    return { directory, source, data: isJsonObject(data) ? data : {} };
  }
  return undefined;
}

async function explainMissing(fileSystem: FileSystem, path: string): Promise<DiagnosticError> {
  const isThere = (await fileSystem.kindOf(path)) !== undefined;
  const near = isThere ? undefined : await findNearPath(fileSystem, path);
  return new DiagnosticError([kustomizeProblems.create('kustomization-not-found', { path, isThere, near })]);
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** What kustomize would take for an address once it has found no file of that name. */
function looksRemote(text: string): boolean {
  if (isAddress(text) || text.startsWith('git::') || /[?&](?:ref|version)=/.test(text)) return true;
  return /^[^/\s]+@[^/\s]+:/.test(text) || /^(?:[a-z0-9-]+\.)+[a-z]{2,}[/:][^/]+\/[^/]+/i.test(text);
}
