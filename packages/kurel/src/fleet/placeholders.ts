import { quote } from '../diagnostics/index.ts';

/** The names that placeholders stand for: `{app}`, `{cluster}`. */
export type PlaceholderValues = Readonly<Record<string, string>>;

export interface FilledText {
  readonly text: string;
  /** Why it cannot be filled. */
  readonly problem?: { readonly unknown: string } | { readonly syntax: string };
}

const placeholder = /\{([^{}]*)\}/g;
const nameForm = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Replaces `{name}`. There are no expressions, so that a path can be read without running anything. */
export function fillPlaceholders(text: string, values: PlaceholderValues): FilledText {
  if (!/[{}]/.test(text)) return { text };
  const syntax = findSyntaxProblem(text);
  if (syntax !== undefined) return { text, problem: { syntax } };
  const unknown = placeholdersIn(text).find((name) => !Object.hasOwn(values, name));
  if (unknown !== undefined) return { text, problem: { unknown } };
  return { text: text.replaceAll(placeholder, (_, name: string) => values[name]!) };
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
