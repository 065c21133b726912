import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { checkOutputPaths } from './check-output-paths.ts';
import { nameFile } from './relative-path.ts';
import { holdSignals } from './hold-signals.ts';
import { hasDigest } from './output-inventory.ts';
import { lookAt } from './plan-output.ts';
import { hostProblems } from './problems.ts';
import { replaceFiles, reportFailure } from './replace-files.ts';
import type { NewFile } from './replace-files.ts';
import { removeStaleStagings } from './staging-directory.ts';

/** The wanted and unwanted files of kurel in a directory that also has other files. */
export interface FileUpdate {
  readonly wanted: readonly NewFile[];
  /** Removed if they still have these bytes. */
  readonly unwanted: readonly UnwantedFile[];
  /** Lists the other files, and is therefore replaced last. */
  readonly index: NewFile | undefined;
  /** Only report what would change. */
  readonly isDry?: boolean | undefined;
}

export interface UnwantedFile {
  readonly path: string;
  /** 64 hexadecimal digits. Without it, the file is removed whatever its content is. */
  readonly sha256?: string | undefined;
}

/** The paths that were changed, or would be. */
export interface FileUpdateSummary {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Warnings about unwanted files that are kept because they were edited. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Updates files in a directory: all of them or, if anything fails, none. Signals wait until it is done. Does not follow links inside the
 * directory, and does not touch files that are up to date.
 */
export function updateFiles(directory: string, update: FileUpdate): FileUpdateSummary {
  return reportFailure(directory, () => {
    const { wanted, unwanted, index, isDry = false } = update;
    const all = index === undefined ? wanted : [...wanted, index];
    const faults = checkOutputPaths([...all, ...unwanted]);
    if (faults.length > 0) throw new DiagnosticError(faults);
    const states = statesOf(directory, all);
    const { removed, diagnostics } = findRemoved(directory, unwanted);
    const inState = (files: readonly NewFile[], state: State) => files.filter((file) => states.get(file) === state);
    const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);
    const [added, changed] = [inState(all, 'absent'), inState(all, 'other')];
    const summary = { added: paths(added), changed: paths(changed), removed: paths(removed), diagnostics };
    if (isDry || added.length + changed.length + removed.length === 0) return summary;
    const isMoved = index !== undefined && states.get(index) !== 'same';
    const inventory = isMoved ? { ...index, exists: states.get(index) === 'other' } : undefined;
    const plan = { added: inState(wanted, 'absent'), changed: inState(wanted, 'other'), removed };
    removeStaleStagings(directory);
    const release = holdSignals();
    try {
      replaceFiles(directory, { plan, inventory });
    } finally {
      release();
    }
    return summary;
  });
}

type State = 'absent' | 'same' | 'other';

function statesOf(directory: string, files: readonly NewFile[]): ReadonlyMap<NewFile, State> {
  const states = new Map<NewFile, State>();
  const blocked = new Map<string, Diagnostic>();
  for (const file of files) {
    const standing = lookAt(directory, file.path);
    if (standing.kind === 'blocked') blocked.set(standing.at, standing.problem);
    else if (standing.kind === 'absent') states.set(file, 'absent');
    else states.set(file, Buffer.from(file.text).equals(standing.bytes) ? 'same' : 'other');
  }
  if (blocked.size > 0) throw new DiagnosticError([...blocked.values()]);
  return states;
}

function findRemoved(
  directory: string,
  unwanted: readonly UnwantedFile[],
): { readonly removed: readonly UnwantedFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const removed: UnwantedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of unwanted) {
    const standing = lookAt(directory, file.path);
    if (standing.kind !== 'file') continue;
    if (file.sha256 === undefined || hasDigest(standing.bytes, `sha256:${file.sha256}`)) removed.push(file);
    else diagnostics.push(hostProblems.create('output-edited-file', { path: nameFile(directory, file.path) }));
  }
  return { removed, diagnostics };
}
