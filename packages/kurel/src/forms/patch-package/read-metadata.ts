import { nearest, quote } from '../../diagnostics/index.ts';
import { checkDnsLabel } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, SourceFile, Values } from '../../model/index.ts';
import { readLexeme } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { Loading } from '../package-loading.ts';
import type { PackageMetadata, Sidecar } from './patch-package.ts';
import { packageProblems } from './problems.ts';

/** The fields of `kurel` in parameters.yaml. */
export const metadataFields = [
  'name',
  'version',
  'appVersion',
  'description',
  'home',
  'keywords',
  'maintainers',
  'schemas',
];
const semanticVersion = /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Versions written as numbers are kept as strings: 1.10 is not 1.1. */
export function keepVersionTexts(layer: ParameterLayer): ParameterLayer {
  const { source, data } = layer;
  const { kurel } = data;
  if (!isJsonObject(kurel)) return layer;
  const kept = Object.entries(kurel).map(([key, value]): [string, Json] => {
    const isVersion = key === 'version' || key === 'appVersion';
    if (!isVersion || typeof value !== 'number') return [key, value];
    return [key, readLexeme(source, locate(source, ['kurel', key]), value) ?? String(value)];
  });
  return { ...layer, data: { ...data, kurel: Object.fromEntries(kept) } };
}

