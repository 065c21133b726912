import { describeValue, quote } from '../../diagnostics/index.ts';
import { formatObject } from '../../index.ts';
import { annotationsOf, mappingAt, withAnnotations, withoutAnnotations } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, isKubeObject, isSameJson } from '../../model/index.ts';
import type { Budget, Json, JsonObject, KubeObject, Location, Range, Report, SourceFile } from '../../model/index.ts';
import { editDocument, locateWritten, readYaml, writeYaml } from '../../yaml/index.ts';
import { moveFindings } from '../sourced-findings.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { cliProblems } from '../problems.ts';
import { hasErrors } from '../usage-error.ts';

/** What a KRM function takes and gives, as in the KRM Functions Specification. */
export interface ResourceList {
  readonly source: SourceFile;
  readonly range: Range;
  readonly data: JsonObject;
  readonly items: readonly KubeObject[];
  /** As a file of its own, so that findings have lines in it. */
  readonly functionConfig: SourceFile;
}

const apiVersion = 'config.kubernetes.io/v1';

/** Reads standard input; `undefined` if it is not a ResourceList, which is reported. */
export function readResourceList(text: string, report: Report, budget?: Budget): ResourceList | undefined {
  const source = { path: 'stdin', text };
  const { documents, diagnostics } = readYaml(source, { budget });
  diagnostics.forEach(report);
  if (hasErrors(diagnostics)) return undefined;
  const filled = documents.filter(({ data }) => data !== undefined);
  const [document] = filled;
  const reason = findReason(filled.map(({ data }) => data!));
  if (document === undefined || reason !== undefined) {
    report(cliProblems.create('resource-list-invalid', { reason: reason! }, { location: { file: source.path } }));
    return undefined;
  }
  const data = document.data as JsonObject;
  const functionConfig = { path: 'functionConfig', text: cutConfig(source, document.index) };
  const items = (data['items'] ?? []) as readonly KubeObject[];
  return { source, range: document.range, data, items, functionConfig };
}

/** As it is written, so that `tag: 1.10` keeps its zero. */
function cutConfig(source: SourceFile, document: number): string {
  // kurel's own documents are read as YAML 1.2, in which `yes` is a string.
  const read = (file: SourceFile) => readYaml(file, { words: 'core' }).documents.flatMap(({ data }) => data ?? [])[0];
  const wanted = (read(source) as JsonObject)['functionConfig']!;
  const { start, end } = locateWritten(source, { file: source.path, document, path: ['functionConfig'] })!;
  const indent = source.text.slice(source.text.lastIndexOf('\n', start) + 1, start);
  const cut = source.text.slice(start, end).replaceAll(`\n${indent}`, '\n');
  const text = cut.endsWith('\n') ? cut : `${cut}\n`;
  return isSameJson(read({ path: 'functionConfig', text }) ?? null, wanted) ? text : writeYaml(wanted);
}

/** Why standard input is not a ResourceList. */
function findReason(documents: readonly Json[]): string | undefined {
  const [data] = documents;
  if (data === undefined) return 'it is empty';
  if (documents.length > 1) return `it has ${documents.length} documents`;
  if (!isJsonObject(data)) return `it is ${describeValue(data)}`;
  const { apiVersion: version, kind, items = [], functionConfig } = data;
  if (kind !== 'ResourceList') return `kind is ${kind === undefined ? 'missing' : describeValue(kind)}`;
  if (version !== apiVersion) {
    return `apiVersion must be ${quote(apiVersion)}, got ${version === undefined ? 'nothing' : describeValue(version)}`;
  }
  if (items !== null && !isJsonArray(items)) return `items must be a list, got ${describeValue(items)}`;
  const index = (items ?? []).findIndex((item) => !isKubeObject(item));
  if (index !== -1) return `items[${index}] is not an object with apiVersion and kind`;
  return functionConfig === undefined || functionConfig === null ? 'functionConfig is missing' : undefined;
}

/** The text of the list with the new items and results; everything else is unchanged, with its comments. */
export function writeResourceList(
  list: ResourceList | undefined,
  items: readonly KubeObject[],
  results: readonly JsonObject[],
): string {
  const ofResults = results.length === 0 ? {} : { results };
  if (list === undefined) return writeYaml({ apiVersion, kind: 'ResourceList', items, ...ofResults });
  const { source, range, data } = list;
  const { results: _, ...rest } = data;
  const wanted = { ...rest, items, ...ofResults };
  const { text } = source;
  return text.slice(0, range.start) + editDocument(source, range, { wanted, parsed: data }) + text.slice(range.end);
}

/** Annotations of the program that calls the function, which must survive. */
const ofCaller =
  /^(?:internal\.)?config\.kubernetes\.io\/|^config\.k8s\.io\/|^kustomize\.config\.k8s\.io\/|^internal\.kpt\.dev\//;

/** The items with the objects of a build, each in the place of an item with the same identity, or at the end. */
export function mergeItems(
  items: readonly KubeObject[],
  objects: readonly KubeObject[],
  identityOf: (object: KubeObject) => string,
): readonly KubeObject[] {
  const built = new Map(objects.map((object) => [identityOf(object), object]));
  const merged = items.map((item) => {
    const key = identityOf(item);
    const object = built.get(key);
    built.delete(key);
    if (object === undefined) return item;
    const kept = Object.entries(annotationsOf(item)).filter(([name]) => isOfCaller(name));
    return withAnnotations(object, Object.fromEntries(kept));
  });
  return [...merged, ...built.values()];
}

/** Files that are for the caller and never applied, such as a Kptfile. */
export function isLocal(item: KubeObject): boolean {
  const local = annotationsOf(item)['config.kubernetes.io/local-config'];
  return local !== undefined && local !== 'false';
}

function isOfCaller(key: string): boolean {
  return ofCaller.test(key);
}

/** Items as manifests on standard input, and their findings as findings about single items. */
interface ItemSources {
  readonly text: string;
  /** Items by the name that findings have for them. */
  readonly items: ReadonlyMap<string, KubeObject>;
  readonly relocate: (findings: SourcedFindings) => SourcedFindings;
}

const marker = '---\n';

export function createItemSources(items: readonly KubeObject[]): ItemSources {
  const named = new Map<string, KubeObject>();
  const sources: SourceFile[] = [];
  const starts: number[] = [];
  let text = '';
  for (const [index, item] of items.entries()) {
    const name = formatObject(item);
    const path = named.has(name) ? `${name} (${index})` : name;
    const names = Object.keys(mappingAt(item.metadata, 'annotations') ?? {});
    // Without quotes, they are not strings.
    const own = writeYaml(withoutAnnotations(item, names.filter(isOfCaller)));
    named.set(path, item);
    sources.push({ path, text: own });
    starts.push(text.length + marker.length);
    text += marker + own;
  }
  const move = (location: Location): Location => {
    const { file, document, range } = location;
    const source = file === 'stdin' && document !== undefined ? sources[document] : undefined;
    if (source === undefined) return location;
    const start = starts[document!]!;
    const moved = range && { range: { start: range.start - start, end: range.end - start } };
    return { ...location, ...moved, file: source.path, document: 0 };
  };
  return {
    text,
    items: named,
    relocate({ diagnostics, sources: others }) {
      const secrets = others.flatMap((other) => other.secrets ?? []);
      const own = sources.map(({ path, text: ofItem }) => ({ path, text: ofItem, secrets }));
      return {
        diagnostics: moveFindings(diagnostics, move),
        sources: [...others.filter(({ path }) => path !== 'stdin'), ...own],
      };
    },
  };
}
