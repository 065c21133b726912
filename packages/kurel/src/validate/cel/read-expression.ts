/** The type of the result, as far as the text of an expression shows it. */
export type ExpressionType = 'boolean' | 'number' | 'string' | 'list' | 'map' | 'null' | 'dynamic' | 'unknown';

export interface Declared {
  /** Names that an expression may use: `object`, `self`. */
  readonly variables: ReadonlySet<string>;
  /** Variables whose fields have no types: `object`. */
  readonly dynamic?: ReadonlySet<string>;
  /** Names after `variables.`. */
  readonly members?: ReadonlySet<string>;
}

export type Reading = { readonly type: ExpressionType } | { readonly problem: string };

/** Parses a CEL expression, and checks that all variables in it are declared. */
export function readExpression(text: string, declared: Declared): Reading {
  try {
    return { type: readTokens(tokenize(text), declared) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

class Unreadable extends Error {}

interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'symbol' | 'end';
  readonly text: string;
}

const pattern =
  /\s+|\/\/[^\n]*|(?<string>(?:[rR][bB]?|[bB][rR]?)?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))|(?<number>0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?)|(?<name>[A-Za-z_]\w*|`[\w./ -]+`)|(?<symbol>&&|\|\||[<>=!]=|[-+*/%<>!?:.,()[\]{}])/y;

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) throw new Unreadable(`unexpected character "${text[start]}"`);
    for (const kind of ['string', 'number', 'name', 'symbol'] as const) {
      const part = match.groups![kind];
      if (part !== undefined) tokens.push({ kind, text: part });
    }
  }
  return [...tokens, { kind: 'end', text: '' }];
}

const words = new Set(
  'as break const continue else for function if import let loop package namespace return var void while in'.split(' '),
);
/** Words that cannot be names in CEL. */
export const reserved: ReadonlySet<string> = new Set([...words, 'true', 'false', 'null']);

const macros = new Set(
  'all exists exists_one existsOne map filter sortBy transformList transformMap transformMapEntry optMap optFlatMap bind'.split(
    ' ',
  ),
);
/** Namespaces of functions, and types. */
const spaces = new Set(
  'cel math base64 sets optional strings ip cidr url quantity semver format regex lists google type int uint double bool string bytes list map null_type timestamp duration dyn Object JSONPatch k8s net proto'.split(
    ' ',
  ),
);
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
const deepest = 250;

function readTokens(tokens: readonly Token[], declared: Declared): ExpressionType {
  let position = 0;
  let depth = 0;
  const bound: string[] = [];

  const peek = (ahead = 0): Token => tokens[Math.min(position + ahead, tokens.length - 1)]!;
  const isNext = (text: string, ahead = 0): boolean =>
    (peek(ahead).kind === 'symbol' || peek(ahead).kind === 'name') && peek(ahead).text === text;
  const fail = (): never => {
    const { kind, text } = peek();
    throw new Unreadable(kind === 'end' ? 'unexpected end' : `unexpected ${kind === 'string' ? text : `"${text}"`}`);
  };
  const whole = expression();
  return peek().kind === 'end' ? whole : fail();

  function take(text: string): boolean {
    if (!isNext(text)) return false;
    position += 1;
    return true;
  }
  function need(text: string): void {
    if (!take(text)) fail();
  }

  function expression(): ExpressionType {
    depth += 1;
    if (depth > deepest) throw new Unreadable('nested too deeply');
    const condition = binary(0);
    let type = condition;
    if (take('?')) {
      const first = binary(0);
      need(':');
      const other = expression();
      type = first === other ? first : 'unknown';
    }
    depth -= 1;
    return type;
  }

  function binary(level: number): ExpressionType {
    const operators = levels[level];
    if (operators === undefined) return unary();
    let type = binary(level + 1);
    for (;;) {
      const operator = operators.find((text) => isNext(text));
      if (operator === undefined) return type;
      position += 1;
      const right = binary(level + 1);
      if (level < 3) type = 'boolean';
      else type = type === right && type !== 'dynamic' ? type : 'unknown';
    }
  }

  function unary(): ExpressionType {
    if (take('!')) {
      while (take('!'));
      member();
      return 'boolean';
    }
    if (take('-')) {
      while (take('-'));
      return member() === 'number' ? 'number' : 'unknown';
    }
    return member();
  }

  function member(): ExpressionType {
    const start = position;
    let type = primary();
    for (;;) {
      if (take('.')) {
        const isOptional = take('?');
        const { kind, text } = peek();
        if (kind !== 'name') fail();
        position += 1;
        if (position === start + 3 && tokens[start]!.text === 'variables') checkMember(text);
        if (!isOptional && take('(')) {
          callArguments(text);
          type = 'unknown';
        } else if (type !== 'dynamic') type = 'unknown';
      } else if (take('[')) {
        take('?');
        expression();
        need(']');
        if (type !== 'dynamic') type = 'unknown';
      } else if (isNext('{') && isType(start)) {
        position += 1;
        entries('}', true);
        type = 'unknown';
      } else return type;
    }
  }

  function checkMember(name: string): void {
    if (declared.members?.has(name) === false) throw new Unreadable(`"variables.${name}" is not declared before it`);
  }

  /** Names and dots before a brace are a type. */
  function isType(start: number): boolean {
    return tokens.slice(start, position).every(({ kind, text }) => kind === 'name' || text === '.');
  }

  function primary(): ExpressionType {
    const token = peek();
    if (token.kind === 'number') return next('number');
    if (token.kind === 'string') return next('string');
    if (take('(')) {
      const type = expression();
      need(')');
      return type;
    }
    if (take('[')) {
      items(']');
      return 'list';
    }
    if (take('{')) {
      entries('}', false);
      return 'map';
    }
    take('.');
    const { kind, text } = peek();
    if (kind !== 'name' || words.has(text)) return fail();
    position += 1;
    if (text === 'true' || text === 'false') return 'boolean';
    if (text === 'null') return 'null';
    if (take('(')) {
      callArguments(text);
      return text === 'has' ? 'boolean' : 'unknown';
    }
    return reference(text);
  }

  function reference(name: string): ExpressionType {
    if (bound.includes(name) || spaces.has(name)) return 'unknown';
    if (!declared.variables.has(name)) throw new Unreadable(`"${name}" is not declared`);
    return declared.dynamic?.has(name) === true ? 'dynamic' : 'unknown';
  }

  function next(type: ExpressionType): ExpressionType {
    position += 1;
    return type;
  }

  /** Macros declare variables in their first arguments. */
  function callArguments(name: string): void {
    const before = bound.length;
    if (macros.has(name)) {
      if (peek().kind === 'name' && isNext(',', 1)) bound.push(peek().text);
      if (peek(2).kind === 'name' && isNext(',', 3)) bound.push(peek(2).text);
    }
    items(')');
    bound.length = before;
  }

  function items(close: string): void {
    if (take(close)) return;
    do {
      // A trailing comma is allowed.
      if (isNext(close)) break;
      take('?');
      expression();
    } while (take(','));
    need(close);
  }

  function entries(close: string, isMessage: boolean): void {
    if (take(close)) return;
    do {
      if (isNext(close)) break;
      take('?');
      if (isMessage) {
        if (peek().kind !== 'name') fail();
        position += 1;
      } else expression();
      need(':');
      expression();
    } while (take(','));
    need(close);
  }
}
