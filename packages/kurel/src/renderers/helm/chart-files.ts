import { FileAccessError, type FileSystem, type Location } from '../../model/index.ts';
import { joinPath } from '../paths.ts';
import type { TemplatePosition } from '../read-helm-messages.ts';

/**
 * Helm names files from the chart's own name (`web/templates/x.yaml`). For a chart that is a directory this gives the path
 * that the user could open; of a packed or fetched chart the name inside it is all there is.
 */
export function pathOfChartFile(name: string, directory: string | undefined): string {
  if (directory === undefined) return name;
  return joinPath(directory, name.slice(name.indexOf('/') + 1));
}

const sourceComment = /^# Source: (.+?)\r?$/m;

/** The file that helm says a document was rendered from. */
export function findSourceComment(
  text: string,
  range: { readonly start: number; readonly end: number },
): string | undefined {
  const document = text.slice(range.start, range.end);
  const [first = ''] = document.trimStart().split('\n', 1);
  return sourceComment.exec(first)?.[1];
}

/** The file that helm says the text at an offset was rendered from. */
export function findSourceBefore(text: string, offset: number): string | undefined {
  const comment = `\n${text.slice(0, offset)}`.lastIndexOf('\n# Source: ');
  return comment === -1 ? undefined : sourceComment.exec(text.slice(comment, comment + 4096))?.[1];
}

/** The place in a template as a location in the user's file. */
export async function locateInTemplate(
  position: TemplatePosition,
  options: { readonly fileSystem: FileSystem; readonly directory: string | undefined },
): Promise<Location | undefined> {
  const { fileSystem, directory } = options;
  if (directory === undefined) return undefined;
  const file = pathOfChartFile(position.file, directory);
  try {
    const text = await fileSystem.readText(file);
    const lines = text.split('\n');
    const line = Math.min(position.line, lines.length);
    const before = lines.slice(0, line - 1).reduce((length, one) => length + one.length + 1, 0);
    const current = lines[line - 1] ?? '';
    const column =
      position.column === undefined ? current.length - current.trimStart().length : unitsOf(current, position.column);
    const close = current.indexOf('}}', column);
    const end = current.slice(0, close === -1 ? undefined : close).trimEnd().length;
    return { file, range: { start: before + column, end: before + Math.max(column, end) } };
  } catch (error) {
    if (error instanceof FileAccessError) return undefined;
    throw error;
  }
}

/** How many UTF-16 units of a text its first bytes in UTF-8 are. */
function unitsOf(text: string, bytes: number): number {
  let left = bytes;
  let units = 0;
  for (const character of text) {
    if (left <= 0) break;
    const code = character.codePointAt(0)!;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    units += character.length;
  }
  return units;
}
