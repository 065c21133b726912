import { quote } from '../../../diagnostics/index.ts';
import type { Json, Memory, Report, SourceFile } from '../../../model/index.ts';
import { writeYaml } from '../../../yaml/index.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { readDocument } from '../documents/read-document.ts';
import { readOneDocument } from '../read-one-document.ts';
import { sourceProblems } from './problems.ts';

const metadata = {
  type: 'object',
  default: {},
  properties: { name: { type: 'string', description: 'Name of the lock.' } },
} as const satisfies Field;

const entry = {
  type: 'object',
  properties: {
    url: { type: 'string', description: 'URL as in the application.', required: true, format: 'filled' },
    chart: { type: 'string', description: 'Name of the chart, for a chart repository.' },
    version: { type: 'string', description: 'Version as in the application.' },
    from: { type: 'string', description: 'Final URL, if it differs.' },
    sha256: { type: 'string', description: 'SHA-256 digest of the content.', required: true, format: 'sha256' },
    file: { type: 'string', description: 'Path of the content in the package.', format: 'package-path' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  required: true,
  properties: { sources: { type: 'array', description: 'Remote sources.', required: true, items: entry } },
} as const satisfies Field;

/** A remote source and its checksum. */
export type LockEntry = ValueOf<typeof entry>;

export interface Lock {
  readonly source: SourceFile;
  readonly entries: readonly LockEntry[];
}

/** Identifies a source. */
export interface SourceName {
  readonly url: string;
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
}

/** Reads `kurel.lock`; `undefined` after an error, which is reported. */
export function readLock(source: SourceFile, report: Report, memory?: Memory): Lock | undefined {
  const located = readOneDocument(source, report, memory);
  if (located === undefined) return undefined;
  const { data, locate } = located;
  const document = readDocument(data, { kind: 'Lock', metadata, spec }, { locate, report });
  if (document === undefined) return undefined;
  const entries = document.spec.sources;
  const known = new Set<string>();
  for (const [index, one] of entries.entries()) {
    const key = keyOfName(one);
    if (known.has(key)) {
      const location = locate(['spec', 'sources', index]);
      report(sourceProblems.create('lock-entry-twice', { source: describeSource(one) }, { location }));
    }
    known.add(key);
  }
  return { source, entries };
}

/** A unique key of a source, which also determines its position in a lock. */
export function keyOfName({ url, chart, version }: SourceName): string {
  return JSON.stringify([url, chart ?? null, version ?? null]);
}

/** The source in messages. */
export function describeSource({ url, chart, version }: SourceName): string {
  const named = chart === undefined ? quote(url) : `chart ${quote(chart)} of ${quote(url)}`;
  return version === undefined ? named : `${named}, version ${quote(version)}`;
}

export function findEntry({ entries }: Lock, name: SourceName): LockEntry | undefined {
  const key = keyOfName(name);
  return entries.find((one) => keyOfName(one) === key);
}

/** The text of `kurel.lock`, sorted by name so that it changes only with its content. */
export function writeLock(entries: readonly LockEntry[]): string {
  const sorted = entries.toSorted((a, b) => (keyOfName(a) < keyOfName(b) ? -1 : 1));
  const sources = sorted.map((one): Json => JSON.parse(JSON.stringify(one)));
  const document = { apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Lock', spec: { sources } };
  return `# Written by kurel vendor: what the package takes from elsewhere, and which bytes.\n${writeYaml(document)}`;
}
