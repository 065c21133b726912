import { codeOfSingle, identity, nothing } from '../code/code.ts';
import { choose } from '../code/flow.ts';
import { isArray, isNumber, isObject, type JqType, type JqValue, typeOf } from '../jq-value.ts';
import { countValues, raise, spendKeys, spendLength } from '../run-state.ts';
import { countCodePoints, readNumber, toDouble, utf8Length } from '../values/scalars.ts';
import { refuse, stringify, toText, tryParseJson } from '../values/json.ts';
import { linear, type Native, type NativeTable, value } from './native.ts';

function selecting(test: (input: JqValue) => boolean): Native {
  return () => choose(codeOfSingle(test), identity, nothing);
}

function ofType(...types: readonly JqType[]): Native {
  return selecting((input) => types.includes(typeOf(input)));
}

export function length(input: JqValue): JqValue {
  if (typeof input === 'string') {
    spendLength(input.length);
    return countCodePoints(input);
  }
  if (isArray(input)) return input.length;
  if (isNumber(input)) return absolute(input);
  if (input === null) return 0;
  if (!isObject(input)) return refuse(input, 'has no length');
  const keys = Object.keys(input).length;
  spendKeys(keys);
  return keys;
}

function absolute(input: number | bigint): number | bigint {
  if (typeof input === 'bigint') {
    countValues(4);
    return input < 0n ? -input : input;
  }
  return Math.abs(input);
}

function toNumber(input: JqValue): JqValue {
  if (isNumber(input)) return input;
  const parsed = typeof input === 'string' ? readNumber(input) : undefined;
  return parsed === undefined ? refuse(input, 'cannot be parsed as a number') : parsed;
}

function toBoolean(input: JqValue): JqValue {
  if (typeof input === 'boolean') return input;
  if (input === 'true' || input === 'false') return input === 'true';
  return refuse(input, 'cannot be parsed as a boolean');
}

function fromJson(input: JqValue): JqValue {
  if (typeof input !== 'string') return refuse(input, 'only strings can be parsed');
  const result = tryParseJson(input);
  return 'complaint' in result ? raise(result.complaint) : result.value;
}

/** Values that are not numbers fail every test of numbers. */
function numeric(test: (input: number) => boolean): Native {
  return value((input) => isNumber(input) && test(toDouble(input)));
}

const smallestNormal = 2.2250738585072014e-308;

function isNormal(input: number): boolean {
  return Number.isFinite(input) && Math.abs(input) >= smallestNormal;
}

export const typeNatives: NativeTable = {
  'type/0': value(typeOf),
  'length/0': value(length),
  'utf8bytelength/0': linear((input) =>
    typeof input === 'string' ? utf8Length(input) : refuse(input, 'only strings have UTF-8 byte length'),
  ),
  'toarray/0': value((input) => (isArray(input) ? input : [input])),
  'tostring/0': value(toText),
  'tojson/0': value((input) => stringify(input)),
  'fromjson/0': value(fromJson),
  'tonumber/0': linear(toNumber),
  'toboolean/0': value(toBoolean),
  'infinite/0': value(() => Infinity),
  'nan/0': value(() => Number.NaN),
  'isinfinite/0': numeric((input) => input === Infinity || input === -Infinity),
  'isfinite/0': numeric((input) => input !== Infinity && input !== -Infinity),
  'isnan/0': numeric(Number.isNaN),
  'isnormal/0': numeric(isNormal),
  'nulls/0': ofType('null'),
  'booleans/0': ofType('boolean'),
  'numbers/0': ofType('number'),
  'strings/0': ofType('string'),
  'arrays/0': ofType('array'),
  'objects/0': ofType('object'),
  'iterables/0': ofType('array', 'object'),
  'scalars/0': ofType('null', 'boolean', 'number', 'string'),
  'values/0': ofType('boolean', 'number', 'string', 'array', 'object'),
  'finites/0': selecting((input) => isNumber(input) && Number.isFinite(toDouble(input))),
  'normals/0': selecting((input) => isNumber(input) && isNormal(toDouble(input))),
  'have_literal_numbers/0': value(() => true),
  // integers are kept exactly, other decimals are not
  'have_decnum/0': value(() => false),
};
