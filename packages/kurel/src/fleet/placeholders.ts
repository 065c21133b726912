import { quote } from '../diagnostics/index.ts';

/** The names that placeholders stand for: `{app}`, `{cluster}`. */
export type PlaceholderValues = Readonly<Record<string, string>>;

interface FilledText {
  readonly text: string;
  /** Why it cannot be filled. */
  readonly problem?: { readonly unknown: string } | { readonly syntax: string };
}

const placeholder = /\{([^{}]*)\}/g;
const nameForm = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Replaces `{name}`. There are no expressions, so that a path can be read without running anything. `onLength` gets the length of each part
 * before the text grows by it.
 */
export function fillPlaceholders(
  text: string,
  values: PlaceholderValues,
  onLength: (characters: number) => void = () => undefined,
): FilledText {
  if (!/[{}]/.test(text)) return { text };
  const { syntax, parts } = split(text);
  if (syntax !== undefined) return { text, problem: { syntax } };
  const filled = [parts[0]!];
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index]!;
    if (!Object.hasOwn(values, name)) return { text, problem: { unknown: name } };
    const [value, plain] = [values[name]!, parts[index + 1]!];
    onLength(value.length + plain.length);
    filled.push(value, plain);
  }
  return { text: filled.join('') };
}

interface SplitText {
  readonly syntax: string | undefined;
  /** Plain text and names in turn. */
  readonly parts: readonly string[];
}

// A fleet file has few texts, and thousands of targets fill the same ones.
const mostTexts = 1000;
const splitTexts = new Map<string, SplitText>();

function split(text: string): SplitText {
  const cached = splitTexts.get(text);
  if (cached !== undefined) return cached;
  const parsed = { syntax: findSyntaxProblem(text), parts: text.split(placeholder) };
  if (splitTexts.size >= mostTexts) splitTexts.clear();
  splitTexts.set(text, parsed);
  return parsed;
}

/** The names in a text, in order, including repeated ones. */
export function placeholdersIn(text: string): readonly string[] {
  return Array.from(text.matchAll(placeholder), ([, name = '']) => name);
}

/** The reason why the braces of a text are not placeholders. */
export function findSyntaxProblem(text: string): string | undefined {
  const bad = placeholdersIn(text).find((name) => !nameForm.test(name));
  if (bad !== undefined) return `${quote(`{${bad}}`)} is not a placeholder`;
  const brace = /[{}]/.exec(text.replaceAll(placeholder, ''))?.[0];
  return brace === undefined ? undefined : `${quote(brace)} has no matching brace`;
}
