import type { Path, KubeObject } from './json.ts';
import type { Message } from './message.ts';
import type { Location } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

/** One finding about the user's input. */
export interface Diagnostic {
  /** Stable and readable: `yaml-duplicate-key`. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence that quotes the user's input. */
  readonly message: string;
  readonly location?: Location;
  /** The field that the finding is about; the pipeline resolves it to a location once, through the provenance. */
  readonly subject?: Subject;
  /** Printed on one line, without an excerpt, like a note. */
  readonly isBrief?: boolean;
  /** What the user can do about it. */
  readonly hint?: string;
  /** The message and the hint in parts, if they name settings. */
  readonly parts?: { readonly message?: Message; readonly hint?: Message };
  /** Other locations that matter, such as the first of two duplicates. */
  readonly related?: readonly RelatedLocation[];
  /** Set when this finding summarises others that were counted but not kept. */
  readonly omitted?: { readonly code: string; readonly count: number };
  /** The targets of a fleet that have this finding. */
  readonly targets?: readonly string[];
  /** The object that the finding is about, when it is about one. */
  readonly object?: ObjectName;
  /** The check of a package that it belongs to, for a report by checks; `policy` if a policy could not be read. */
  readonly check?: string;
}

/** A field of an object, or the parent of a missing field. */
export interface Subject {
  readonly object: KubeObject;
  readonly path: Path;
  readonly at?: 'key' | 'value' | undefined;
  /** Other fields that matter for the finding. */
  readonly related?:
    | readonly { readonly message: string; readonly object: KubeObject; readonly path: Path }[]
    | undefined;
}

/** How a finding names an object. Findings about a component of an application have kind `Component` and no group. */
export interface ObjectName {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects and for objects without a namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** A finding that the user or the package accepts. */
export interface AcceptedFinding {
  readonly diagnostic: Diagnostic;
  readonly reason: string;
  /** The entries of a fleet file that accept it. */
  readonly entries?: readonly Location[];
}

export interface RelatedLocation {
  readonly message: string;
  readonly location: Location;
}

export type Report = (diagnostic: Diagnostic) => void;
