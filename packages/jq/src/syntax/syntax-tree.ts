import type { JqValue } from '../jq-value.ts';
import type { ArithmeticOperator, AssignmentOperator } from '../values/arithmetic.ts';
import type { ComparisonOperator } from '../values/compare.ts';

export type Pattern =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly Pattern[] }
  | { readonly type: 'fields'; readonly fields: readonly PatternField[] };

/** One `key: pattern` of an object pattern; `$name` alone or before the colon also binds the field itself. */
export interface PatternField {
  readonly key: Node;
  readonly name?: string | undefined;
  readonly pattern?: Pattern | undefined;
}

export interface Definition {
  readonly name: string;
  /** Parameter names. A parameter written `$x` is `x` here, and the body starts with `x as $x |`. */
  readonly params: readonly string[];
  readonly body: Node;
}

export interface ObjectEntry {
  readonly key: Node;
  readonly value: Node;
}

/** A step into a value; `?` after it makes only this step optional. */
interface Access {
  readonly optional?: true;
}

type Shape =
  | { readonly type: 'identity' }
  | { readonly type: 'descend' }
  | { readonly type: 'literal'; readonly value: JqValue }
  | { readonly type: 'string'; readonly format: string | undefined; readonly parts: readonly (string | Node)[] }
  | { readonly type: 'format'; readonly name: string }
  | ({ readonly type: 'index'; readonly target: Node; readonly key: Node } & Access)
  | ({
      readonly type: 'slice';
      readonly target: Node;
      readonly from: Node | undefined;
      readonly to: Node | undefined;
    } & Access)
  | ({ readonly type: 'iterate'; readonly target: Node } & Access)
  | { readonly type: 'array'; readonly body: Node | undefined }
  | { readonly type: 'object'; readonly entries: readonly ObjectEntry[] }
  | { readonly type: 'negate'; readonly body: Node }
  | { readonly type: 'pipe'; readonly left: Node; readonly right: Node }
  | { readonly type: 'comma'; readonly left: Node; readonly right: Node }
  | { readonly type: 'alternative'; readonly left: Node; readonly right: Node }
  | { readonly type: 'and'; readonly left: Node; readonly right: Node }
  | { readonly type: 'or'; readonly left: Node; readonly right: Node }
  | { readonly type: 'arithmetic'; readonly operator: ArithmeticOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'comparison'; readonly operator: ComparisonOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'assign'; readonly operator: AssignmentOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node | undefined }
  | { readonly type: 'try'; readonly body: Node; readonly handler: Node | undefined }
  | { readonly type: 'bind'; readonly source: Node; readonly patterns: readonly Pattern[]; readonly body: Node }
  | {
      readonly type: 'reduce';
      readonly source: Node;
      readonly patterns: readonly Pattern[];
      readonly init: Node;
      readonly update: Node;
    }
  | {
      readonly type: 'foreach';
      readonly source: Node;
      readonly patterns: readonly Pattern[];
      readonly init: Node;
      readonly update: Node;
      readonly extract: Node | undefined;
    }
  | { readonly type: 'label'; readonly name: string; readonly body: Node }
  | { readonly type: 'break'; readonly name: string }
  | { readonly type: 'define'; readonly definition: Definition; readonly body: Node }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'location'; readonly line: number };

/** A piece of program; `at` is its offset in the source. */
export type Node = Shape & { readonly at: number };
export type NodeOf<Type extends Shape['type']> = Extract<Node, { readonly type: Type }>;
