/** Wraps text in a Select Graphic Rendition code, such as `1` for bold or `36` for cyan. */
export function paint(code: string | undefined, text: string, color: boolean): string {
  return color && code !== undefined && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
}
