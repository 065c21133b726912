import { parseBuiltin } from '../syntax/parse-program.ts';
import type { Definition } from '../syntax/tokens.ts';
import { arrayNatives, objectNatives } from './collections.ts';
import { controlNatives, inputOutputNatives } from './control.ts';
import { dateNatives } from './dates.ts';
import { formatNatives, stringNatives } from './strings.ts';
import { mathNatives } from './math.ts';
import { type NativeTable, value } from './native.ts';
import { pathNatives } from './paths.ts';
import { regexNatives } from './regex.ts';
import { typeNatives } from './types.ts';

/** Every builtin written in TypeScript. */
export const natives: NativeTable = {
  ...controlNatives,
  ...typeNatives,
  ...arrayNatives,
  ...objectNatives,
  ...pathNatives,
  ...stringNatives,
  ...formatNatives,
  ...regexNatives,
  ...mathNatives,
  ...dateNatives,
  ...inputOutputNatives,
  'builtins/0': value(builtinNames),
};

/** Builtins that are clearest in jq itself, by name and arity. Each is parsed on first use by a program. */
const sources: { readonly [key: string]: string } = {
  'repeat/1': 'def repeat(f): def r: f, r; r;',
  'while/2': 'def while(cond; update): def w: if cond then ., (update | w) else empty end; w;',
  'until/2': 'def until(cond; update): def u: if cond then . else (update | u) end; u;',
  'abs/0': 'def abs: if . < 0 then -. else . end;',
  'first/0': 'def first: .[0];',
  'last/0': 'def last: .[-1];',
  'nth/1': 'def nth($n): .[$n];',
  'with_entries/1': 'def with_entries(f): to_entries | map(f) | from_entries;',
  'walk/1':
    'def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;',
  'leaf_paths/0': 'def leaf_paths: paths(scalars);',
  'truncate_stream/1':
    'def truncate_stream(stream): . as $n | null | stream | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;',
  'combinations/0':
    'def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;',
  'combinations/1': 'def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;',
  'INDEX/1': 'def INDEX(f): INDEX(.[]; f);',
  'INDEX/2': 'def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);',
  'IN/1': 'def IN(s): any(s == .; .);',
  'IN/2': 'def IN(src; s): any(src == s; .);',
  'JOIN/2': 'def JOIN($idx; f): [.[] | [., $idx[f]]];',
  'JOIN/3': 'def JOIN($idx; stream; f): stream | [., $idx[f]];',
  'JOIN/4': 'def JOIN($idx; stream; f; join): stream | [., $idx[f]] | join;',
  'capture/1': 'def capture($given): match($given) | _named;',
  'capture/2': 'def capture(re; flags): match(re; flags) | _named;',
  '_named/0': 'def _named: [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;',
  'scan/1': 'def scan($re): scan($re; null);',
  'scan/2':
    'def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures[].string] else .string end;',
  'splits/1': 'def splits($re): splits($re; null);',
  'splits/2': 'def splits($re; flags): split($re; flags) | .[];',
  'sub/2': 'def sub(re; str): sub(re; str; "");',
  'gsub/2': 'def gsub(re; str): sub(re; str; "g");',
  'gsub/3': 'def gsub($re; str; flags): sub($re; str; flags + "g");',
  'todate/0': 'def todate: strftime("%Y-%m-%dT%H:%M:%SZ");',
  'fromdateiso8601/0': 'def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;',
  'todateiso8601/0': 'def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");',
  'fromdate/0': 'def fromdate: fromdateiso8601;',
  'date/0': 'def date: todate;',
  'dateadd/2': 'def dateadd(u; n): . + n;',
  'datesub/2': 'def datesub(u; n): . - n;',
};

const parsed = new Map<string, Definition>();

export function definedBuiltin(key: string): Definition | undefined {
  if (!Object.hasOwn(sources, key)) return undefined;
  const definition = parsed.get(key) ?? parseBuiltin(sources[key]!);
  parsed.set(key, definition);
  return definition;
}

/** Every builtin as `name/arity`, without the internal ones. */
export function builtinNames(): readonly string[] {
  return [...Object.keys(natives), ...Object.keys(sources)].filter((name) => !name.startsWith('_'));
}