/** Reads the package metadata; `undefined` if something is missing or invalid, which is reported. */
export function readMetadata(source: SourceFile, data: Values, report: Report): PackageMetadata | undefined {
  const misspelled = Object.hasOwn(data, 'kurel')
    ? undefined
    : Object.keys(data).find((key) => isJsonObject(data[key]) && nearest(key, ['kurel']) !== undefined);
  if (misspelled !== undefined) {
    const location = locate(source, [misspelled], 'key');
    report(packageProblems.create('package-metadata-misspelt', { key: misspelled }, { location }));
    return undefined;
  }
  const kurel = data['kurel'] ?? {};
  let failed = false;
  if (!isJsonObject(kurel)) {
    refuse([], kurel, 'must be an object with name, version and appVersion');
    return undefined;
  }
  for (const key of Object.keys(kurel).filter((name) => !metadataFields.includes(name))) {
    const args = { field: `kurel.${key}`, near: nearest(key, metadataFields) };
    const location = locate(source, ['kurel', key], 'key');
    report(packageProblems.create('package-metadata-unknown', args, { location }));
  }
  const name = requireText(kurel, 'name', 'name: my-app');
  const reason = name === undefined ? undefined : checkDnsLabel(name);
  if (reason !== undefined) refuse(['name'], name!, reason);
  const version = requireText(kurel, 'version', 'version: 1.0.0');
  if (version !== undefined && !semanticVersion.test(version)) {
    refuse(['version'], version, 'must be a semantic version such as 1.2.3');
  }
  const appVersion = requireText(kurel, 'appVersion', 'appVersion: "1.0"');
  const home = optionalText(kurel, 'home');
  if (home !== undefined && !/^https?:\/\//.test(home)) refuse(['home'], home, 'must start with https://');
  const description = optionalText(kurel, 'description');
  const keywords = kurel['keywords'] ?? [];
  const hasKeywords = isJsonArray(keywords) && keywords.every((word) => typeof word === 'string');
  if (!hasKeywords) refuse(['keywords'], keywords, 'must be a list of strings');
  const maintainers = kurel['maintainers'] ?? [];
  const hasMaintainers = isJsonArray(maintainers) && maintainers.every(isMaintainer);
  if (!hasMaintainers) refuse(['maintainers'], maintainers, 'must be a list of {name, email}');
  if (failed) return undefined;
  return { name, version, appVersion, description, home, keywords, maintainers } as PackageMetadata;

  function requireText(mapping: JsonObject, field: string, example: string): string | undefined {
    const value = mapping[field];
    if (value !== undefined && value !== null && value !== '') return optionalText(mapping, field);
    failed = true;
    const location = locate(source, ['kurel'], 'key');
    report(packageProblems.create('package-metadata-missing', { field: `kurel.${field}`, example }, { location }));
    return undefined;
  }

  function optionalText(mapping: JsonObject, field: string): string | undefined {
    const value = mapping[field];
    if (typeof value === 'string') return value;
    if (value !== undefined && value !== null) refuse([field], value, 'must be a string');
    return undefined;
  }

  function refuse(path: readonly string[], value: Json, problem: string): void {
    failed = true;
    const shown = typeof value === 'string' ? quote(value) : '';
    const args = { field: ['kurel', ...path].join('.'), value: shown, reason: problem };
    const location = locate(source, ['kurel', ...path], 'value');
    report(packageProblems.create('package-metadata-invalid', args, { location }));
  }
}

function isMaintainer(item: Json): boolean {
  if (!isJsonObject(item) || typeof item['name'] !== 'string') return false;
  return item['email'] === undefined || typeof item['email'] === 'string';
}

function locate({ path: file }: SourceFile, path: Path, at?: 'key' | 'value'): Location {
  return { file, document: 0, path, ...(at === undefined ? {} : { at }) };
}

const sidecarFields = ['enabled', 'description', 'requires', 'conflicts'];

/** Reads the metadata file of a patch; `undefined` if it is invalid, which is reported. */
export function readSidecar(source: SourceFile, { report, budget }: Loading): Sidecar | undefined {
  const { documents, diagnostics } = readYaml(source, { words: 'core', budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  const data = filled[0]?.data ?? {};
  if (filled.length > 1 || !isJsonObject(data)) {
    const expected = filled.length > 1 ? 'one document' : 'an object';
    const hint = 'use the fields enabled, description, requires and conflicts';
    refuse([], `the patch metadata must be ${expected}`, hint);
    return undefined;
  }
  for (const key of Object.keys(data).filter((name) => !sidecarFields.includes(name))) {
    const location = locate(source, [key], 'key');
    report(packageProblems.create('sidecar-unknown-key', { key, near: nearest(key, sidecarFields) }, { location }));
  }
  const description = data['description'] ?? undefined;
  if (description !== undefined && typeof description !== 'string') {
    refuse(['description'], 'description must be a string');
  }
  return {
    source,
    // A null is neither true nor absent.
    enabled: data['enabled'],
    description: typeof description === 'string' ? description : undefined,
    requires: readReferences(data['requires'] ?? [], 'requires'),
    conflicts: readReferences(data['conflicts'] ?? [], 'conflicts'),
  };

  function readReferences(value: Json, key: string): Sidecar['requires'] {
    if (!isJsonArray(value)) {
      refuse([key], `${key} must be a list of patches`, `use ${key}: ["features/10-name.kpatch"]`);
      return [];
    }
    return value.flatMap((item, index) => {
      if (typeof item === 'string' && item !== '') {
        return [{ id: completeIdentity(item), location: locate(source, [key, index], 'value') }];
      }
      refuse([key, index], `items of ${key} must be names of patches`);
      return [];
    });
  }

  function refuse(path: Path, reason: string, hint?: string): void {
    report(packageProblems.create('sidecar-invalid', { reason, hint }, { location: locate(source, path, 'value') }));
  }
}

const headerLine = /^#[ \t]*kurel:(enabled|description|requires|conflicts):[ \t]*(.*?)[ \t]*\r?$/;

/** Deprecated: `# kurel:enabled: ${a.b}` in the comments at the top of a patch. */
export function readHeaderComments(source: SourceFile, sidecarName: string, report: Report): Sidecar | undefined {
  const parsed = new Map<string, string>();
  let offset = 0;
  for (const text of source.text.split('\n')) {
    if (!/^[ \t]*(?:#|\r?$)/.test(text)) break;
    const [, name, value] = headerLine.exec(text) ?? [];
    if (name !== undefined && value !== undefined) {
      parsed.set(name, value);
      const location = { file: source.path, range: { start: offset, end: offset + text.trimEnd().length } };
      const args = { name: `kurel:${name}`, sidecar: sidecarName };
      report(packageProblems.create('patch-header-comment', args, { location }));
    }
    offset += text.length + 1;
  }
  if (parsed.size === 0) return undefined;
  const location = { file: source.path, range: { start: 0, end: Math.max(0, offset - 1) } };
  const references = (name: string): Sidecar['requires'] =>
    (parsed.get(name)?.match(/[^\s,]+/g) ?? []).map((word) => ({ id: completeIdentity(word), location }));
  return {
    source,
    enabled: parsed.get('enabled'),
    description: parsed.get('description'),
    requires: references('requires'),
    conflicts: references('conflicts'),
  };
}

const patchEnding = /\.(?:kpatch|patch\.ya?ml)$/;

export function isPatchName(name: string): boolean {
  return patchEnding.test(name);
}

export function withoutPatchEnding(name: string): string {
  return name.replace(patchEnding, '');
}

/** The prefix `patches/` and the extension `.kpatch` are optional. */
export function completeIdentity(text: string): string {
  const id = text.replace(/^(?:\.\/)?(?:patches\/)?/, '');
  return isPatchName(id) ? id : `${id}.kpatch`;
}
