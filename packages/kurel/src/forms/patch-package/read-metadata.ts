import { nearest, quote } from '../../diagnostics/index.ts';
import { checkDnsLabel } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, SourceFile, Values } from '../../model/index.ts';
import { readLexeme } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import type { PackageMetadata } from './patch-package.ts';
import { packageProblems } from './problems.ts';

export const knownMetadata = [
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
    const location = { file: source.path, document: 0, path: ['kurel', key] };
    return [key, readLexeme(source, location, value) ?? String(value)];
  });
  return { ...layer, data: { ...data, kurel: Object.fromEntries(kept) } };
}

/** Reads the package metadata; `undefined` if something is missing or invalid, which is reported. */
export function readMetadata(source: SourceFile, data: Values, report: Report): PackageMetadata | undefined {
  const misspelled = Object.hasOwn(data, 'kurel') ? undefined : findMisspelled(data);
  if (misspelled !== undefined) {
    const location: Location = { file: source.path, document: 0, path: [misspelled], at: 'key' };
    report(packageProblems.create('package-metadata-misspelt', { key: misspelled }, { location }));
    return undefined;
  }
  const kurel = data['kurel'] ?? {};
  const reading: Reading = { source, kurel: isJsonObject(kurel) ? kurel : {}, report, failed: false };
  if (!isJsonObject(kurel)) refuse('kurel', kurel, 'must be an object with name, version and appVersion', reading);
  for (const key of Object.keys(reading.kurel).filter((name) => !knownMetadata.includes(name))) {
    const args = { field: `kurel.${key}`, near: nearest(key, knownMetadata) };
    report(packageProblems.create('package-metadata-unknown', args, { location: locate([key], reading, 'key') }));
  }
  if (reading.failed) return undefined;
  const name = requireText('name', 'name: my-app', reading);
  const reason = name === undefined ? undefined : checkDnsLabel(name);
  if (reason !== undefined) refuse('name', name!, reason, reading);
  const version = requireText('version', 'version: 1.0.0', reading);
  if (version !== undefined && !semanticVersion.test(version)) {
    refuse('version', version, 'must be a semantic version such as 1.2.3', reading);
  }
  const appVersion = requireText('appVersion', 'appVersion: "1.0"', reading);
  const home = optionalText('home', reading);
  if (home !== undefined && !/^https?:\/\//.test(home)) refuse('home', home, 'must start with https://', reading);
  const metadata = {
    name: name ?? '',
    version: version ?? '',
    appVersion: appVersion ?? '',
    description: optionalText('description', reading),
    home,
    keywords: readKeywords(reading),
    maintainers: readMaintainers(reading),
  };
  return reading.failed ? undefined : metadata;
}

function findMisspelled(data: Values): string | undefined {
  return Object.keys(data).find((key) => isJsonObject(data[key]) && nearest(key, ['kurel']) !== undefined);
}

interface Reading {
  readonly source: SourceFile;
  readonly kurel: JsonObject;
  readonly report: Report;
  failed: boolean;
}

function requireText(field: string, example: string, reading: Reading): string | undefined {
  const value = reading.kurel[field];
  if (value !== undefined && value !== null && value !== '') return optionalText(field, reading);
  reading.failed = true;
  const args = { field: `kurel.${field}`, example };
  reading.report(packageProblems.create('package-metadata-missing', args, { location: locate([], reading, 'key') }));
  return undefined;
}

function optionalText(field: string, reading: Reading): string | undefined {
  const value = reading.kurel[field];
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) refuse(field, value, 'must be a string', reading);
  return undefined;
}

function readKeywords(reading: Reading): readonly string[] {
  const value = reading.kurel['keywords'] ?? [];
  if (isJsonArray(value) && value.every((word) => typeof word === 'string')) return value;
  refuse('keywords', value, 'must be a list of strings', reading);
  return [];
}

function readMaintainers(reading: Reading): PackageMetadata['maintainers'] {
  const value = reading.kurel['maintainers'] ?? [];
  const isMaintainer = (one: Json): boolean =>
    isJsonObject(one) &&
    typeof one['name'] === 'string' &&
    (one['email'] === undefined || typeof one['email'] === 'string');
  if (isJsonArray(value) && value.every(isMaintainer)) return value as unknown as PackageMetadata['maintainers'];
  refuse('maintainers', value, 'must be a list of {name, email}', reading);
  return [];
}

function refuse(field: string, value: Json, reason: string, reading: Reading): void {
  reading.failed = true;
  const shown = typeof value === 'string' ? quote(value) : '';
  const args = { field: field === 'kurel' ? 'kurel' : `kurel.${field}`, value: shown, reason };
  const path = field === 'kurel' ? [] : [field];
  reading.report(
    packageProblems.create('package-metadata-invalid', args, { location: locate(path, reading, 'value') }),
  );
}

function locate(path: Path, { source }: Reading, at: 'key' | 'value'): Location {
  return { file: source.path, document: 0, path: ['kurel', ...path], at };
}
