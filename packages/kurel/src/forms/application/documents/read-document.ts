import { describeValue } from '../../../diagnostics/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { Field, ValueOf } from './field.ts';
import { createFindings } from './findings.ts';
import type { Findings, ReadingOptions } from './findings.ts';
import { documentProblems, meantKind } from './problems.ts';
import { collectField } from './read-field.ts';

const metadata = {
  type: 'object',
  description: 'Object with the name of the package.',
  required: true,
  properties: {
    name: { type: 'string', description: 'Name of the package.', required: true, format: 'identifier' },
    version: {
      type: 'string',
      description: 'Semantic version of the package, such as 1.2.3.',
      format: 'semantic-version',
    },
    description: { type: 'string', description: 'Description of the package.' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  default: {},
  // Parameter declarations have their own reader.
  properties: {
    parameters: { type: 'any', description: 'Parameters of the package. A default can reference other parameters.' },
  },
} as const satisfies Field;

export const packageTables = { kind: 'Package', metadata, spec } as const;

export type PackageDocument = Document<typeof metadata, typeof spec>;

/** Reads `kurel.yaml`. */
export function readPackageDocument(data: Json | undefined, options: ReadingOptions): PackageDocument | undefined {
  return readDocument(data, packageTables, options);
}

export const apiVersion = 'launcher.gokure.dev/v1alpha1';

/** Kinds that are passed with flags, like values files. */
const ofPlatform: ReadonlySet<string> = new Set(['ClusterProfile', 'Policy', 'CapabilityDefinition']);

const headerKeys = ['apiVersion', 'kind', 'metadata', 'spec'];

interface DocumentDescription<Metadata extends Field, Spec extends Field> {
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: Spec;
  /** Rules that a table cannot express. They see the data as written, even if it has errors. */
  readonly check?: (data: Json, findings: Findings) => void;
}

export interface Document<Metadata extends Field, Spec extends Field> {
  readonly metadata: ValueOf<Metadata>;
  readonly spec: ValueOf<Spec>;
}

/** Reads a kurel document; reports all problems in document order. */
export function readDocument<const Metadata extends Field, const Spec extends Field>(
  data: Json | undefined,
  description: DocumentDescription<Metadata, Spec>,
  options: ReadingOptions,
): Document<Metadata, Spec> | undefined {
  const { kind, metadata, spec } = description;
  if (!isJsonObject(data)) {
    const found = data === undefined || data === null ? undefined : describeValue(data);
    const place = { location: options.locate([]) };
    options.report(documentProblems.create('document-empty', { kind, apiVersion, found }, place));
    return undefined;
  }
  if (!checkHeader(data, kind, options)) return undefined;
  const findings = createFindings(options);
  checkVersion(data['apiVersion'], findings);
  checkKind(data, kind, findings);
  const value = collectField(fieldOf(kind, metadata, spec), data, { path: [], findings });
  description.check?.(data, findings);
  return findings.reportFinding(() => data) ? (value as unknown as Document<Metadata, Spec>) : undefined;
}

// Cached because the checker prepares each table once, and many documents of a kind are read.
const fields = new WeakMap<Field, Field>();

function fieldOf(kind: string, metadata: Field, spec: Field): Field {
  let field = fields.get(spec);
  if (field === undefined) {
    const properties = { apiVersion: describeWord(apiVersion), kind: describeWord(kind), metadata, spec };
    field = { type: 'object', properties };
    fields.set(spec, field);
  }
  return field;
}

/**
 * Whether the data may be a document of the expected kind. For any other kind, one finding about the kind is more helpful
 * than a list of unknown keys.
 */
export function checkHeader(
  data: Json,
  expected: string,
  { locate, report }: Pick<ReadingOptions, 'locate' | 'report'>,
): boolean {
  if (!isJsonObject(data)) return true;
  const { kind } = data;
  if (typeof kind === 'string' && kind !== expected && meantKind(kind, [expected]) === undefined) {
    const args = { kind, expected, isForeign: isForeign(data) };
    report(documentProblems.create('document-kind', args, { location: locate(['kind']) }));
    return false;
  }
  if (!ofPlatform.has(expected) || headerKeys.some((key) => Object.hasOwn(data, key))) return true;
  report(documentProblems.create('document-headless', { kind: expected, apiVersion }, { location: locate([]) }));
  return false;
}

/** apiVersion and kind are checked separately; the table only requires them. */
function describeWord(word: string): Field {
  return { type: 'string', required: true, description: word };
}

function checkVersion(version: Json | undefined, findings: Findings): void {
  if (typeof version !== 'string' || version === apiVersion) return;
  const args = { version, expected: apiVersion };
  const path = ['apiVersion'];
  const place = { location: findings.options.locate(path) };
  findings.add(path, documentProblems.create('document-api-version', args, place));
}

function checkKind(data: JsonObject, expected: string, findings: Findings): void {
  const { kind } = data;
  if (typeof kind !== 'string' || kind === expected) return;
  const path = ['kind'];
  const place = { location: findings.options.locate(path) };
  findings.add(path, documentProblems.create('document-kind', { kind, expected, isForeign: isForeign(data) }, place));
}

/** Whether a document is not a kurel document, such as a manifest. */
function isForeign({ apiVersion: version }: JsonObject): boolean {
  return typeof version === 'string' && !version.startsWith(apiVersion.slice(0, apiVersion.indexOf('/') + 1));
}
