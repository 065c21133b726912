import { nearest } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { Loading } from '../package-loading.ts';
import type { PatchReference, Sidecar } from './patch-package.ts';
import { packageProblems } from './problems.ts';

const known = ['enabled', 'description', 'requires', 'conflicts'];

/** Reads the metadata file of a patch; `undefined` if it is invalid, which is reported. */
export function readSidecar(
  source: SourceFile,
  { report, budget }: Pick<Loading, 'report' | 'budget'>,
): Sidecar | undefined {
  const { documents, diagnostics } = readYaml(source, { words: 'core', budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  const data = filled[0]?.data ?? {};
  const reading: Reading = { source, report };
  if (filled.length > 1 || !isJsonObject(data)) {
    const reason =
      filled.length > 1 ? 'the patch metadata must be one document' : 'the patch metadata must be an object';
    refuse(reason, [], reading, 'use the fields enabled, description, requires and conflicts');
    return undefined;
  }
  for (const key of Object.keys(data).filter((name) => !known.includes(name))) {
    const location = locate([key], reading, 'key');
    report(packageProblems.create('sidecar-unknown-key', { key, near: nearest(key, known) }, { location }));
  }
  const description = data['description'] ?? undefined;
  if (description !== undefined && typeof description !== 'string') {
    refuse('description must be a string', ['description'], reading);
  }
  return {
    source,
    // A null is neither true nor absent.
    enabled: data['enabled'],
    description: typeof description === 'string' ? description : undefined,
    requires: readReferences(data, 'requires', reading),
    conflicts: readReferences(data, 'conflicts', reading),
  };
}

interface Reading {
  readonly source: SourceFile;
  readonly report: Report;
}

function readReferences(data: JsonObject, key: string, reading: Reading): readonly PatchReference[] {
  const value: Json = data[key] ?? [];
  if (!isJsonArray(value)) {
    refuse(`${key} must be a list of patches`, [key], reading, `use ${key}: ["features/10-name.kpatch"]`);
    return [];
  }
  return value.flatMap((item, index) => {
    if (typeof item === 'string' && item !== '') {
      return [{ id: completeIdentity(item), location: locate([key, index], reading, 'value') }];
    }
    refuse(`items of ${key} must be names of patches`, [key, index], reading);
    return [];
  });
}

/** The prefix `patches/` and the extension `.kpatch` are optional. */
export function completeIdentity(text: string): string {
  const id = text.replace(/^(?:\.\/)?(?:patches\/)?/, '');
  return /\.(?:kpatch|patch\.ya?ml)$/.test(id) ? id : `${id}.kpatch`;
}

function refuse(reason: string, path: Path, reading: Reading, hint?: string): void {
  const location = locate(path, reading, 'value');
  reading.report(packageProblems.create('sidecar-invalid', { reason, hint }, { location }));
}

function locate(path: Path, { source }: Reading, at: 'key' | 'value'): Location {
  return { file: source.path, document: 0, path, at };
}
