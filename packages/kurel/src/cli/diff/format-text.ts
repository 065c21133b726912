import { escapeControls } from '../../diagnostics/index.ts';
import type { ObjectDifference, ObjectsDifference } from '../../index.ts';
import { paint } from '../explain/format-chains.ts';
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
  const blocks = objects.map((one) => formatObjectDifference(one, color));
  const rest = same === 0 ? '' : `, ${same} the same`;
  return `${blocks.join('\n')}\n${countDifferences(difference)}${rest}\n`;
}

function formatObjectDifference(difference: ObjectDifference, color: boolean): string {
  const mark = markOf(difference);
  const title = escapeControls(`${nameDifference(difference)}  ${objectOf(difference).apiVersion}`);
  const lines = linesOfDifference(difference, { inline: true });
  return `${paint(`1;${codes[mark]}`, `${mark} ${title}`, color)}\n${lines.map((line) => formatLine(line, color)).join('')}`;
}

function formatLine({ mark, text }: ChangeLine, color: boolean): string {
  const line = `  ${mark === '@' ? ' ' : mark} ${text}`.trimEnd();
  const code = codes[mark];
  return `${code === undefined ? line : paint(code, line, color)}\n`;
}
