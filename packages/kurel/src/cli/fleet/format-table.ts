import { escapeControls } from '../../diagnostics/index.ts';
import { paint } from '../terminal.ts';

/** Columns of text, below their titles. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { color }: { readonly color: boolean },
): string {
  const widths = header.map((title, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]!.length), title.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => escapeControls(cell).padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return `${[paint('1', line(header), color), ...rows.map(line)].join('\n')}\n`;
}
