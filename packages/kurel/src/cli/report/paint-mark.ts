// Select Graphic Rendition codes: green, red, yellow, cyan.
const codes: Readonly<Record<string, string>> = { '✓': '32', '✗': '31', '⚠': '33', '→': '36' };

/** Colours the mark at the start of a line. */
export function paintMark(line: string, color: boolean): string {
  if (!color) return line;
  return line.replace(
    /^( *)(✗ Error:|⚠ Warning:|→ Note:|[✓✗⚠→])/,
    (_, indent: string, mark: string) => `${indent}\u001B[${codes[mark[0]!]}m${mark}\u001B[0m`,
  );
}
