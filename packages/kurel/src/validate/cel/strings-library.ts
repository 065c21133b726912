import type { Environment } from '@marcbachmann/cel-js';
import { compileGoPattern } from '../../schema/index.ts';
import type { GoPattern } from '../../schema/index.ts';
import { longestText } from './limit-steps.ts';
import type { StepCounter } from './limit-steps.ts';

/** String functions that Kubernetes has and the library lacks. */
export function registerStrings(environment: Environment, counter: StepCounter): void {
  function read(pattern: string, text: string): GoPattern {
    const { patterns: expressions } = counter.run();
    if (!expressions.has(pattern)) {
      const made = compileGoPattern(pattern);
      expressions.set(pattern, made);
      // Rules can build any number of patterns, and each is kept.
      counter.spend(pattern.length + stepsOfInstruction * (made?.size ?? unreadable));
    }
    const expression = expressions.get(pattern);
    if (expression === undefined) throw new Error(`${pattern} is not a valid regular expression`);
    counter.spend((text.length * expression.size) / 4);
    return expression;
  }

  const find = (text: string, pattern: string, most: number): readonly string[] =>
    read(pattern, text).findAll(text, most);
  environment
    .registerFunction('string.matchesPattern(string): bool', (text: string, pattern: string) =>
      read(pattern, text).test(text),
    )
    .registerFunction('string.find(string): string', (text: string, pattern: string) => find(text, pattern, 1)[0] ?? '')
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
      find(text, pattern, Infinity),
    )
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
      find(text, pattern, limit < 0n ? Infinity : Number(limit)),
    )
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => charAt(text, index))
    .registerFunction('string.replace(string, string): string', (text: string, old: string, by: string) =>
      replaceSome(text, old, by, -1n),
    )
    .registerFunction('string.replace(string, string, int): string', replaceSome)
    .registerFunction('string.reverse(): string', (text: string) => Array.from(text).reverse().join(''))
    .registerFunction('string.format(list<dyn>): string', formatText);
}

const stepsOfInstruction = 8;
/** Instructions that may have been compiled before a pattern turned out to be invalid. */
const unreadable = 1000;

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

function replaceSome(text: string, old: string, by: string, limit: bigint): string {
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const places = Math.min(left, text.split(old).length);
  if (text.length + places * by.length > 2 * longestText) throw new Error('the string would be too long');
  return text.replaceAll(old, (found) => {
    left -= 1;
    return left >= 0 ? by : found;
  });
}

/** `%s`, `%d`, `%f`, `%e`, `%b`, `%o` and `%x`, as rules use them to build their messages. */
function formatText(template: string, args: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(
    /%(?:%|(?:\.(\d+))?([sdfebxXo]))/g,
    (whole, digits: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%';
      if (next >= args.length) throw new Error(`index ${next} out of range`);
      const value = args[next];
      next += 1;
      return formatVerb(verb, value, digits === undefined ? 6 : Number(digits)) ?? whole;
    },
  );
}

function formatVerb(verb: string, value: unknown, digits: number): string | undefined {
  if (verb === 's') return show(value);
  if (typeof value === 'bigint') {
    if (verb === 'd') return value.toString();
    if (verb === 'b') return value.toString(2);
    if (verb === 'o') return value.toString(8);
    if (verb === 'x') return value.toString(16);
    if (verb === 'X') return value.toString(16).toUpperCase();
  }
  if (typeof value === 'boolean' && verb === 'b') return value ? '1' : '0';
  if (typeof value === 'number' && (verb === 'f' || verb === 'd'))
    return verb === 'f' ? value.toFixed(digits) : String(value);
  if (typeof value === 'number' && verb === 'e') return value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
  throw new Error(`%${verb} does not accept its argument`);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${key}: ${show(entry)}`)
      .join(', ')}}`;
  }
  return String(value);
}
