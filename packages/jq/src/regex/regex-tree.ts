import type { CharacterSet } from './character-set.ts';

export type Anchor =
  | 'text-start'
  | 'text-end'
  /** The end of the text, or before a newline that ends it. */
  | 'last-line-end'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary'
  | 'search-start';

/** A parsed regular expression. */
export type RegexNode =
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly type: 'character'; readonly point: number; readonly ignoreCase: boolean }
  | { readonly type: 'set'; readonly set: CharacterSet }
  | { readonly type: 'anchor'; readonly anchor: Anchor }
  | { readonly type: 'capture'; readonly index: number; readonly body: RegexNode }
  | { readonly type: 'atomic'; readonly body: RegexNode }
  | {
      readonly type: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly type: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: RegexNode }
  | { readonly type: 'reference'; readonly groups: readonly number[]; readonly ignoreCase: boolean }
  /** `(?(1)then|otherwise)` */
  | {
      readonly type: 'condition';
      readonly groups: readonly number[];
      readonly then: RegexNode;
      readonly otherwise: RegexNode;
    }
  /** `\K`: the match starts here. */
  | { readonly type: 'keep' };

export interface ParsedRegex {
  readonly root: RegexNode;
  /** Names of the capturing groups, in order. */
  readonly names: readonly (string | null)[];
}

export const emptyNode: RegexNode = { type: 'sequence', items: [] };

/** Minimum and maximum number of code points that a node consumes. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

const none: Width = { min: 0, max: 0 };

export function widthOf(node: RegexNode): Width {
  switch (node.type) {
    case 'sequence':
      return node.items.map(widthOf).reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), none);
    case 'choice':
      return widest(node.options.map(widthOf));
    case 'character':
    case 'set':
      return { min: 1, max: 1 };
    case 'capture':
    case 'atomic':
      return widthOf(node.body);
    case 'repeat': {
      const { min, max } = widthOf(node.body);
      return { min: min * node.min, max: max === 0 ? 0 : max * node.max };
    }
    case 'reference':
      return { min: 0, max: Infinity };
    case 'condition':
      return widest([widthOf(node.then), widthOf(node.otherwise)]);
    default:
      return none;
  }
}

function widest(widths: readonly Width[]): Width {
  return {
    min: widths.reduce((least, { min }) => Math.min(least, min), Infinity),
    max: widths.reduce((most, { max }) => Math.max(most, max), 0),
  };
}
