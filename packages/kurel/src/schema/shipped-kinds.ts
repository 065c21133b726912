import type { Scope } from '../kube/index.ts';
import type { GroupVersionKind, JsonObject, Json } from '../model/index.ts';
import { kindOfKey } from './find-kinds.ts';
import { JsonSchemaNode, readWords } from './json-schema-node.ts';
import type { ReadLine, SchemaContext, Words } from './json-schema-node.ts';
import type { Deprecation, KindSchema, SchemaFiles, SchemaNode } from './schema-node.ts';
import { getOrAdd } from '../budget/index.ts';

/** An available kind; its schema is read on demand. */
export interface KindEntry {
  readonly gvk: GroupVersionKind;
  read(): KindSchema;
}

interface ShippedOptions {
  readonly files: SchemaFiles;
  readonly manifest: Manifest;
  readonly minor: number;
  readonly gatewayChannel: GatewayChannel;
  readonly descriptions: boolean;
}

/** Kinds by key, `group/version/Kind`. */
export interface KindIndex {
  find(key: string): KindEntry | undefined;
  list(): readonly KindEntry[];
}

interface ShippedKinds {
  readonly index: KindIndex;
  /** Schema of `metadata`, which the schemas of CRDs omit. */
  readonly objectMeta: () => SchemaNode;
}

/** The kinds of one Kubernetes version and of the projects with shipped CRDs. A build needs a few of them, so each is looked up. */
export function readShippedKinds(options: ShippedOptions): ShippedKinds {
  const { files, manifest, minor, descriptions } = options;
  const { kubernetes } = manifest;
  const readBuiltIn = createNodeReader(options, kubernetes.file, { nullIsAbsent: true });
  const objectMeta = (): SchemaNode => {
    const [, , structure, words] = findRun(kubernetes.objectMeta, minor)!;
    return readBuiltIn(structure, words);
  };
  const readers = new Map<string, ReadNode>();
  const readerOf = (file: string): ReadNode =>
    getOrAdd(readers, file, () => createNodeReader({ files, descriptions }, file, { objectMeta }));
  return {
    index: {
      find: (key) => findBuiltIn(key) ?? findCustom(key),
      list: () => [...listBuiltIn(), ...customParts().flatMap(({ part }) => Object.keys(part.kinds))].map(entryOf),
    },
    objectMeta,
  };

  function entryOf(key: string): KindEntry {
    return (findBuiltIn(key) ?? findCustom(key))!;
  }

  function findBuiltIn(key: string): KindEntry | undefined {
    if (!Object.hasOwn(kubernetes.kinds, key)) return undefined;
    const { scope, places } = kubernetes.kinds[key]!;
    const run = findRun(places, minor);
    if (run === undefined) return undefined;
    return createEntry(key, () => {
      const deprecation = currentDeprecation(kubernetes.lifecycle[key], minor);
      return {
        scope,
        schema: readBuiltIn(run[2], run[3]),
        source: `${kubernetes.name} 1.${minor}`,
        ...(deprecation === undefined ? {} : { deprecation }),
      };
    });
  }

  function listBuiltIn(): readonly string[] {
    return Object.keys(kubernetes.kinds).filter((key) => findRun(kubernetes.kinds[key]!.places, minor) !== undefined);
  }

  function findCustom(key: string): KindEntry | undefined {
    const owner = customParts().find(({ part }) => Object.hasOwn(part.kinds, key));
    if (owner === undefined) return undefined;
    const { file, part } = owner;
    const { scope, places, warning } = part.kinds[key]!;
    const readCustom = readerOf(file);
    return createEntry(key, () => ({
      scope,
      schema: readCustom(...places),
      source: nameOfPart(part),
      ...(warning === undefined ? {} : { deprecation: { warning } }),
    }));
  }

  function customParts(): readonly { readonly file: string; readonly part: PartData }[] {
    return manifest.projects.flatMap(({ file, parts }) =>
      parts
        .filter(({ channel }) => channel === undefined || channel === options.gatewayChannel)
        .map((part) => ({ file, part })),
    );
  }
}

