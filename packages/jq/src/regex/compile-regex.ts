import { limitReached } from '../run-state.ts';
import {
  type Anchor,
  type CharacterSet,
  foldCase,
  type ParsedRegex,
  type RegexNode,
  type Width,
  widthOf,
} from './regex-tree.ts';

/** The kinds of instructions; `a` and `b` are the operands. */
export const Op = {
  /** The match ends. */
  accept: 0,
  /** One UTF-16 unit that is `a`. */
  unit: 1,
  /** One code point that folds to `a`. */
  folded: 2,
  /** One code point of the set number `a`. */
  set: 3,
  /** Continues at `a`, and at `b` if that fails; it is choice number `c`. */
  choose: 4,
  jump: 5,
  /** Stores the position in slot `a`. */
  save: 6,
  anchor: 7,
  /** Runs the following instructions separately up to their `accept`, and continues at `a`; `b` is the number of the lookaround. */
  look: 8,
  atomic: 9,
  reference: 10,
  /** Continues at `a` unless one of the groups `b` took part. */
  condition: 11,
  /** Continues at `b` if nothing was consumed since slot `a` was set. */
  leaveIfEmpty: 12,
} as const;

interface Look {
  readonly behind: boolean;
  readonly negated: boolean;
  readonly width: Width;
}

interface Reference {
  readonly groups: readonly number[];
  readonly ignoreCase: boolean;
}

/** Instructions for the matcher: four numbers each (opcode, `a`, `b`, `c`). */
export interface RegexProgram {
  readonly code: Int32Array;
  readonly sets: readonly CharacterSet[];
  readonly anchors: readonly Anchor[];
  readonly looks: readonly Look[];
  readonly references: readonly Reference[];
  readonly names: readonly (string | null)[];
  /** Slots for the starts and ends of groups, and for the state of loops. */
  readonly slots: number;
  /** Number of choices outside lookarounds and atomic groups. */
  readonly choices: number;
  /** Whether failing at a choice depends only on the position. */
  readonly forgetful: boolean;
  /** Whether it can match only at the start of the text. */
  readonly anchored: boolean;
  /** The characters that every match starts with. */
  readonly prefix: string;
}

const maxInstructions = 20_000;

interface Builder {
  readonly code: number[];
  readonly sets: CharacterSet[];
  readonly anchors: Anchor[];
  readonly looks: Look[];
  readonly references: Reference[];
  slots: number;
  choices: number;
  forgetful: boolean;
  /** Number of lookarounds and atomic groups around the current node. */
  inner: number;
}

export function compileRegex({ root, names }: ParsedRegex): RegexProgram {
  const builder: Builder = {
    code: [],
    sets: [],
    anchors: [],
    looks: [],
    references: [],
    slots: 2 * names.length + 2,
    choices: 0,
    forgetful: true,
    inner: 0,
  };
  put(builder, root);
  emit(builder, Op.accept);
  return { ...builder, code: Int32Array.from(builder.code), names, ...startOf(root) };
}

function emit({ code }: Builder, op: number, a = 0, b = 0, c = -1): number {
  const at = code.length / 4;
  if (at >= maxInstructions)
    limitReached('maxPatternLength', 'a regular expression is too large once its repetitions are expanded');
  code.push(op, a, b, c);
  return at;
}

function here({ code }: Builder): number {
  return code.length / 4;
}

function setOperand({ code }: Builder, at: number, operand: 'a' | 'b', value: number): void {
  code[at * 4 + (operand === 'a' ? 1 : 2)] = value;
}

/** Choices in lookarounds and atomic groups are not numbered: whether they fail depends on the context. */
function emitChoice(builder: Builder): number {
  return emit(builder, Op.choose, 0, 0, builder.inner === 0 ? builder.choices++ : -1);
}

function put(builder: Builder, node: RegexNode): void {
  switch (node.type) {
    case 'sequence':
      for (const item of node.items) put(builder, item);
      return;
    case 'choice':
      putChoice(builder, node.options);
      return;
    case 'character':
      putCharacter(builder, node.point, node.ignoreCase);
      return;
    case 'set':
      emit(builder, Op.set, builder.sets.push(node.set) - 1);
      return;
    case 'anchor':
      emit(builder, Op.anchor, builder.anchors.push(node.anchor) - 1);
      if (node.anchor === 'search-start') builder.forgetful = false;
      return;
    case 'capture':
      emit(builder, Op.save, 2 * node.index);
      put(builder, node.body);
      emit(builder, Op.save, 2 * node.index + 1);
      return;
    case 'keep':
      emit(builder, Op.save, 0);
      return;
    case 'atomic':
      putInner(builder, emit(builder, Op.atomic), node.body);
      return;
    case 'look': {
      const { behind, negated, body } = node;
      const number = builder.looks.push({ behind, negated, width: widthOf(body) }) - 1;
      putInner(builder, emit(builder, Op.look, 0, number), body);
      return;
    }
    case 'reference':
      emit(builder, Op.reference, builder.references.push(node) - 1);
      builder.forgetful = false;
      return;
    case 'condition':
      putCondition(builder, node);
      return;
    default:
      putRepeat(builder, node);
  }
}

