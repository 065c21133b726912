import type { GroupVersionKind, JsonObject } from '../model/index.ts';
import { JsonSchemaNode } from './json-schema-node.ts';
import type { SchemaContext } from './json-schema-node.ts';
import { kindOfKey } from './find-kinds.ts';
import { createLineTable } from './line-table.ts';
import type { LineTable } from './line-table.ts';
import type { GatewayChannel, KubernetesData, Lifecycle, Manifest, PartData, Run } from './manifest.ts';
import type { Deprecation, KindSchema, SchemaFiles, SchemaNode } from './schema-node.ts';
import { readWords } from './words.ts';
import type { Words } from './words.ts';

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

interface ShippedKinds {
  readonly entries: ReadonlyMap<string, KindEntry>;
  /** Schema of `metadata`, which the schemas of CRDs omit. */
  readonly objectMeta: () => SchemaNode;
}

/** The kinds of one Kubernetes version and of the projects with shipped CRDs. */
export function readShippedKinds(options: ShippedOptions): ShippedKinds {
  const { files, manifest, minor, descriptions } = options;
  const { kubernetes } = manifest;
  const entries = new Map<string, KindEntry>();
  const builtIn = createSource(options, kubernetes.file, { nullIsAbsent: true });
  const objectMeta = (): SchemaNode => {
    const [, , structure, words] = findRun(kubernetes.objectMeta, minor)!;
    return builtIn.node(structure, words);
  };
  for (const [key, { scope, places }] of Object.entries(kubernetes.kinds)) {
    const run = findRun(places, minor);
    if (run === undefined) continue;
    const gvk = kindOfKey(key);
    const deprecation = currentDeprecation(kubernetes.lifecycle[key], minor);
    entries.set(key, {
      gvk,
      read: () => ({
        gvk,
        scope,
        schema: builtIn.node(run[2], run[3]),
        source: `${kubernetes.name} 1.${minor}`,
        ...(deprecation === undefined ? {} : { deprecation }),
      }),
    });
  }
  for (const { file, parts } of manifest.projects) {
    const source = createSource({ files, descriptions }, file, { objectMeta });
    for (const part of parts) {
      if (part.channel !== undefined && part.channel !== options.gatewayChannel) continue;
      addPart(part, source);
    }
  }
  return { entries, objectMeta };

  function addPart(part: PartData, source: Source): void {
    for (const [key, { scope, places, warning }] of Object.entries(part.kinds)) {
      const gvk = kindOfKey(key);
      entries.set(key, {
        gvk,
        read: () => ({
          gvk,
          scope,
          schema: source.node(...places),
          source: nameOfPart(part),
          ...(warning === undefined ? {} : { deprecation: { warning } }),
        }),
      });
    }
  }
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

interface Source {
  node(structure: number, words: number): SchemaNode;
}

/** Reads its file when a node is first needed. Nodes without descriptions are shared by all references to them. */
function createSource(
  { files, descriptions }: { readonly files: SchemaFiles; readonly descriptions: boolean },
  file: string,
  facts: Omit<SchemaContext, 'resolve'>,
): Source {
  let lines: LineTable | undefined;
  let wordLines: LineTable | undefined;
  const shared = new Map<number, SchemaNode>();
  const context: SchemaContext = { ...facts, resolve };

  function resolve(line: number, words: Words | undefined): SchemaNode {
    const known = words === undefined ? shared.get(line) : undefined;
    if (known !== undefined) return known;
    lines ??= createLineTable(files.read(`${file}.jsonl`));
    const node = new JsonSchemaNode(lines.get(line) as JsonObject, context, { words });
    if (words === undefined) shared.set(line, node);
    return node;
  }

  return {
    node(structure, words) {
      if (!descriptions) return resolve(structure, undefined);
      wordLines ??= createLineTable(files.read(`${file}.words.jsonl`));
      return resolve(structure, readWords(wordLines, words));
    },
  };
}

/** The Kubernetes versions in which a kind that is missing in `minor` last or first exists. */
export function outsideOf(
  { kinds }: KubernetesData,
  key: string,
  minor: number,
): { readonly last?: number; readonly first?: number } {
  const places = Object.hasOwn(kinds, key) ? kinds[key]!.places : [];
  const last = places.find(([newest]) => newest < minor)?.[0];
  const first = places.findLast(([, oldest]) => oldest > minor)?.[1];
  return { ...(last === undefined ? {} : { last }), ...(first === undefined ? {} : { first }) };
}
