import { escapeControls } from '../../diagnostics/index.ts';

/** The name of each file in comments. */
export type FileNames = ReadonlyMap<string, string>;

export interface NameOptions {
  /** The input; files in it are named relative to it. */
  readonly path: string;
  /** Whether to leave out the directories of other files. */
  readonly shorten: boolean;
}

export function nameFiles(files: ReadonlySet<string>, { path, shorten }: NameOptions): FileNames {
  const inside = directoryOf(path);
  const isTaken = (name: string, file: string): boolean =>
    [...files].some((other) => other !== file && `/${other}`.endsWith(`/${name}`));
  const nameFile = (file: string): string => {
    if (file.startsWith(inside)) return file.slice(inside.length);
    // An assignment may contain slashes.
    if (!shorten || file.startsWith('--')) return file;
    const parts = file.split('/');
    const ends = parts.map((_, index) => parts.slice(parts.length - 1 - index).join('/'));
    return ends.find((end) => !isTaken(end, file)) ?? file;
  };
  return new Map([...files].map((file) => [file, nameFile(file)]));
}

/** `values.yaml is environments/production/values.yaml`, for files outside the input. */
export function listShortened(names: FileNames, path: string): readonly string[] {
  return [...names]
    .filter(([file, name]) => file !== name && !file.startsWith(directoryOf(path)))
    .map(([file, name]) => `${escapeControls(name)} is ${escapeControls(file)}`);
}

function directoryOf(path: string): string {
  return `${path.replace(/\/+$/, '')}/`;
}
