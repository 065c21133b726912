import type { Location } from '../../model/index.ts';
import type {
  DataValue,
  FieldPatch,
  FieldStep,
  FromEndStep,
  ItemEntry,
  PlaceStep,
  ScalarValue,
  Step,
  Target,
} from '../patch.ts';
import type { SyntaxProblem } from './cursor.ts';

/** A key and its value, before they are combined into patches. */
export interface RawEntry {
  readonly steps: readonly Step[];
  readonly value: ScalarValue | DataValue;
  /** The key as written. */
  readonly text: string;
  /** Location of the key. */
  readonly location: Location;
}

/** What the entries of one section or YAML map have in common. */
export interface EntrySection {
  readonly target: Target;
  /** Steps of the header, which come before those of each key. */
  readonly steps: readonly Step[];
  /** Header or target as written; empty if there is none. */
  readonly text: string;
  /** Location of the header; required if its steps contain an insertion. */
  readonly location?: Location | undefined;
}

interface GatherOptions {
  readonly section: EntrySection;
  /** Receives an entry that is not allowed; the ranges are those of its steps. */
  readonly refuse: (problem: SyntaxProblem, entry: RawEntry) => void;
}

/** Patches for all entries of a section, in order. Entries that describe the same new item become one patch. */
export function gatherItems(entries: readonly RawEntry[], { section, refuse }: GatherOptions): readonly FieldPatch[] {
  const patches: FieldPatch[] = [];
  const inHeader = section.steps.some(isInsertion);
  let open: { readonly code: string; readonly entries: ItemEntry[]; readonly placeInside: PlaceInside } | undefined;
  for (const entry of entries) {
    if (!inHeader && entry.steps.every(isPlace)) {
      open = undefined;
      patches.push(makePatch(section, entry));
      continue;
    }
    const steps = [...section.steps, ...entry.steps];
    const problem = findMisplaced(steps, { nests: true }) ?? findValueOfDeletion(entry);
    if (problem !== undefined) {
      refuse(problem, entry);
      continue;
    }
    const end = steps.findIndex(isInsertion) + 1;
    if (end === 0 || end === steps.length) {
      open = undefined;
      patches.push(makePatch(section, entry));
      continue;
    }
    const code = inHeader ? '' : encodeSteps(entry.steps.slice(0, end - section.steps.length));
    if (open?.code !== code) {
      open = { code, entries: [], placeInside: createInside() };
      patches.push({
        type: 'field',
        target: section.target,
        steps: steps.slice(0, end),
        value: { type: 'item', entries: open.entries },
        text: inHeader ? section.text : joinTexts(section.text, entry.text),
        location: (inHeader ? section.location : undefined) ?? entry.location,
      });
    }
    open.entries.push({ steps: open.placeInside(steps.slice(end)), value: entry.value, location: entry.location });
  }
  return patches;
}

function makePatch({ target, steps, text }: EntrySection, entry: RawEntry): FieldPatch {
  return {
    type: 'field',
    target,
    steps: steps.length === 0 ? entry.steps : [...steps, ...entry.steps],
    value: entry.steps.at(-1)?.type === 'delete' ? { type: 'none' } : entry.value,
    text: joinTexts(text, entry.text),
    location: entry.location,
  };
}

function joinTexts(section: string, key: string): string {
  return section === '' ? key : `${section} ${key}`;
}

export function isInsertion({ type }: Step): boolean {
  return type === 'append' || type === 'insert';
}

export function isPlace(step: Step): step is PlaceStep {
  return step.type !== 'delete' && !isInsertion(step);
}

/** Steps of an entry inside a new item, with the index of each item that it adds to a list there. */
type PlaceInside = (steps: readonly Step[]) => readonly PlaceStep[];

/** Lists of a new item contain only what its entries add, so consecutive entries form one item there as well. */
function createInside(): PlaceInside {
  const counts = new Map<string, number>();
  let before: ReadonlySet<string> = new Set();
  return (steps) => {
    const places: PlaceStep[] = [];
    const opened = new Set<string>();
    for (const [at, step] of steps.entries()) {
      if (step.type !== 'append') {
        places.push(step as PlaceStep);
        continue;
      }
      const list = encodeSteps(places);
      const isOpen = before.has(list) && at < steps.length - 1;
      const index = (counts.get(list) ?? 0) - (isOpen ? 1 : 0);
      counts.set(list, index + 1);
      if (at < steps.length - 1) opened.add(list);
      places.push({ type: 'index', index, isNew: true, range: step.range });
    }
    before = opened;
    return places;
  };
}

/** The first misplaced insertion or deletion. Inside a new item (`nests`) more items may be appended. */
export function findMisplaced(
  steps: readonly Step[],
  { nests = false }: { readonly nests?: boolean } = {},
): SyntaxProblem | undefined {
  const first = steps.findIndex((step) => !isPlace(step));
  if (first === -1 || first === steps.length - 1) return undefined;
  if (steps[first]!.type === 'delete') {
    return {
      reason: 'a deletion must be the last step of a path',
      hint: 'put `[delete]` at the end of the key: `spec.paused[delete]:`',
      range: steps[first]!.range,
    };
  }
  const second = steps.find((step, at) => {
    if (at <= first || isPlace(step)) return false;
    return !nests || step.type !== 'append' || !isPlace(steps[at - 1]!);
  });
  if (second === undefined) return undefined;
  return second.type === 'delete'
    ? {
        reason: 'cannot delete from a new item',
        hint: 'remove the key',
        range: second.range,
      }
    : {
        reason: 'only `[-]` can add an item to a list of a new item',
        hint: 'use `ports[-].name: value` below a header that adds the outer item',
        range: second.range,
      };
}

function findValueOfDeletion({ steps, value }: RawEntry): SyntaxProblem | undefined {
  const last = steps.at(-1);
  if (last?.type !== 'delete' || isNothing(value)) return undefined;
  return { reason: 'a deletion does not accept a value', hint: 'remove the value after the `:`', range: last.range };
}

function isNothing(value: ScalarValue | DataValue): boolean {
  if (value.type === 'data') return value.data === null || value.data === '';
  const { text } = value.template;
  return text === '' || (value.style === 'plain' && (text === 'null' || text === '~'));
}

/** A unique string for the steps, however they are spelled; for plain names, the path itself. */
export function encodeSteps(steps: readonly Step[]): string {
  let code = '';
  for (const step of steps) code += `${code === '' ? '' : '.'}${encodeStep(step)}`;
  return code;
}

function encodeStep(step: Step | FromEndStep): string {
  switch (step.type) {
    case 'field':
      return encodeField(step);
    case 'index':
      return `[${step.index}]`;
    case 'match':
      return `[${step.conditions.map(({ path, value }) => `${path.map(encodeText).join()}=${encodeText(value.text)}`).join()}]`;
    case 'insert':
      return `[${step.where}${encodeStep(step.at)}]`;
    case 'delete':
      return `[delete${step.what === undefined ? '' : `=${encodeStep(step.what)}`}]`;
    case 'from-end':
      return `[-${step.count}]`;
    default:
      return `[${step.type}]`;
  }
}

/** Quotes matter only around digits, which are then a key and not an index. */
function encodeField({ name: { text }, quoted }: FieldStep): string {
  const isPlain = !quoted || /^(?![0-9]+$)[\p{L}\p{M}\p{N}_/@~%:-]+$/u.test(text);
  return isPlain ? text : encodeText(text);
}

function encodeText(text: string): string {
  return `"${text.length}:${text}"`;
}
