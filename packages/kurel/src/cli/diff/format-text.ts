import { escapeControls } from '../../diagnostics/index.ts';
import type { ObjectDifference, ObjectsDifference } from '../../index.ts';
import { paint } from '../explain/format-chains.ts';
import { createEffort } from '../unified-diff.ts';
import type { DiffEffort } from '../unified-diff.ts';
import { linesOfDifference, objectOf } from './change-lines.ts';
import type { ChangeLine } from './change-lines.ts';
import { countDifferences, markOf, nameDifference } from './summary.ts';

// Select Graphic Rendition codes: green, red, yellow, cyan.
const codes: Readonly<Record<ChangeLine['mark'], string | undefined>> = {
  '+': '32',
  '-': '31',
  '~': '33',
  '@': '36',
  ' ': undefined,
};

/** For a person at a terminal: each object that differs, below it what differs, and how many there are. */
export function formatText(difference: ObjectsDifference, { color }: { readonly color: boolean }): string {
  const { objects, same } = difference;
  if (objects.length === 0) return `no differences in ${same} ${same === 1 ? 'object' : 'objects'}\n`;
  const effort = createEffort();
  const blocks = objects.map((one) => formatObjectDifference(one, { color, effort }));
  const rest = same === 0 ? '' : `, ${same} the same`;
  return `${blocks.join('\n')}\n${countDifferences(difference)}${rest}\n`;
}

interface FormatOptions {
  readonly color: boolean;
  readonly effort: DiffEffort;
}

function formatObjectDifference(difference: ObjectDifference, { color, effort }: FormatOptions): string {
  const mark = markOf(difference);
  const title = escapeControls(`${nameDifference(difference)}  ${objectOf(difference).apiVersion}`);
  const lines = linesOfDifference(difference, { inline: true, effort });
  return `${paint(`1;${codes[mark]}`, `${mark} ${title}`, color)}\n${lines.map((line) => formatLine(line, color)).join('')}`;
}

function formatLine({ mark, text }: ChangeLine, color: boolean): string {
  const line = `  ${mark === '@' ? ' ' : mark} ${text}`.trimEnd();
  const code = codes[mark];
  return `${code === undefined ? line : paint(code, line, color)}\n`;
}
