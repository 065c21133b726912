import { isPathBelow } from '../model/index.ts';
import { findWritten } from '../patch/index.ts';
import type { Change, DocumentPatch, Patch } from '../patch/index.ts';
import type { CausesOf, HistoryEvent } from './field-trace.ts';
import { traceParameters } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';

/** Changes that patches made to an object, each with its exact line and parameters. */
export function eventsOfPatches(changes: readonly Change[], find: FindParameter): readonly HistoryEvent[] {
  return changes.filter(({ operation }) => operation !== 'enabled').flatMap((change) => eventsOfChange(change, find));
}

function eventsOfChange(change: Change, find: FindParameter): readonly HistoryEvent[] {
  const { path, from, after, source } = change;
  const causesOf: CausesOf = (field, value) => {
    const { parameters, ...written } = findWritten(change, field, value);
    return [{ kind: 'patch', words: wordsOf(source.patch), ...written, parameters: traceParameters(parameters, find) }];
  };
  const set: HistoryEvent = { operation: operationAt(change), path, after, causesOf };
  if (from === undefined) return [set];
  const list = from.slice(0, -1);
  const isInList = set.operation === 'insert' && list.length === path.length - 1 && isPathBelow(path, list);
  if (isInList) return [{ ...set, operation: 'move', from: from.at(-1) as number }];
  const removal = operationAt({ path: from, before: after, after: undefined });
  return [{ operation: removal, path: from, after: undefined, causesOf }, set];
}

function operationAt({ path, before, after }: Pick<Change, 'path' | 'before' | 'after'>): 'set' | 'insert' | 'remove' {
  if (typeof path.at(-1) !== 'number') return 'set';
  return before === undefined ? 'insert' : after === undefined ? 'remove' : 'set';
}

function wordsOf(patch: Patch): string {
  return patch.type === 'field' ? patch.text : documentWords[patch.type];
}

const documentWords: Readonly<Record<DocumentPatch['type'], string>> = {
  strategic: 'strategic merge',
  merge: 'merge',
  json: 'JSON Patch',
};