function createEntry(key: string, read: () => Omit<KindSchema, 'gvk'>): KindEntry {
  const gvk = kindOfKey(key);
  return { gvk, read: () => ({ gvk, ...read() }) };
}

function findRun(runs: readonly Run[], minor: number): Run | undefined {
  return runs.find(([newest, oldest]) => oldest <= minor && minor <= newest);
}

/** `1.37` or `1.37.1` → 37 */
export function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}

function currentDeprecation(lifecycle: Lifecycle | undefined, minor: number): Deprecation | undefined {
  return lifecycle !== undefined && minorOf(lifecycle.since) <= minor ? lifecycle : undefined;
}

function nameOfPart({ name, version, channel }: PartData): string {
  const words = version === undefined ? name : `${name} ${version}`;
  return channel === undefined ? words : `${words} (${channel} channel)`;
}

type ReadNode = (structure: number, words: number) => SchemaNode;

/** Reads its file when a node is first needed. Nodes without descriptions are shared by all references to them. */
function createNodeReader(
  { files, descriptions }: { readonly files: SchemaFiles; readonly descriptions: boolean },
  file: string,
  facts: Omit<SchemaContext, 'resolve'>,
): ReadNode {
  let readStructure: ReadLine | undefined;
  let readDescription: ReadLine | undefined;
  const shared = new Map<number, SchemaNode>();
  const context: SchemaContext = { ...facts, hasRuleTrees: true, resolve };

  function resolve(line: number, words: Words | undefined): SchemaNode {
    const create = (): SchemaNode => {
      readStructure ??= createReader(files.read(`${file}.jsonl`));
      return new JsonSchemaNode(readStructure(line) as JsonObject, context, { words });
    };
    return words === undefined ? getOrAdd(shared, line, create) : create();
  }

  return (structure, words) => {
    if (!descriptions) return resolve(structure, undefined);
    readDescription ??= createReader(files.read(`${file}.words.jsonl`));
    return resolve(structure, readWords(readDescription, words));
  };
}

function createReader(text: string): ReadLine {
  const lines = text.split('\n');
  return (line) => JSON.parse(lines[line]!) as Json;
}

/** The Kubernetes versions in which a kind that is missing in `minor` last or first exists. */
export function outsideOf(
  { kinds }: KubernetesData,
  key: string,
  minor: number,
): { readonly last: number | undefined; readonly first: number | undefined } {
  const places = Object.hasOwn(kinds, key) ? kinds[key]!.places : [];
  return {
    last: places.find(([newest]) => newest < minor)?.[0],
    first: places.findLast(([, oldest]) => oldest > minor)?.[1],
  };
}

/** The table of contents of the shipped data, as `npm run schemas` writes it. Kinds are keyed `group/version/Kind`. */
export interface Manifest {
  readonly kubernetes: KubernetesData;
  readonly projects: readonly ProjectData[];
}

export interface KubernetesData {
  readonly name: string;
  readonly file: string;
  /** Newest first, with patch. */
  readonly versions: readonly string[];
  readonly objectMeta: readonly Run[];
  readonly kinds: Readonly<Record<string, { readonly scope: Scope; readonly places: readonly Run[] }>>;
  readonly lifecycle: Readonly<Record<string, Lifecycle>>;
}

/** Newest and oldest minor version of a run of equal versions, then the lines of structure and descriptions. */
type Run = readonly [newest: number, oldest: number, structure: number, words: number];

interface Lifecycle extends Omit<Deprecation, 'warning'> {
  readonly since: string;
}

interface ProjectData {
  readonly file: string;
  readonly parts: readonly PartData[];
}

/** The data of one release of one project. */
interface PartData {
  readonly name: string;
  readonly version?: string;
  /** Gateway API describes the same kinds in two channels. */
  readonly channel?: GatewayChannel;
  readonly kinds: Readonly<Record<string, CustomKindData>>;
}

interface CustomKindData {
  readonly scope: Scope;
  readonly places: readonly [structure: number, words: number];
  readonly warning?: string;
}

export type GatewayChannel = 'standard' | 'experimental';
