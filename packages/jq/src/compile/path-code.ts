import type { JqValue } from '../jq-value.ts';
import { countArray, raise, spendSteps } from '../run-state.ts';
import { abbreviate } from '../values/stringify.ts';
import { type Code, codeOfEach, type Emit, type Env, invalidPath, type Path } from './code.ts';

export function pathKeys(path: Path): JqValue[] {
  const keys: JqValue[] = [];
  for (let link = path; link !== undefined; link = link.parent) keys.push(link.key);
  countArray(keys.length);
  spendSteps(keys.length >> 1);
  return keys.reverse();
}

/** Every path that `body` visits, as an array of keys. */
function forEachPath(body: Code, input: JqValue, env: Env, emit: Emit): void {
  body.paths()(undefined, input, env, (path, value) => {
    if (path === invalidPath) raise(`Invalid path expression with result ${abbreviate(value)}`);
    emit(pathKeys(path));
  });
}

export function collectPaths(body: Code, input: JqValue, env: Env): JqValue[] {
  const paths: JqValue[] = [];
  forEachPath(body, input, env, (path) => paths.push(path));
  return paths;
}

/** `path(body)` */
export function pathCode(body: Code): Code {
  return codeOfEach((input, env, emit) => forEachPath(body, input, env, emit));
}
