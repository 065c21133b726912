const modules = 'modules are not supported';
const decimals = 'only integers are kept exactly; other numbers are doubles';

/** Cases of jq's own tests that are left out on purpose: program → reason. */
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
  '-. | tojson == if have_decnum then "0.12345678901234567890123456789" else "0.12345678901234568" end': decimals,
  '[1E+1000,-1E+1000 | tojson] == if have_decnum then ["1E+1000","-1E+1000"] else ["1.7976931348623157e+308","-1.7976931348623157e+308"] end':
    decimals,
  '[1E+1000,-1E+1000 | abs | tojson] | unique == if have_decnum then ["1E+1000"] else ["1.7976931348623157e+308"] end':
    decimals,
  '[1E+1000,-1E+1000 | length | tojson] | unique == if have_decnum then ["1E+1000"] else ["1.7976931348623157e+308"] end':
    decimals,
  'map([., . == 1]) | tojson == if have_decnum then "[[1,true],[1.000,true],[1.0,true],[1.00,true]]" else "[[1,true],[1,true],[1,true],[1,true]]" end':
    decimals,
};
