import { shorten } from '../diagnostics/index.ts';
import type { Json } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';

/** A fact about a package: `Version: 1.2.0`. */
export type InfoRow = readonly [label: string, text: string | undefined];

export function formatRows(rows: readonly InfoRow[]): readonly string[] {
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`]));
}

/** `Patches (2):` and the patches. */
export function formatList(label: string, items: readonly string[], mark = '- '): readonly string[] {
  return [`${label} (${items.length}):`, ...items.map((item) => `  ${mark}${item}`)];
}

const longest = 60;

/** A value or a list of values that may be long. */
export function showBriefly(value: Json): string {
  return cut(writeJson(value, 0).trim());
}

export function cut(text: string): string {
  return shorten(text, longest);
}

/** A description as one line. */
export function joinLines(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