function putCharacter(builder: Builder, point: number, ignoreCase: boolean): void {
  if (ignoreCase) emit(builder, Op.folded, foldCase(point));
  else for (const unit of String.fromCodePoint(point).split('')) emit(builder, Op.unit, unit.charCodeAt(0));
}

function putInner(builder: Builder, at: number, body: RegexNode): void {
  builder.inner++;
  put(builder, body);
  builder.inner--;
  emit(builder, Op.accept);
  setOperand(builder, at, 'a', here(builder));
}

function putChoice(builder: Builder, options: readonly RegexNode[]): void {
  const ends: number[] = [];
  for (const [index, option] of options.entries()) {
    if (index === options.length - 1) {
      put(builder, option);
      break;
    }
    const choice = emitChoice(builder);
    setOperand(builder, choice, 'a', here(builder));
    put(builder, option);
    ends.push(emit(builder, Op.jump));
    setOperand(builder, choice, 'b', here(builder));
  }
  for (const end of ends) setOperand(builder, end, 'a', here(builder));
}

function putCondition(builder: Builder, node: Extract<RegexNode, { type: 'condition' }>): void {
  builder.forgetful = false;
  const reference = builder.references.push({ groups: node.groups, ignoreCase: false }) - 1;
  const test = emit(builder, Op.condition, 0, reference);
  put(builder, node.then);
  const end = emit(builder, Op.jump);
  setOperand(builder, test, 'a', here(builder));
  put(builder, node.otherwise);
  setOperand(builder, end, 'a', here(builder));
}

/** Repetitions are unrolled, up to a loop at the end. As in Oniguruma, a turn that consumes nothing is the last. */
function putRepeat(builder: Builder, node: Extract<RegexNode, { type: 'repeat' }>): void {
  const { body, min, max, greedy } = node;
  const width = widthOf(body);
  // repeating a node that consumes nothing changes nothing
  const turns = width.max === 0 ? Math.min(min, 1) : min;
  const more = max === Infinity ? 1 : width.max === 0 ? Math.min(max - turns, 1) : max - min;
  const loops = max === Infinity;
  const slot = width.min === 0 && (loops || turns + more > 1) ? builder.slots++ : -1;
  const exits: number[] = [];
  for (let turn = 0; turn < turns; turn++) putTurn(builder, body, slot, exits);
  for (let turn = 0; turn < more; turn++) {
    const choice = emitChoice(builder);
    setOperand(builder, choice, greedy ? 'a' : 'b', here(builder));
    putTurn(builder, body, slot, exits);
    if (loops) emit(builder, Op.jump, choice);
    exits.push(choice);
  }
  for (const exit of exits) leadTo(builder, exit, here(builder), greedy);
}

function putTurn(builder: Builder, body: RegexNode, slot: number, exits: number[]): void {
  if (slot >= 0) emit(builder, Op.save, slot);
  put(builder, body);
  if (slot >= 0) exits.push(emit(builder, Op.leaveIfEmpty, slot, -1));
}

/** Sets where a choice or a check for an empty turn leaves its repetition. */
function leadTo(builder: Builder, at: number, target: number, greedy: boolean): void {
  const isCheck = builder.code[at * 4] === Op.leaveIfEmpty;
  setOperand(builder, at, isCheck || greedy ? 'b' : 'a', target);
}

/** Facts about the start of every match, which let a search skip positions. */
function startOf(root: RegexNode): { readonly anchored: boolean; readonly prefix: string } {
  const items = root.type === 'sequence' ? root.items : [root];
  const [first] = items;
  if (first?.type === 'anchor' && first.anchor === 'text-start') return { anchored: true, prefix: '' };
  let prefix = '';
  for (const item of items) {
    if (item.type !== 'character' || item.ignoreCase || prefix.length >= 32) break;
    prefix += String.fromCodePoint(item.point);
  }
  return { anchored: false, prefix };
}
