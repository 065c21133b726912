import { causesOf } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/index.ts';
import { holdsSecret, nameOf, namespaceOf } from '../kube/index.ts';

export class EngineError extends Error {
  /** Stable identifier in words. */
  readonly code: string;

  constructor(message: string, options: { readonly cause?: unknown; readonly code?: string } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.name = new.target.name;
    this.code = options.code ?? 'engine-error';
  }

  /** The same error without any data of its object, for objects that contain secrets. */
  withoutValues(): EngineError {
    return this;
  }

  /** A single line, because logs have one error per line. */
  override toString(): string {
    return `${this.name}: ${this.message}`.replaceAll(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? ' ' : blank));
  }
}

export class InvalidRendererError extends EngineError {
  constructor(reason: string) {
    super(`invalid renderer: ${reason}`, { code: 'invalid-renderer', cause: new Error(reason) });
  }
}

export class RendererError extends EngineError {
  readonly renderer: string;

  constructor(renderer: string, cause: unknown) {
    super(`rendering failed: error processing renderer ${renderer}: ${messageOf(cause)}`, {
      code: 'renderer-failed',
      cause,
    });
    this.renderer = renderer;
  }
}

class ObjectError extends EngineError {
  /** The object before the first filter or transformer. */
  readonly object: KubeObject;

  constructor(stage: 'filter' | 'transformer', object: KubeObject, cause: unknown) {
    // Uses the original object, because an earlier step may have changed its kind.
    const shown = cause instanceof EngineError && holdsSecret(object) ? cause.withoutValues() : cause;
    const name = `${object.apiVersion}:${object.kind} ${nameOf(object)} (namespace: ${namespaceOf(object)})`;
    super(`${stage} error for ${name}: ${messageOf(shown)}`, { code: `${stage}-failed`, cause: shown });
    this.object = object;
  }
}

export class FilterError extends ObjectError {
  constructor(object: KubeObject, cause: unknown) {
    super('filter', object, cause);
  }
}

export class TransformerError extends ObjectError {
  constructor(object: KubeObject, cause: unknown) {
    super('transformer', object, cause);
  }
}

/** The level of a post-renderer. */
export type Stage = 'source' | 'renderer' | 'engine';

export class PostRendererError extends EngineError {
  readonly stage: Stage;

  constructor(stage: Stage, cause: unknown) {
    super(`post-renderer error (stage: ${stage}): ${messageOf(cause)}`, { code: 'post-renderer-failed', cause });
    this.stage = stage;
  }
}

/** A source that is invalid (at construction, with the invalid field) or failed to render. */
export class SourceError extends EngineError {
  /** Index in the renderer's list of sources. */
  readonly index: number;
  readonly field?: string;

  constructor(message: string, details: SourceErrorDetails) {
    super(message, details);
    this.index = details.index;
    if (details.field !== undefined) this.field = details.field;
  }
}

interface SourceErrorDetails {
  readonly code: 'invalid-source' | 'source-failed';
  readonly index: number;
  readonly field?: string;
  readonly cause?: unknown;
}

/** Whether the error or one of its causes is an instance of the class; such an error is not wrapped again. */
export function hasCause(error: unknown, type: abstract new (...args: never[]) => Error): boolean {
  for (const cause of causesOf(error)) if (cause instanceof type) return true;
  return false;
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
