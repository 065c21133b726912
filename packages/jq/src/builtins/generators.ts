import { type Code, codeOfEach, codeOfOne, type Env, lazily, type Path } from '../compile/code.ts';
import { firstOutput } from '../compile/assignment.ts';
import { countString, raise, step } from '../run-state.ts';
import { addTo } from '../values/arithmetic.ts';
import { isNumber, type JqValue } from '../values/jq-value.ts';
import { toDouble } from '../values/numbers.ts';
import { code, type NativeTable } from './native.ts';
import { stopping } from './stopping.ts';

function rangeBound(value: JqValue): number {
  return isNumber(value) ? toDouble(value) : raise('Range bounds must be numeric');
}

function range(from: Code | undefined, upto: Code, by: Code | undefined): Code {
  const zero = codeOfOne(() => 0);
  const unit = codeOfOne(() => 1);
  return codeOfEach((input, env, emit) => {
    (from ?? zero).each(input, env, (first) => {
      upto.each(input, env, (last) => {
        (by ?? unit).each(input, env, (increment) => {
          const start = rangeBound(first);
          const end = rangeBound(last);
          const stride = rangeBound(increment);
          if (stride > 0) for (let at = start; at < end; at += stride) countTurn(at, emit);
          else if (stride < 0) for (let at = start; at > end; at += stride) countTurn(at, emit);
        });
      });
    });
  });
}

function countTurn(at: number, emit: (value: JqValue) => void): void {
  step();
  emit(at);
}

/** What a generator's values, with or without paths, have in common. */
type Run = (visit: (value: JqValue, path: Path) => void) => void;
type Pick = (run: Run, emit: (value: JqValue, path: Path) => void, count: number) => void;

/** A generator that passes on some outputs of its last argument, chosen by the number its first argument gives. */
function choosing(count: Code | undefined, body: Code, pick: Pick): Code {
  const counts = (input: JqValue, env: Env, each: (count: number) => void): void => {
    if (count === undefined) each(0);
    else count.each(input, env, (found) => each(isNumber(found) ? toDouble(found) : raise('Invalid arguments')));
  };
  return codeOfEach(
    (input, env, emit) => {
      counts(input, env, (wanted) => {
        pick(
          (visit) => {
            body.each(input, env, (value) => visit(value, undefined));
          },
          (value) => emit(value),
          wanted,
        );
      });
    },
    lazily(() => {
      const bodyPaths = body.paths();
      return (path, input, env, emit) => {
        counts(input, env, (wanted) => {
          pick(
            (visit) => bodyPaths(path, input, env, (innerPath, value) => visit(value, innerPath)),
            (value, innerPath) => emit(innerPath, value),
            wanted,
          );
        });
      };
    }),
  );
}

/** Takes one output out of the run before handing it on, so that nothing runs on top of the generator. */
const pickNth: Pick = (run, emit, index) => {
  if (index < 0) raise("nth doesn't support negative indices");
  let seen = 0;
  let found: { readonly value: JqValue; readonly path: Path } | undefined;
  stopping((stop) => {
    run((value, path) => {
      if (seen++ < Math.floor(index)) return;
      found = { value, path };
      stop();
    });
  });
  if (found !== undefined) emit(found.value, found.path);
};

const pickLast: Pick = (run, emit) => {
  let found: { readonly value: JqValue; readonly path: Path } | undefined;
  run((value, path) => {
    found = { value, path };
  });
  if (found !== undefined) emit(found.value, found.path);
};

const pickLimit: Pick = (run, emit, count) => {
  if (count < 0) raise("limit doesn't support negative count");
  if (count <= 0) return;
  let seen = 0;
  let final: { readonly value: JqValue; readonly path: Path } | undefined;
  stopping((stop) => {
    run((value, path) => {
      if (++seen < count) emit(value, path);
      else {
        final = { value, path };
        stop();
      }
    });
  });
  if (final !== undefined) emit(final.value, final.path);
};

const pickAfter: Pick = (run, emit, count) => {
  if (count < 0) raise("skip doesn't support negative count");
  let seen = 0;
  run((value, path) => {
    if (seen++ >= count) emit(value, path);
  });
};

function sum(body: Code): Code {
  return codeOfOne((input, env) => {
    let total: JqValue = null;
    body.each(input, env, (item) => {
      total = addTo(total, item);
    });
    if (typeof total === 'string') countString((total as string).length);
    return total;
  });
}

function first(body: Code): Code {
  if (body.one !== undefined) return body;
  const each: Code['each'] = (input, env, emit) => {
    const found = firstOutput(body, input, env);
    if (found !== undefined) emit(found);
  };
  return codeOfEach(each, choosing(undefined, body, pickNth).paths);
}

export const generatorNatives: NativeTable = {
  'range/1': code((upto) => range(undefined, upto, undefined)),
  'range/2': code((from, upto) => range(from, upto, undefined)),
  'range/3': code((from, upto, by) => range(from, upto, by)),
  'first/1': code((body) => first(body)),
  'last/1': code((body) => choosing(undefined, body, pickLast)),
  'nth/2': code((index, body) => choosing(index, body, pickNth)),
  'limit/2': code((count, body) => choosing(count, body, pickLimit)),
  'skip/2': code((count, body) => choosing(count, body, pickAfter)),
  'add/1': code((body) => sum(body)),
};
