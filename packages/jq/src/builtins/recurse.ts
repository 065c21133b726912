import { type Code, codeOfEach, type Env, lazily, type Path } from '../compile/code.ts';
import type { JqValue } from '../jq-value.ts';
import { step } from '../run-state.ts';

interface Place {
  readonly value: JqValue;
  readonly path: Path;
}

type Visit = (place: Place) => void;
type Children = (place: Place, visit: Visit) => void;

/** Down to here, children are produced one by one, as they are asked for. */
const lazyDepth = 200;

/**
 * Visits a value and, recursively, what `children` makes of it. Deep down all children of a value are produced before
 * the first is visited, because then the nesting needs no stack.
 */
function descend(place: Place, depth: number, children: Children, visit: Visit): void {
  step();
  visit(place);
  if (depth < lazyDepth) {
    children(place, (child) => descend(child, depth + 1, children, visit));
    return;
  }
  const pending: Place[] = [];
  const queue = (from: Place): void => {
    const found: Place[] = [];
    children(from, (child) => found.push(child));
    for (const child of found.reverse()) pending.push(child);
  };
  queue(place);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    step();
    visit(next);
    queue(next);
  }
}

/** `recurse(body)` */
export function recurse(body: Code): Code {
  return codeOfEach(
    (input, env: Env, emit) => {
      const children: Children = ({ value }, visit) => {
        body.each(value, env, (child) => visit({ value: child, path: undefined }));
      };
      descend({ value: input, path: undefined }, 0, children, ({ value }) => emit(value));
    },
    lazily(() => {
      const bodyPaths = body.paths();
      return (path, input, env, emit) => {
        const children: Children = (place, visit) => {
          bodyPaths(place.path, place.value, env, (childPath, child) => visit({ value: child, path: childPath }));
        };
        descend({ value: input, path }, 0, children, (place) => emit(place.path, place.value));
      };
    }),
  );
}
