import type { Json } from '../../src/model/index.ts';
import { resolvePlainKey, resolvePlainScalar } from '../../src/yaml/resolve-plain-scalar.ts';

interface TreeNode {
  readonly kind: 'mapping' | 'list' | 'scalar';
  readonly tag: string | undefined;
  readonly plain: boolean;
  readonly text: string;
  readonly children: TreeNode[];
}

class NotRepresentable extends Error {}

/** The data that the events of a case of the YAML test suite say; `undefined` when Kubernetes has no such data. */
export function readSuiteTree(tree: string): readonly Json[] | undefined {
  const anchors = new Map<string, TreeNode>();
  const documents: TreeNode[] = [];
  const open: TreeNode[] = [];
  for (const line of tree.split('\n').map((one) => one.trimStart())) {
    if (/^-(?:MAP|SEQ)/.test(line)) open.pop();
    if (!/^(?:\+MAP|\+SEQ|=VAL|=ALI)/.test(line)) continue;
    const node = readEvent(line, anchors);
    (open.at(-1)?.children ?? documents).push(node);
    if (line.startsWith('+')) open.push(node);
  }
  try {
    return documents.map(toData);
  } catch (error) {
    if (error instanceof NotRepresentable) return undefined;
    throw error;
  }
}

function readEvent(line: string, anchors: Map<string, TreeNode>): TreeNode {
  if (line.startsWith('=ALI')) return anchors.get(line.slice('=ALI *'.length))!;
  const match = /^(\+MAP|\+SEQ|=VAL)(?: (?:\{\}|\[\]))?(?: &(\S+))?(?: <(\S+)>)?(?: ([:'"|>])(.*))?$/su.exec(line)!;
  const [, event, anchor, tag, style, text = ''] = match;
  const kind = event === '=VAL' ? 'scalar' : event === '+MAP' ? 'mapping' : 'list';
  const node: TreeNode = { kind, tag, plain: style === ':', text: unescapeText(text), children: [] };
  if (anchor !== undefined) anchors.set(anchor, node);
  return node;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', '\\': '\\' };

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole);
}

const known = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

function toData(node: TreeNode): Json {
  if (node.tag !== undefined && !known.test(node.tag)) throw new NotRepresentable();
  if (node.kind === 'list') return node.children.map(toData);
  if (node.kind === 'scalar') return isText(node) ? node.text : resolvePlainScalar(node.text);
  const data: Record<string, Json> = {};
  for (let index = 0; index < node.children.length; index += 2) {
    data[toKey(node.children[index]!)] = toData(node.children[index + 1]!);
  }
  return data;
}

function toKey(node: TreeNode): string {
  const value = toData(node);
  if (typeof value === 'object') throw new NotRepresentable();
  return isText(node) ? node.text : resolvePlainKey(node.text)!;
}

function isText({ tag, plain }: TreeNode): boolean {
  return tag === undefined ? !plain : tag === '!' || tag.endsWith(':str');
}
