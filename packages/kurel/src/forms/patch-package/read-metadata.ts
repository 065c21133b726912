import { createBudget } from '../../budget/index.ts';
import { nearest } from '../../diagnostics/index.ts';
import { checkDnsLabel } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, SourceFile, Values } from '../../model/index.ts';
import { locateInValues, readLexeme } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { check, checkFormat, createFinding, defineNode } from '../../schema/index.ts';
import type { CheckFinding, SchemaNode } from '../../schema/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { Loading } from '../package-loading.ts';
import type { PackageMetadata, Sidecar } from './patch-package.ts';
import { packageProblems } from './problems.ts';

const text = defineNode({ type: 'string' });
const anything = defineNode({ type: 'any' });

function checkedText(demand: (value: string) => string | undefined, example?: string): SchemaNode {
  const meaning = example === undefined ? undefined : `such as \`${example}\``;
  return defineNode({ type: 'string', check: (value) => demand(String(value)), meaning });
}

const metadataNode = defineNode({
  type: 'object',
  meaning: 'an object with name, version and appVersion',
  insteadOfText: 'write an object with name, version and appVersion',
  required: ['name', 'version', 'appVersion'],
  properties: {
    name: checkedText(checkDnsLabel, 'name: my-app'),
    version: checkedText((version) => checkFormat(version, 'semantic-version'), 'version: 1.0.0'),
    appVersion: checkedText((version) => checkFormat(version, 'filled'), 'appVersion: "1.0"'),
    description: text,
    home: checkedText((url) => (/^https?:\/\//.test(url) ? undefined : 'must start with https://')),
    keywords: defineNode({ type: 'list', items: text }),
    maintainers: defineNode({
      type: 'list',
      items: defineNode({ type: 'object', open: true, required: ['name'], properties: { name: text, email: text } }),
    }),
    schemas: anything,
  },
});

/** Other keys are parameters. */
const parametersNode = defineNode({
  type: 'object',
  open: true,
  required: ['kurel'],
  properties: { kurel: metadataNode },
});

const patchNames = defineNode({
  type: 'list',
  items: checkedText((name) => (name === '' ? 'must be the name of a patch' : undefined)),
});

const sidecarNode = defineNode({
  type: 'object',
  properties: { enabled: anything, description: text, requires: patchNames, conflicts: patchNames },
});

/** The fields of `kurel` in parameters.yaml. */
export const metadataFields = metadataNode.propertyNames;

interface Checking {
  readonly source: SourceFile;
  /** The file, as messages name it. */
  readonly whole: string;
  readonly amend?: (finding: CheckFinding) => CheckFinding;
  readonly report: Report;
}

/** Reports all mistakes in a value. Returns whether none of them is an error. */
function checkData(value: Json, node: SchemaNode, { source, whole, amend, report }: Checking): boolean {
  let isFine = true;
  check(value, node, {
    source: { noun: 'field', whole },
    budget: createBudget(),
    report(finding) {
      // A missing field is reported at the key of its parent.
      const isMissing = finding.finding[0] === 'field-required';
      const mistake = isMissing ? { ...finding, path: finding.path.slice(0, -1), at: 'key' as const } : finding;
      const diagnostic = createFinding(amend?.(mistake) ?? mistake, (inner) => locate(source, inner));
      isFine &&= diagnostic.severity !== 'error';
      report(diagnostic);
    },
  });
  return isFine;
}

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
  const { kurel } = data;
  const amend = (finding: CheckFinding): CheckFinding => amendUnknown(finding, kurel);
  if (!checkData(data, parametersNode, { source, whole: 'parameters.yaml', amend, report })) return undefined;
  const { name, version, appVersion, description, home, keywords, maintainers } = kurel as JsonObject;
  return {
    name,
    version,
    appVersion,
    description: description ?? undefined,
    home: home ?? undefined,
    keywords: keywords ?? [],
    maintainers: maintainers ?? [],
  } as PackageMetadata;
}

/** An unknown field is only a warning, because references can use it as a parameter, unless it is a required one with a typo. */
function amendUnknown(finding: CheckFinding, kurel: Json | undefined): CheckFinding {
  const [code, args] = finding.finding;
  if (code !== 'field-unknown') return finding;
  const near = nearest(args.name, metadataFields);
  if (near === undefined) {
    const advice = 'move your own parameters out of "kurel", to the top level';
    return { ...finding, finding: [code, { ...args, advice }], severity: 'warning' };
  }
  const isMissing = metadataNode.required!.includes(near) && (stepInto(kurel, near) ?? null) === null;
  return isMissing ? finding : { ...finding, severity: 'warning' };
}

function locate(source: SourceFile, path: Path, at?: 'key' | 'value'): Location {
  return { ...locateInValues(source, path), ...(at === undefined ? {} : { at }) };
}

/** Reads the metadata file of a patch; `undefined` if it cannot be read, which is reported. Invalid parts are left out. */
export function readSidecar(source: SourceFile, { report, budget }: Loading): Sidecar | undefined {
  const { documents, diagnostics } = readYaml(source, { words: 'core', budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  if (filled.length > 1) {
    const location = locate(source, [], 'value');
    report(packageProblems.create('sidecar-several', { count: filled.length }, { location }));
    return undefined;
  }
  const data = filled[0]?.data ?? {};
  checkData(data, sidecarNode, { source, whole: 'the patch metadata', report });
  if (!isJsonObject(data)) return undefined;
  const { enabled, description, requires, conflicts } = data;
  const readReferences = (value: Json | undefined, key: string): Sidecar['requires'] =>
    (isJsonArray(value) ? value : []).flatMap((item, index) => {
      if (typeof item !== 'string' || item === '') return [];
      return [{ id: completeIdentity(item), location: locate(source, [key, index], 'value') }];
    });
  return {
    source,
    // A null is neither true nor absent.
    enabled,
    description: typeof description === 'string' ? description : undefined,
    requires: readReferences(requires, 'requires'),
    conflicts: readReferences(conflicts, 'conflicts'),
  };
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
