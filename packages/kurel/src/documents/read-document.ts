import { getOrAdd } from '../budget/index.ts';
import { describeValue } from '../diagnostics/index.ts';
import { isJsonObject, valueAt } from '../model/index.ts';
import type { Budget, Diagnostic, Json, JsonObject } from '../model/index.ts';
import type { ParameterDeclaration } from '../parameters/index.ts';
import { textField } from './define-fields.ts';
import type { Field, ValueOf } from './field.ts';
import { createDocumentFindings } from './document-findings.ts';
import type { DocumentFindings, ReadingOptions } from './document-findings.ts';
import { documentProblems, meantKind } from './problems.ts';
import { collectDeclarations, declarationsField } from './read-declarations.ts';
import { collectField } from './read-field.ts';

const metadata = {
  type: 'object',
  description: 'Object with the name of the package.',
  required: true,
  properties: {
    name: { ...textField('identifier', 'Name of the package.'), required: true },
    version: textField('semantic-version', 'Semantic version of the package, such as 1.2.3.'),
    description: { type: 'string', description: 'Description of the package.' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  default: {},
  properties: { parameters: declarationsField },
} as const satisfies Field;

/** The tables of a document, as schemas for editors need them. */
export interface DocumentTables<Metadata extends Field = Field, Spec extends Field = Field> {
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: Spec;
}

export const packageTables = { kind: 'Package', metadata, spec } as const;

export type PackageDocument = Document<typeof metadata, typeof spec>;

interface PackageReading extends ReadingOptions {
  /** Shared by the patterns of all parameters. */
  readonly budget?: Budget | undefined;
}

interface ReadPackage {
  /** `undefined` after an error. */
  readonly document: PackageDocument | undefined;
  /** Without those that are invalid. */
  readonly declarations: readonly ParameterDeclaration[];
}

/** Reads `kurel.yaml` and the parameters that it declares. */
export function readPackageAndParameters(data: Json | undefined, { budget, ...options }: PackageReading): ReadPackage {
  let declarations: readonly ParameterDeclaration[] = [];
  const check = (whole: Json, findings: DocumentFindings): void => {
    const path = ['spec', 'parameters'];
    declarations = collectDeclarations(valueAt(whole, path), { path, findings, budget });
  };
  const document = readDocument(data, { ...packageTables, check }, options);
  return { document, declarations };
}

/** Reads `kurel.yaml`. */
export function readPackageDocument(data: Json | undefined, options: ReadingOptions): PackageDocument | undefined {
  return readPackageAndParameters(data, options).document;
}

export const apiGroup = 'launcher.gokure.dev/';
export const apiVersion = `${apiGroup}v1alpha1`;

/** Kinds that are passed with flags, like values files. */
const ofPlatform: ReadonlySet<string> = new Set(['ClusterProfile', 'Policy', 'CapabilityDefinition']);

const headerKeys = ['apiVersion', 'kind', 'metadata', 'spec'];

interface DocumentDescription<Metadata extends Field, Spec extends Field> extends DocumentTables<Metadata, Spec> {
  /** Rules that a table cannot express. They see the data as written, even if it has errors. */
  readonly check?: (data: Json, findings: DocumentFindings) => void;
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
    const actual = data === undefined || data === null ? undefined : describeValue(data);
    const location = options.locate([]);
    options.report(documentProblems.create('document-empty', { kind, apiVersion, found: actual }, { location }));
    return undefined;
  }
  if (!checkHeader(data, kind, options)) return undefined;
  const findings = createDocumentFindings(options);
  const { apiVersion: version, kind: written } = data;
  if (typeof version === 'string' && version !== apiVersion) {
    const args = { version, expected: apiVersion };
    findings.add(['apiVersion'], documentProblems.create('document-api-version', args));
  }
  if (typeof written === 'string' && written !== kind) findings.add(['kind'], createKindFinding(data, written, kind));
  const value = collectField(fieldOf(kind, metadata, spec), data, { path: [], findings });
  description.check?.(data, findings);
  return findings.reportAll(() => data) ? (value as unknown as Document<Metadata, Spec>) : undefined;
}

// Cached because the checker prepares each table once, and many documents of a kind are read.
const fields = new WeakMap<Field, Field>();

function fieldOf(kind: string, metadata: Field, spec: Field): Field {
  return getOrAdd(fields, spec, () => {
    const properties = { apiVersion: describeWord(apiVersion), kind: describeWord(kind), metadata, spec };
    return { type: 'object', properties };
  });
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
    report({ ...createKindFinding(data, kind, expected), location: locate(['kind']) });
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

/** A document with another apiVersion is not a kurel document but, for example, a manifest. */
function createKindFinding({ apiVersion: version }: JsonObject, kind: string, expected: string): Diagnostic {
  const isForeign = typeof version === 'string' && !version.startsWith(apiGroup);
  return documentProblems.create('document-kind', { kind, expected, isForeign });
}
