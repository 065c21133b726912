import type { JqFunction } from '../program.ts';
import type { FunctionBinding } from './scope.ts';

/** What one compilation shares. */
export interface CompileContext {
  readonly source: string;
  readonly functions: { readonly [name: string]: JqFunction };
  /** Builtins written in jq that this program uses. */
  readonly definedBuiltins: Map<string, FunctionBinding>;
  /** Pieces compiled so far; functions are no longer expanded once there are too many. */
  pieces: number;
  /** How many functions are being compiled on the assumption that they give one output. */
  assumptions: number;
}
