import type { JqValue } from './jq-value.ts';
import type { LimitName } from './run-state.ts';

export type JqErrorKind = 'syntax' | 'compile' | 'runtime' | 'limit';

/** A place in a program's text; `offset` counts UTF-16 units from 0, `line` and `column` from 1. */
export interface SourcePosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

interface JqErrorDetail {
  readonly position?: SourcePosition | undefined;
  readonly hint?: string | undefined;
  readonly value?: JqValue | undefined;
  readonly exitCode?: number | undefined;
  readonly limit?: LimitName | undefined;
}

/** The only error that leaves this package. */
export class JqError extends Error {
  override readonly name = 'JqError';
  readonly kind: JqErrorKind;
  /** The message without the position at its end. */
  readonly reason: string;
  /** The position in the program, for `syntax` and `compile` errors. */
  readonly position: SourcePosition | undefined;
  /** An instruction, if one can be guessed: `did you mean startswith/1?` */
  readonly hint: string | undefined;
  /** The raised value, for `runtime` errors: `{a: 1}` for `error({a: 1})`. */
  readonly value: JqValue | undefined;
  /** Set when the program ended itself with `halt` or `halt_error`. */
  readonly exitCode: number | undefined;
  /** Which limit, for `limit` errors. */
  readonly limit: LimitName | undefined;

  constructor(kind: JqErrorKind, reason: string, detail: JqErrorDetail = {}) {
    const { position } = detail;
    super(position === undefined ? reason : `${reason} at line ${position.line}, column ${position.column}`);
    this.kind = kind;
    this.reason = reason;
    this.position = position;
    this.hint = detail.hint;
    this.value = detail.value;
    this.exitCode = detail.exitCode;
    this.limit = detail.limit;
  }
}

export function positionAt(source: string, offset: number): SourcePosition {
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  return { offset, line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

interface SourceFault {
  readonly kind: 'syntax' | 'compile';
  readonly reason: string;
  readonly source: string;
  readonly at: number;
  readonly hint?: string | undefined;
}

/** An error in the text of a program. */
export function sourceError({ kind, reason, source, at, hint }: SourceFault): JqError {
  return new JqError(kind, reason, { position: positionAt(source, at), hint });
}
