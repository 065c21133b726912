import { isJsonObject } from '../../model/index.ts';
import type { Json, Report, SourceFile } from '../../model/index.ts';
import { findParameter, resolveDeclared } from '../../parameters/index.ts';
import type { ParameterDeclaration } from '../../parameters/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { composeProblems } from './compose/problems.ts';
import { readCapabilities } from './compose/read-capabilities.ts';
import type { CapabilityDefinition, LocatedData, ReadingOptions } from '../../documents/index.ts';
import {
  apiGroup,
  meantKind,
  readAcceptances,
  readCapabilityDefinition,
  readClusterProfile,
  readFleetDocument,
  readFunctionDocument,
  readOneDocument,
  readPolicy,
} from '../../documents/index.ts';
import { findReferences } from './parameter-use.ts';
import { readPackage } from './resolve-application.ts';

export interface DocumentCheckOptions {
  readonly catalog: Catalog;
  /** CapabilityDefinition files that a profile or policy may refer to. Problems in them are reported too. */
  readonly definitions?: readonly SourceFile[] | undefined;
  readonly report: Report;
}

interface Checking extends ReadingOptions {
  readonly source: LocatedData;
  readonly catalog: Catalog;
  readonly definitions: ReadonlyMap<string, CapabilityDefinition>;
  readonly known: { readonly components: readonly string[]; readonly traits: readonly string[] };
}

const checks = {
  ClusterProfile(data: Json, checking: Checking): void {
    const profile = readClusterProfile(data, checking);
    if (profile !== undefined) readCapabilities({ ...checking, profile });
  },
  Policy: readPolicy,
  CapabilityDefinition(data: Json, checking: Checking): void {
    const trait = readCapabilityDefinition(data, checking)?.metadata.name;
    // A library user may have a handler for any other trait, so only built-in ones are known to be unused.
    if (trait === undefined || !checking.catalog.isBuiltIn(trait)) return;
    const place = { location: checking.locate(['metadata', 'name']) };
    checking.report(composeProblems.create('definition-unused', { trait, isBuiltIn: true }, place));
  },
  Acceptances: readAcceptances,
  Fleet: readFleetDocument,
  KurelBuild: readFunctionDocument,
  KurelValidate: readFunctionDocument,
} as const satisfies Readonly<Record<string, (data: Json, checking: Checking) => unknown>>;

/** Kinds that can be checked without other documents; an Application is checked as part of its package. */
export type CheckedKind = keyof typeof checks | 'Package';

/** Checks one document by itself, as a build reads it. Returns `undefined`, without a finding, if the file has no such document. */
export function checkDocument(file: SourceFile, options: DocumentCheckOptions): CheckedKind | undefined {
  const { catalog, report } = options;
  const kind = findKind(file);
  if (kind === 'Package') checkPackage(file, report);
  if (kind === undefined || kind === 'Package') return kind;
  const definitions = readDefinitions(kind === 'ClusterProfile' || kind === 'Policy' ? options : { report });
  const source = readOneDocument(file, report);
  if (source === undefined) return kind;
  const types = {
    components: [...catalog.components.keys()],
    traits: [...catalog.traits.keys(), ...definitions.keys()],
  };
  checks[kind](source.data, { ...source, report, source, catalog, definitions, known: types });
  return kind;
}

function checkPackage(file: SourceFile, report: Report): void {
  const wrong = new Set<string | number | undefined>();
  const declared = readPackage(
    { declaration: file },
    {
      report(finding) {
        wrong.add(finding.location?.path?.[positionInPath]);
        report(finding);
      },
    },
  );
  if (declared === undefined) return;
  const { declarations, settings } = declared;
  const open = findOpen(declarations);
  // A default that is wrong where it is declared is not reported again where it is resolved.
  for (const { name, location } of declarations) if (wrong.has(location.path?.[positionInPath])) open.add(name);
  resolveDeclared(declarations, [], { ...settings, report, isUsed: (name) => !open.has(name) });
}

/** Position of a parameter in a path of the declaration: `spec.parameters[0]`. */
const positionInPath = 2;

/** A misspelled kind counts as the kind it resembles, so that the check can report the mistake. */
function findKind(source: SourceFile): CheckedKind | undefined {
  const { documents, diagnostics } = readYaml(source, { words: 'core' });
  for (const { data } of documents) {
    if (!isJsonObject(data)) continue;
    const { apiVersion: version, kind } = data;
    const isOwn = typeof version === 'string' && version.startsWith(apiGroup) && typeof kind === 'string';
    return isOwn ? checkedKind(kind) : undefined;
  }
  // The kind of a document that cannot be read, whose errors are reported by its check.
  const [, word] =
    diagnostics.some(({ severity }) => severity === 'error') && source.text.includes(apiGroup)
      ? (kindLine.exec(source.text) ?? [])
      : [];
  return word === undefined ? undefined : checkedKind(word);
}

const kindLine = /^["']?kind["']?:[ \t]*["']?(\w+)/m;

function checkedKind(kind: string): CheckedKind | undefined {
  const kinds = [...Object.keys(checks), 'Package'];
  const word = kinds.includes(kind) ? kind : meantKind(kind, [...kinds, 'Application']);
  return word !== undefined && kinds.includes(word) ? (word as CheckedKind) : undefined;
}

function readDefinitions({
  definitions = [],
  report,
}: Pick<DocumentCheckOptions, 'definitions' | 'report'>): ReadonlyMap<string, CapabilityDefinition> {
  const byName = new Map<string, CapabilityDefinition>();
  for (const source of definitions) {
    const located = readOneDocument(source, report);
    const definition = located && readCapabilityDefinition(located.data, { ...located, report });
    if (definition !== undefined) byName.set(definition.metadata.name, definition);
  }
  return byName;
}

/** Parameters without a value, or whose default refers to a parameter without one. */
function findOpen(declarations: readonly ParameterDeclaration[]): Set<string> {
  const open = new Set<string>();
  const isOpen = (reference: string): boolean => open.has(findParameter(reference, declarations)?.name ?? reference);
  for (const { name, default: otherwise } of declarations) {
    if (otherwise === undefined || [...findReferences(otherwise).on].some(isOpen)) open.add(name);
  }
  return open;
}
