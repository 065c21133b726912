import { nameOfField } from '../../../patch/index.ts';
import type { TracedField } from '../../../patch/index.ts';
import type { ParameterUse } from './parameter-uses.ts';

/** What a person should know about a parameter: the author's comment, or Kubernetes' words, and where its value goes. */
export function describeParameter(comment: string | undefined, uses: readonly ParameterUse[]): string | undefined {
  const fields = uses.flatMap(({ role, field, isEntry }) =>
    role === 'whole' && field?.node !== undefined && isEntry !== true ? [field] : [],
  );
  const names = [...new Set(fields.map(nameOfField))];
  if (names.length > 0) return `${comment?.replace(/\.$/, '') ?? wordsOf(fields[0]!)} (from ${listNames(names)})`;
  const enabled = [...new Set(uses.flatMap(({ enables }) => (enables === undefined ? [] : [enables])))];
  if (enabled.length === 0) return comment;
  const patches = listNames(enabled);
  return comment === undefined ? `Enables ${patches}` : `${comment.replace(/\.$/, '')} (enables ${patches})`;
}

const mostNames = 3;

function listNames(names: readonly string[]): string {
  if (names.length <= mostNames) return names.join(', ');
  return `${names.slice(0, mostNames - 1).join(', ')} and ${names.length - mostNames + 1} more`;
}

const amounts: ReadonlyMap<string, string> = new Map([
  ['limits', 'limit'],
  ['requests', 'request'],
]);

/** Mappings whose keys are anybody's words. */
const entries: ReadonlyMap<string, string> = new Map([
  ['annotations', 'Annotation'],
  ['data', 'Data'],
  ['labels', 'Label'],
  ['matchLabels', 'Label'],
  ['nodeSelector', 'Label'],
  ['selector', 'Label'],
  ['stringData', 'Data'],
]);

function wordsOf({ path, node }: TracedField): string {
  const [holder = '', name = ''] = path.slice(-2);
  const amount = amounts.get(holder);
  if (amount !== undefined && node?.type === 'quantity') return `${humanise(name)} ${amount}`;
  if (name === 'replicas') return 'Number of replicas';
  const entry = entries.get(holder);
  if (entry !== undefined) return `${entry} ${name}`;
  // The description of every quantity is the grammar of quantities.
  const said = node?.type === 'quantity' ? undefined : firstSentence(node?.description);
  return said ?? humanise(name);
}

const longest = 200;

function firstSentence(text: string | undefined): string | undefined {
  const line = text
    ?.trim()
    .split(/\n\s*\n/)[0]
    ?.replaceAll(/\s+/g, ' ');
  if (line === undefined || line === '') return undefined;
  const end = line.search(/[.:](?:\s+[A-Z]|\s*$)/);
  const sentence = end === -1 ? line : line.slice(0, end);
  return sentence.length > longest ? undefined : sentence;
}

const spellings: ReadonlyMap<string, string> = new Map([
  ['cpu', 'CPU'],
  ['ip', 'IP'],
  ['tls', 'TLS'],
  ['url', 'URL'],
]);

/** `imagePullPolicy` → `Image pull policy`. */
function humanise(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s\-_]+/)
    .map((word) => spellings.get(word.toLowerCase()) ?? (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
