import type { Location } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

/** One finding about the user's input. */
export interface Diagnostic {
  /** Stable, in words: `yaml-duplicate-key`. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence that quotes the user's own word. */
  readonly message: string;
  readonly location?: Location;
  /** What to do about it. */
  readonly hint?: string;
  /** Other places that belong to the finding, such as the first of two duplicates. */
  readonly related?: readonly RelatedLocation[];
  /** Set when it stands for findings that were counted and not kept. */
  readonly omitted?: { readonly code: string; readonly count: number };
}

export interface RelatedLocation {
  readonly message: string;
  readonly location: Location;
}

export type Report = (diagnostic: Diagnostic) => void;
