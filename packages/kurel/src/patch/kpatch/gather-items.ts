import type { Location } from '../../model/index.ts';
import type { DataValue, FieldPatch, ItemEntry, PlaceStep, ScalarValue, Step, Target } from '../patch.ts';
import type { SyntaxProblem } from './cursor.ts';
import { encodeSteps } from './encode-steps.ts';

/** A key and its value, as they were read. */
export interface RawEntry {
  readonly steps: readonly Step[];
  readonly value: ScalarValue | DataValue;
  /** The key as the user wrote it. */
  readonly text: string;
  /** Where the key stands. */
  readonly location: Location;
}

/** What entries have in common: those below a header, or those of one mapping. */
export interface EntrySection {
  readonly target: Target;
  /** The steps of the header, in front of those of each key. */
  readonly steps: readonly Step[];
  /** The header or target as the user wrote it; empty when there is none. */
  readonly text: string;
  /** Where the header stands; needed when its steps have an insertion. */
  readonly location?: Location | undefined;
}

interface GatherOptions {
  readonly section: EntrySection;
  /** Hears of an entry that cannot be: its ranges are those of the entry's steps. */
  readonly refuse: (problem: SyntaxProblem, entry: RawEntry) => void;
}

/** The patches of all entries of a section, in order. Entries that together describe one new item become one patch. */
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
      patches.push(makeItemPatch(section, { entry, steps: steps.slice(0, end), inHeader, entries: open.entries }));
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

interface Item {
  /** The first entry of the item. */
  readonly entry: RawEntry;
  /** Up to and with the insertion. */
  readonly steps: readonly Step[];
  readonly inHeader: boolean;
  readonly entries: readonly ItemEntry[];
}

function makeItemPatch(section: EntrySection, { entry, steps, inHeader, entries }: Item): FieldPatch {
  return {
    type: 'field',
    target: section.target,
    steps,
    value: { type: 'item', entries },
    text: inHeader ? section.text : joinTexts(section.text, entry.text),
    location: (inHeader ? section.location : undefined) ?? entry.location,
  };
}

function joinTexts(section: string, key: string): string {
  return section === '' ? key : `${section} ${key}`;
}

export function isInsertion({ type }: Step): boolean {
  return type === 'append' || type === 'insert';
}

function isPlace(step: Step): boolean {
  return step.type !== 'delete' && !isInsertion(step);
}

/** The steps of an entry of a new item, with the items that it adds to lists in there by their positions. */
type PlaceInside = (steps: readonly Step[]) => readonly PlaceStep[];

/** Nothing is in the lists of a new item but what its entries add: those of one run make one item there as well. */
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

/** The first insertion or deletion that stands where none can. Into a new item, `nests`, further ones may be appended. */
export function findMisplaced(
  steps: readonly Step[],
  { nests = false }: { readonly nests?: boolean } = {},
): SyntaxProblem | undefined {
  const first = steps.findIndex((step) => !isPlace(step));
  if (first === -1 || first === steps.length - 1) return undefined;
  if (steps[first]!.type === 'delete') {
    return {
      reason: 'a deletion must be the last step of a path',
      hint: 'write `[delete]` at the end of the key: `spec.paused[delete]:`',
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
        reason: 'nothing can be deleted from an item that is only being added',
        hint: 'leave the key out',
        range: second.range,
      }
    : {
        reason: 'only a key with `[-]` can add an item to a list of an item that is new itself',
        hint: 'write `ports[-].name: value` below a header that adds the item around it',
        range: second.range,
      };
}

function findValueOfDeletion({ steps, value }: RawEntry): SyntaxProblem | undefined {
  const last = steps.at(-1);
  if (last?.type !== 'delete' || isNothing(value)) return undefined;
  return { reason: 'a deletion takes no value', hint: 'leave out what stands after the `:`', range: last.range };
}

function isNothing(value: ScalarValue | DataValue): boolean {
  if (value.type === 'data') return value.data === null || value.data === '';
  const { text } = value.template;
  return text === '' || (value.style === 'plain' && (text === 'null' || text === '~'));
}
