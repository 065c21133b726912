const modules = 'modules are not supported';
const integers = 'integers are exact, although have_decnum is false because decimals are not';

/** Cases of jq's own tests that are skipped on purpose: program → reason. */
export const jqSuiteExceptions: { readonly [program: string]: string } = {
  'import "a" as foo; import "b" as bar; def fooa: foo::a; [fooa, bar::a, bar::b, foo::a]': modules,
  'import "c" as foo; [foo::a, foo::c]': modules,
  'include "c"; [a, c]': modules,
  'import "data" as $e; import "data" as $d; [$d[].this,$e[].that,$d::d[].this,$e::e[].that]|join(";")': modules,
  'import "data" as $a; import "data" as $b; def f: {$a, $b}; f': modules,
  'include "shadow1"; e': modules,
  'include "shadow1"; include "shadow2"; e': modules,
  'import "shadow1" as f; import "shadow2" as f; import "shadow1" as e; [e::e, f::e]': modules,
  modulemeta: modules,
  'modulemeta | .deps | length': modules,
  'modulemeta | .defs | length': modules,
  'import "test_bind_order" as check; check::check': modules,
  'try (. + "x") catch . == if have_decnum then "number (12345678901234567890123456...) and string (\\"x\\") cannot be added" else "number (12345678901234568000000000...) and string (\\"x\\") cannot be added" end':
    integers,
  '.[0] | tostring | . == if have_decnum then "13911860366432393" else "13911860366432392" end': integers,
  '.x | tojson | . == if have_decnum then "13911860366432393" else "13911860366432392" end': integers,
  '(13911860366432393 == 13911860366432392) | . == if have_decnum then false else true end': integers,
  '-. | tojson == if have_decnum then "-13911860366432393" else "-13911860366432392" end': integers,
  '[., tojson] == if have_decnum then [12345678909876543212345,"12345678909876543212345"] else [12345678909876543000000,"12345678909876543000000"] end':
    integers,
  '[1234567890987654321,-1234567890987654321 | tojson] == if have_decnum then ["1234567890987654321","-1234567890987654321"] else ["1234567890987654400","-1234567890987654400"] end':
    integers,
  '. as $big | [$big, $big + 1] | map(. > 10000000000000000000000000000000) | . == if have_decnum then [true, false] else [false, false] end':
    integers,
};
