import { isJsonObject } from '../../model/index.ts';
import type { Json, Report, SourceFile } from '../../model/index.ts';
import { findParameter, resolveDeclared } from '../../parameters/index.ts';
import type { ParameterDeclaration } from '../../parameters/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { composeProblems } from './compose/problems.ts';
import { readCapabilities } from './compose/read-capabilities.ts';
import { readOneDocument } from './documents/located-data.ts';
import { meantKind } from './documents/problems.ts';
import { readAcceptances } from './documents/read-acceptances.ts';
import { readCapabilityDefinition } from './documents/read-capability-definition.ts';
import type { CapabilityDefinition } from './documents/read-capability-definition.ts';
import { readClusterProfile } from './documents/read-cluster-profile.ts';
import { apiVersion } from './documents/read-document.ts';
import { readFleetDocument, readFunctionDocument } from './documents/read-fleet.ts';
import { readPolicy } from './documents/read-policy.ts';
import { findReferences } from './find-parts-off.ts';
import { readPackage } from './resolve-application.ts';

/** Kinds that can be checked without other documents; an Application is checked as part of its package. */
export type CheckedKind =
  | 'ClusterProfile'
  | 'Policy'
  | 'CapabilityDefinition'
  | 'Package'
  | 'Acceptances'
  | 'Fleet'
  | 'KurelBuild'
  | 'KurelValidate';

export interface DocumentCheckOptions {
  readonly catalog: Catalog;
  /** CapabilityDefinition files that a profile or policy may refer to. Problems in them are reported too. */
  readonly definitions?: readonly SourceFile[] | undefined;
  readonly report: Report;
}

/** Checks one document by itself, as a build reads it. Returns `undefined`, without a finding, if the file has no such document. */
export function checkDocument(source: SourceFile, options: DocumentCheckOptions): CheckedKind | undefined {
  const kind = findKind(source);
  if (kind !== undefined) checks[kind](source, options);
  return kind;
}

type Check = (source: SourceFile, options: DocumentCheckOptions) => void;

const checks: Readonly<Record<CheckedKind, Check>> = {
  ClusterProfile(source, options) {
    const { catalog, report } = options;
    const definitions = readDefinitions(options);
    const located = readOneDocument(source, report);
    if (located === undefined) return;
    const known = { traits: [...catalog.traits.keys(), ...definitions.keys()] };
    const profile = readClusterProfile(located.data, { locate: located.locate, report, known });
    if (profile !== undefined) readCapabilities({ profile, source: located, catalog, definitions, report });
  },
  Policy(source, options) {
    const { catalog, report } = options;
    const known = { traits: [...catalog.traits.keys(), ...readDefinitions(options).keys()] };
    const located = readOneDocument(source, report);
    if (located !== undefined) readPolicy(located.data, { locate: located.locate, report, known });
  },
  CapabilityDefinition(source, { catalog, report }) {
    const located = readOneDocument(source, report);
    if (located === undefined) return;
    const definition = readCapabilityDefinition(located.data, { locate: located.locate, report });
    const trait = definition?.metadata.name;
    // A library user may have a handler for any other trait, so only built-in ones are known to be unused.
    if (trait === undefined || !catalog.isBuiltIn(trait)) return;
    const place = { location: located.locate(['metadata', 'name']) };
    report(composeProblems.create('definition-unused', { trait, isBuiltIn: true }, place));
  },
  Acceptances(source, { report }) {
    const located = readOneDocument(source, report);
    if (located !== undefined) readAcceptances(located.data, { locate: located.locate, report });
  },
  Fleet(source, { report }) {
    const located = readOneDocument(source, report);
    if (located !== undefined) readFleetDocument(located.data, { locate: located.locate, report });
  },
  KurelBuild: checkFunction,
  KurelValidate: checkFunction,
  Package(source, { report }) {
    const declared = readPackage({ declaration: source }, { report });
    if (declared === undefined) return;
    const { document, declarations, location: packageLocation } = declared;
    const open = findOpen(declarations);
    const settings = { packageName: document.metadata.name, packageLocation, report };
    resolveDeclared(declarations, [], { ...settings, isUsed: (name) => !open.has(name) });
  },
};

function checkFunction(source: SourceFile, { report }: DocumentCheckOptions): void {
  const located = readOneDocument(source, report);
  if (located !== undefined) readFunctionDocument(located.data, { locate: located.locate, report });
}

/** A misspelled kind counts as the kind it resembles, so that the check can report the mistake. */
function findKind(source: SourceFile): CheckedKind | undefined {
  const group = apiVersion.slice(0, apiVersion.indexOf('/') + 1);
  for (const { data } of readYaml(source, { words: 'core' }).documents) {
    if (!isJsonObject(data)) continue;
    const { apiVersion: version, kind } = data;
    if (typeof version !== 'string' || !version.startsWith(group) || typeof kind !== 'string') return undefined;
    const word = Object.hasOwn(checks, kind) ? kind : meantKind(kind, [...Object.keys(checks), 'Application']);
    return word !== undefined && Object.hasOwn(checks, word) ? (word as CheckedKind) : undefined;
  }
  return undefined;
}

function readDefinitions({
  definitions = [],
  report,
}: DocumentCheckOptions): ReadonlyMap<string, CapabilityDefinition> {
  const byName = new Map<string, CapabilityDefinition>();
  for (const source of definitions) {
    const located = readOneDocument(source, report);
    const definition =
      located === undefined ? undefined : readCapabilityDefinition(located.data, { locate: located.locate, report });
    if (definition !== undefined) byName.set(definition.metadata.name, definition);
  }
  return byName;
}

/** Parameters without a value, or whose default refers to a parameter without one. */
function findOpen(declarations: readonly ParameterDeclaration[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const { name, default: otherwise } of declarations) {
    if (otherwise === undefined || refersTo(otherwise, open, declarations)) open.add(name);
  }
  return open;
}

function refersTo(value: Json, names: ReadonlySet<string>, declarations: readonly ParameterDeclaration[]): boolean {
  const { on } = findReferences(value, () => false);
  return [...on].some((reference) => names.has(findParameter(reference, declarations)?.name ?? reference));
}
