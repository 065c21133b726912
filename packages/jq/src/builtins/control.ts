import { type Code, codeOfEach, codeOfOne, type EachPath, nothing } from '../compile/code.ts';
import { choose, identity, pipe } from '../compile/compile-node.ts';
import { firstOutput, modifyCode } from '../compile/assignment.ts';
import { collect } from '../compile/construction.ts';
import { compileDescend, iterateHere } from '../compile/navigation.ts';
import { raise } from '../run-state.ts';
import { isTruthy, type JqValue } from '../values/jq-value.ts';
import { code, type NativeTable, value } from './native.ts';
import { recurse } from './recurse.ts';
import { stopping } from './stopping.ts';

const raising: Code = codeOfOne(
  (input) => raise(input),
  () => (_path, input) => raise(input),
);

function errorWith(message: Code): Code {
  const each = (input: JqValue, env: Parameters<Code['each']>[1]): unknown =>
    message.each(input, env, (found) => raise(found));
  const paths = (): EachPath => (_path, input, env) => {
    each(input, env);
  };
  const { one } = message;
  return one === undefined ? codeOfEach(each, paths) : codeOfOne((input, env) => raise(one(input, env)), paths);
}

/** `any`/`all`: whether an output decides; stops at the first that does. */
function decide(generator: Code, condition: Code, decisive: boolean): Code {
  const test = condition.one;
  return codeOfOne((input, env) => {
    let decided = false;
    stopping((stop) => {
      generator.each(input, env, (item) => {
        const check = (outcome: JqValue): void => {
          if (isTruthy(outcome) !== decisive) return;
          decided = true;
          stop();
        };
        if (test === undefined) condition.each(item, env, check);
        else check(test(item, env));
      });
    });
    return decided ? decisive : !decisive;
  });
}

export const controlNatives: NativeTable = {
  'empty/0': code(() => nothing),
  'error/0': code(() => raising),
  'error/1': code((message) => errorWith(message)),
  'not/0': value((input) => !isTruthy(input)),
  'select/1': code((condition) => choose(condition, identity, nothing)),
  'map/1': code((body) => collect(pipe(iterateHere, body))),
  'map_values/1': code((update) => modifyCode(iterateHere, update)),
  'recurse/0': code(compileDescend),
  'recurse/1': code((body) => recurse(body)),
  'recurse/2': code((body, condition) => recurse(pipe(body, choose(condition, identity, nothing)))),
  'isempty/1': code((body) => codeOfOne((input, env) => firstOutput(body, input, env) === undefined)),
  'any/0': code(() => decide(iterateHere, identity, true)),
  'any/1': code((condition) => decide(iterateHere, condition, true)),
  'any/2': code((generator, condition) => decide(generator, condition, true)),
  'all/0': code(() => decide(iterateHere, identity, false)),
  'all/1': code((condition) => decide(iterateHere, condition, false)),
  'all/2': code((generator, condition) => decide(generator, condition, false)),
};
