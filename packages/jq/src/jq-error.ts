import type { JqValue } from './values/jq-value.ts';

export type JqErrorKind = 'syntax' | 'compile' | 'runtime' | 'limit';

/** A place in a program's text; `offset` counts UTF-16 units from 0, `line` and `column` from 1. */
export interface SourcePosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface JqErrorDetail {
  readonly position?: SourcePosition | undefined;
  readonly value?: JqValue | undefined;
  readonly exitCode?: number | undefined;
}

/** The only error that leaves this package. */
export class JqError extends Error {
  override readonly name = 'JqError';
  readonly kind: JqErrorKind;
  /** Where in the program, for `syntax` and `compile` errors. */
  readonly position: SourcePosition | undefined;
  /** What the program raised, for `runtime` errors: `error({a: 1})` gives `{a: 1}` here. */
  readonly value: JqValue | undefined;
  /** Set when the program ended itself with `halt` or `halt_error`. */
  readonly exitCode: number | undefined;

  constructor(kind: JqErrorKind, message: string, detail: JqErrorDetail = {}) {
    super(message);
    this.kind = kind;
    this.position = detail.position;
    this.value = detail.value;
    this.exitCode = detail.exitCode;
  }
}

export function positionAt(source: string, offset: number): SourcePosition {
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  return { offset, line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

export function sourceError(kind: 'syntax' | 'compile', message: string, source: string, offset: number): JqError {
  const position = positionAt(source, offset);
  return new JqError(kind, `${message} at line ${position.line}, column ${position.column}`, { position });
}
