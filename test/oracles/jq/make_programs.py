"""Makes programs: every builtin and operator over inputs of every type, and random ones from a grammar (fixed seed)."""

import json
import random

# Each group is one input: a list whose items are tried one by one, so that one program covers a type.
GROUPS = {
    "mixed": [None, True, 2.5, "abc", [3, 1, 2], {"a": 1}],
    "other": [None, False, True],
    "numbers": [0, -1, 1, 2.5, -3.7, 100000000000000000, 0.001, 65, 1425599621, 12345678901234567890],
    "strings": ["", "abc", "a,b, c", "12", "-1.5", "nan", " x\t", "aé😀z", "2015-03-05T23:51:47Z", "[1,{\"a\":2}]", "\u0000\u007f<&'\">"],
    "arrays": [[], [0], [1, [2, [3]]], [3, 1, 2], ["b", "a", "b"], [None, False], [[1, 2], [3]], [2024, 1, 29, 12, 30, 45.5, 0, 0], [{"a": 1, "b": 2}, {"a": 1, "b": 1}], [97, 8364]],
    "objects": [{}, {"a": 1}, {"b": [1, {"c": None}], "a": "x"}, {"key": "k", "value": 1}, {"start": 1, "end": 2}],
    "entries": [[{"key": "a", "value": 1}], [{"name": "n"}, {"k": "x", "v": 2}], [{"key": None, "value": 1}], [{"key": False}], [{"key": 1}], [["a", 1]]],
}

# Calls of builtins with arguments; `f` alone stands for a builtin without any.
CALLS = {
    "add/1": ["add(.[]?)", "add(1, 2, .)", "add(empty)"],
    "all/1": ["all(.)", "all(. == null)"],
    "all/2": ["all(.[]?; .)", "all(empty; .)"],
    "any/1": ["any(.)", "any(. > 1)"],
    "any/2": ["any(.[]?; .)", "any(empty; .)"],
    "atan2/2": ["atan2(.; 1)", "atan2(2; .)"],
    "bsearch/1": ["bsearch(1)", "bsearch(.)", 'bsearch("b")'],
    "capture/1": ['capture("(?<x>[a-z])(?<y>\\\\d)?")', "capture(.)"],
    "capture/2": ['capture("(?<x>[A-Z])"; "i")', 'capture("(?<x>.)"; "g")'],
    "combinations/1": ["combinations(2)", "combinations(0)"],
    "contains/1": ["contains(.)", 'contains("a")', "contains([1])", 'contains({"a": 1})', "contains(null)"],
    "copysign/2": ["copysign(.; -1)", "copysign(1; .)"],
    "debug/1": ["debug(.)", 'debug("x", "y")'],
    "del/1": ["del(.)", "del(.[0])", "del(.a)", "del(.[])", "del(.[0, 1])", "del(.[1:])", "del(..)"],
    "delpaths/1": ['delpaths([["a"]])', "delpaths([[0], [1]])", "delpaths([[]])", "delpaths([])", "delpaths(.)"],
    "drem/2": ["drem(.; 2)", "drem(7; .)"],
    "endswith/1": ['endswith("c")', "endswith(.)", 'endswith("")'],
    "error/1": ["error(.)", "error(null)"],
    "fdim/2": ["fdim(.; 1)", "fdim(1; .)"],
    "first/1": ["first(.[]?)", "first(empty)", "[first(., 1)]"],
    "flatten/1": ["flatten(0)", "flatten(1)", "flatten(-1)", "flatten(.)"],
    "fma/3": ["fma(.; 2; 3)", "fma(2; .; .)"],
    "fmax/2": ["fmax(.; 1)", "fmax(nan; .)"],
    "fmin/2": ["fmin(.; 1)", "fmin(nan; .)"],
    "fmod/2": ["fmod(.; 2)", "fmod(5; .)"],
    "format/1": ['format("text")', 'format("json")', 'format("csv")', "format(.)", 'format("base32d")'],
    "fromstream/1": ["fromstream(tostream)", "fromstream(.[]?)", "fromstream(1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]]))"],
    "getpath/1": ['getpath(["a", "b"])', "getpath([0, 1])", "getpath([])", "getpath(.)", 'getpath(["a", 0])', "getpath([null])"],
    "group_by/1": ["group_by(.)", "group_by(.a?)", "group_by(.[0]?, .a?)", "group_by(.a)"],
    "gsub/2": ['gsub("a"; "b")', 'gsub(""; "-")', 'gsub("(?<x>[a-z])"; "<\\(.x)>")', "gsub(.; .)", 'gsub("a"; 1)'],
    "gsub/3": ['gsub("A"; "b"; "i")', 'gsub("a"; "b"; null)', 'gsub("a"; "b", "c"; "g")'],
    "halt_error/1": [],
    "has/1": ["has(0)", 'has("a")', "has(.)", "has(null)", "has(-1)", "has(1.5)"],
    "hypot/2": ["hypot(.; 4)"],
    "in/1": ["in([1, 2])", 'in({"a": 1})', "in(.)"],
    "index/1": ['index("b")', "index(1)", "index([1, 2])", "index(.)", 'index("")'],
    "indices/1": ['indices("b")', "indices(1)", "indices([1, 2])", "indices(.)", 'indices("")', "indices([])"],
    "INDEX/1": ["INDEX(.a?)", "INDEX(.)", "INDEX(.a, .b)"],
    "INDEX/2": ["INDEX(.[]?; .)", "INDEX(., 1; type)"],
    "IN/1": ["IN(1, 2)", "IN(.[]?)", "IN(empty)"],
    "IN/2": ["IN(.[]?; 1, null)", "IN(empty; 1)"],
    "inside/1": ['inside("abcd")', "inside([1, [2, [3]], 4])", "inside(.)"],
    "isempty/1": ["isempty(.[])", "isempty(empty)", "isempty(1, error(2))", 'isempty(error("x"))'],
    "join/1": ['join(",")', "join(1)", "join(null)", 'join("a", "b")', "join(.)"],
    "JOIN/2": ['JOIN({"1": "one", "a": 2}; tostring)', "JOIN({}; .)"],
    "JOIN/3": ['[JOIN({"1": "one"}; .[]?; tostring)]'],
    "JOIN/4": ['[JOIN({"1": "one"}; .[]?; tostring; add?)]'],
    "last/1": ["last(.[]?)", "[last(empty)]", "last(1, 2)"],
    "ldexp/2": ["ldexp(.; 2)", "ldexp(1; .)"],
    "limit/2": ["[limit(2; .[]?)]", "[limit(0; 1, error(2))]", "[limit(-1; 1, 2)]", "[limit(1; ., 1)]", "[limit(.; 1, 2, 3)]"],
    "ltrimstr/1": ['ltrimstr("a")', "ltrimstr(.)", "ltrimstr(1)"],
    "map/1": ["map(.)", "map(., 1)", "map(empty)", "map(.a?)", "map(. + 1)"],
    "map_values/1": ["map_values(.)", "map_values(empty)", "map_values(., 1)", "map_values(. + 1)", "map_values(if . == 1 then empty else . end)"],
    "match/1": ['[match("a")]', '[match("")]', '[match("(a)|(?<n>b)")]', "[match(.)]", '[match(["a", "g"])]', '[match(["[a-z]", "gi"])]', "[match([1])]"],
    "match/2": ['[match("[a-z]"; "g")]', '[match(""; "g")]', '[match("A"; "gi")]', '[match("a"; "q")]', '[match("a"; 1)]'],
    "max_by/1": ["max_by(.)", "max_by(.a?)", "max_by(.[0]?)"],
    "min_by/1": ["min_by(.)", "min_by(.a?)", "min_by(.[0]?)"],
    "nexttoward/2": ["nexttoward(.; 0)"],
    "nextafter/2": ["nextafter(.; 0)", "nextafter(.; infinite)"],
    "nth/1": ["nth(0)", "nth(1)", "nth(-1)", 'nth("a")', "nth(.)"],
    "nth/2": ["[nth(0, 1; .[]?)]", "[nth(1; 1, 2, error(3))]", "nth(-1; 1)", "[nth(5; .[]?)]", "nth(.; 1, 2)"],
    "path/1": ["[path(.)]", "[path(.[]?)]", "[path(..)]", "[path(.a?, .[0]?)]", "path(1)", "[path(.a?.b?)]", "[path(first(.[]?))]", "[path(if . then .a? else .[0]? end)]", "[path(.[1:]?)]", "path(tojson)"],
    "paths/1": ["[paths(type == \"number\")]", "[paths(.)]", "[paths(true, false)]"],
    "pick/1": ["pick(.a)", "pick(.[0])", "pick(.[1]?)", "pick(.a, .b[0]?)", "pick(first)", "pick(.[-1])", "pick(.[])", "pick(.)", "pick(1)"],
    "pow/2": ["pow(.; 2)", "pow(2; .)", "pow(.; 0.5)"],
    "range/1": ["[range(.) | select(. < 5)] | .[:5]", "[range(2.5)]", "[range(-1)]", '[range("a")]', "[range(0, 2)]"],
    "range/2": ["[range(1; 4)]", "[range(0; 1; 0.3)]", "[range(0, 1; 2, 3)]", "[range(.; 3)] | .[:3]"],
    "range/3": ["[range(0; 10; 3)]", "[range(5; 0; -2)]", "[range(0; 1; 0)] | length", "[range(0, 1; 3, 4; 1, 2)]", '[range(0; 3; "a")]'],
    "recurse/1": ["[recurse(.[]?)]", "[recurse(if type == \"number\" and . < 3 and . >= 0 then . + 1 else empty end)]"],
    "recurse/2": ["[recurse(.[]?; . != null)]", '[2 | recurse(. * .; . < 100)]'],
    "remainder/2": ["remainder(.; 2)", "remainder(7; .)"],
    "repeat/1": ["limit(3; repeat(., 1))"],
    "rindex/1": ['rindex("b")', "rindex(1)", "rindex([1, 2])", "rindex(.)", 'rindex("")'],
    "rtrimstr/1": ['rtrimstr("c")', "rtrimstr(.)", "rtrimstr(1)"],
    "scalb/2": ["scalb(.; 2)"],
    "scalbln/2": ["scalbln(.; 2)"],
    "scan/1": ['[scan("[a-z]")]', '[scan("([a-z])(,)?")]', "[scan(.)]", '[scan("")]'],
    "scan/2": ['[scan("B"; "i")]', '[scan("b"; null)]', '[scan("[A-Z] ?"; "ix")]'],
    "select/1": ["[select(.)]", "[select(., true)]", "[select(empty)]", "[select(. == 1)]"],
    "setpath/2": ['setpath(["a"]; 1)', "setpath([0]; 1)", "setpath([]; 1)", 'setpath(["a", "b"]; 1)', "setpath([2]; 1)", "setpath([-1]; 1)", "setpath(.; 1)", 'setpath([{"start": 1}]; [9])', "setpath([null]; 1)", "setpath([1, 0]; 9)"],
    "skip/2": ["[skip(1; .[]?)]", "[skip(0; 1, 2)]", "[skip(-1; 1)]", "[skip(.; 1, 2, 3)]"],
    "sort_by/1": ["sort_by(.)", "sort_by(.a?)", "sort_by(.a?, .b?)", "sort_by(-.)", "sort_by(.[0]?)"],
    "split/1": ['split(",")', 'split("")', "split(.)", "split(1)", 'split(", ")'],
    "split/2": ['split(", *"; null)', 'split("[bB]"; "g")', 'split(""; null)', "split(.; .)"],
    "splits/1": ['[splits(", *")]', '[splits("")]', "[splits(.)]"],
    "splits/2": ['[splits("B"; "i")]', '[splits("a"; null)]'],
    "startswith/1": ['startswith("a")', "startswith(.)", 'startswith("")'],
    "strflocaltime/1": ['strflocaltime("%Y-%m-%d %H:%M:%S %Z")', "strflocaltime(.)"],
    "strftime/1": ['strftime("%Y-%m-%dT%H:%M:%SZ")', 'strftime("%A, %B %d, %Y")', "strftime(.)", 'strftime("")', 'strftime("%j %U %W %u %w %e %C %y %G %V %g")', 'strftime("%I %p %l %k %s %D %R %T %r %c %x %X %h %n %t %%")'],
    "strptime/1": ['strptime("%Y-%m-%dT%H:%M:%SZ")', "strptime(.)", 'strptime("%s")', 'strptime("%d")', 'strptime("")'],
    "sub/2": ['sub("a"; "b")', 'sub("(?<x>[a-z])"; "\\(.x)\\(.x)")', 'sub(""; "-")', 'sub("a"; "b", "c")', "sub(.; .)", 'sub("^"; ">")', 'sub("$"; "<")'],
    "sub/3": ['sub("A"; "b"; "i")', 'sub("[a-z]"; "x"; "g")', 'sub("a"; "b"; "z")', 'sub("(?<x>[a-z])"; .x, "-"; "g")'],
    "test/1": ['test("a")', 'test("")', "test(.)", 'test(["A", "i"])', "test([])"],
    "test/2": ['test("A"; "i")', 'test("a b"; "x")', 'test("A"; null)', 'test("a"; "gg")'],
    "truncate_stream/1": ["[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]", "[truncate_stream(1; tostream)]"],
    "trimstr/1": ['trimstr("a")', "trimstr(.)", "trimstr(1)", 'trimstr("")'],
    "unique_by/1": ["unique_by(.)", "unique_by(.a?)", "unique_by(length)"],
    "until/2": ["until(true; .)", "[until(. == null or type != \"number\" or . > 100; . * 2 + 200)]", '[until(type == "number"; length)]'],
    "walk/1": ["walk(.)", 'walk(if type == "number" then . + 1 else . end)', "walk(empty)", 'walk(if type == "array" then sort else . end)', "[walk(., 1)] | length", 'walk(if type == "object" then del(.a) else . end)'],
    "while/2": ["[limit(3; while(true; .))]", "[while(false; .)]", '[while(type == "number" and . > 0 and . < 10; . * 2)]'],
    "with_entries/1": ["with_entries(.)", "with_entries(.value |= tostring)", 'with_entries(.key |= "k" + tostring)', "with_entries(select(.value == 1))", "with_entries(empty)"],
    "have_decnum/0": [],
    "halt/0": [],
    "halt_error/0": [],
    "now/0": ["now | type"],
    "input/0": ["input"],
    "env/0": ["env"],
    "builtins/0": ["builtins | map(select(startswith(\"spl\"))) | sort"],
    "input_line_number/0": ["input_line_number"],
    "get_search_list/0": [],
    "modulemeta/0": [],
    "get_jq_origin/0": [],
    "get_prog_origin/0": [],
    "tostream/0": ["[tostream]"],
    "error/0": ["error"],
    "combinations/0": ["[combinations]"],
    "recurse/0": ["[recurse]"],
    "paths/0": ["[paths]"],
    "empty/0": ["empty"],
    "yn/2": ["yn(2; .)"],
    "jn/2": ["jn(2; .)"],
}

WITH_ENTRIES = ["from_entries", "with_entries", "to_entries", "add", "INDEX", "group_by", "sort_by", "unique_by", "min_by", "map_values", "tostream", "walk"]

OPERATORS = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//"]
OPERANDS = ["null", "true", "false", "0", "2", "-1", "0.5", '"a"', '"x,y"', '","', "[]", "[1, 2]", "[2, [1]]", "{}", '{"a": {"b": 1}}', '{"a": {"c": 2}}', "nan", "infinite"]

ACCESSES = [
    ".a", ".[0]", ".[-1]", ".[1.7]", ".[nan]", '.["a"]', ".[null]", ".[true]", ".[[]]", ".[[1]]", ".[{}]", '.[{"start": 1, "end": 2}]', ".[]", "..", ".[1:]", ".[:1]",
    ".[:-1]", ".[-2:]", ".[1:2]", ".[2:1]", ".[1.2:1.9]", ".[null:1]", ".[1:null]", '.["a":]', ".[-99:99]", ".[99:]", ".[:nan]", '.["a", "b"]', ".[0, 1]", ".a.b", ".[0][0]", ".a[0]", ".[0].a", '."a"', '."a"."b"', '."\\(1 + 1)"', '.["a"].b', ".[100000000000000000000]", ".[:100000000000000000000]", ".[-100000000000000000000:]",
]
SUFFIXES = ["", "?"]
UPDATES = [
    "= 9", "|= 9", "|= empty", "|= (., 1)", "+= 1", "-= 1", "*= 2", "/= 2", "%= 2", "//= 9", "= (1, 2)", "+= (1, 2)", '|= tostring', "|= (.[0]? // 7)", "= .", "|= error",
]
PLACES = [
    ".", ".a", ".[0]", ".[-1]", ".[]", ".[]?", ".a.b", ".[1:]", ".[:1]", ".a[1]", ".[2]", ".[0, 1]", "(.a, .b)", "..", "first(.[]?)", "last(.[]?)", "select(. != null)", "(.[] | select(. == 1))", ".a?", "(if . then .a? else . end)", "getpath([\"a\", \"b\"])", "recurse", "paths", "(.a // .b)", "(.a | .b)", ".[\"a\"]?", "empty", "limit(1; .[]?)", "(. as $x | .[0]?)", "(try .a catch .)", "nth(1; .[]?)", "1", "(reduce false as $x (.; .[0]?))", "(label $f | .[]? | ., break $f)", "(.[1:] | .[0])", ".[[1]]",
]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# Inputs that many programs share; in the answers their names stand for them.
INPUTS = {name: compact(group) for name, group in GROUPS.items()}
INPUTS["operands"] = compact([None, True, 0, -2.5, "x,y", [1, 2], {"a": {"b": 1}}])
INPUTS["containers"] = compact([None, 1, "x", [1, 2], [[1, 2], 3], {"a": 1}, {"a": {"b": 1}, "c": [1]}, {"a": [1, 2]}])


def builtin_programs(names):
    for name in sorted(names):
        word, arity = name.split("/")
        calls = CALLS.get(name, [word] if arity == "0" else None)
        if calls is None:
            raise SystemExit(f"make_programs.py has no calls of {name}")
        for call in calls:
            for group in GROUPS:
                if group != "entries" or word in WITH_ENTRIES:
                    yield f".[] | try [{call}] catch .", group


def operator_programs():
    for operator in OPERATORS:
        for operand in OPERANDS:
            yield f".[] | try (. {operator} {operand}) catch .", "operands"
            if operator not in ["==", "!=", "and", "or", "//"]:
                yield f".[] | try ({operand} {operator} .) catch .", "operands"


def path_programs():
    for access in ACCESSES:
        for suffix in SUFFIXES:
            for name in ["other", "strings", "arrays", "objects"]:
                yield f".[] | try [{access}{suffix}] catch .", name
        yield f".[] | try [path({access})] catch .", "containers"


def update_programs():
    for row, place in enumerate(PLACES):
        # every other one, as on a chessboard: all together would be too many
        for update in UPDATES[row % 2 :: 2]:
            yield f".[] | try ({place} {update}) catch .", "containers"
        yield f".[] | try del({place}) catch .", "containers"
        yield f".[] | try [paths({place})] catch .", "containers"
        yield f".[] | try [[.] | {place}?] catch .", "containers"


INPUTS["subjects"] = compact(["", "abc", "aab", "bca", "ABC abc", "a.c\nb", "foo bar", "2015-03-05 +1.5", "(a(b)) [x] \\Q \"q\" a&&b", "abccba aA\t_-"])


INPUTS["unicode"] = compact(["é😀Éßſ", "SSſsßKkK", "Σσς ǅ€"])


def pattern_programs(lines):
    for line in lines:
        pattern, _, flags = line.partition(" ⇐ ")
        flags = "g" + flags
        yield f".[] | try [match({compact(pattern)}; {compact(flags)}) | [.offset, .string, (.captures | map(.string))]] catch .", "subjects"
        yield f".[] | try [match({compact(pattern)}; {compact(flags)}).string] catch .", "unicode"


class Grammar:
    """Random programs that end: no recursion, no endless generators."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *options):
        return self.random.choice(options)

    def literal(self):
        return self.pick("null", "true", "false", "0", "1", "-1", "2.5", '"a"', '"b c"', '""', "[]", "{}", "[1, 2]", '{"a": 1}', '["a", null]')

    def key(self):
        return self.pick('"a"', '"b"', "0", "1", "-1", "null", "[1]")

    def access(self, depth):
        p = self.program
        return self.pick(
            lambda: ".", lambda: ".a", lambda: ".b", lambda: ".[0]", lambda: ".[-1]", lambda: ".[]", lambda: ".[]?", lambda: "..", lambda: ".a?", lambda: ".[1:]", lambda: ".[:-1]",
            lambda: f".[{self.key()}]", lambda: f".a.b{self.pick('', '?')}", lambda: f".[{p(depth - 1)}]?", lambda: f".[{p(depth - 1)}:]?", lambda: '.["a", "b"]?',
        )()

    def call(self, depth):
        p = self.program
        return self.pick(
            lambda: self.pick("length", "keys", "add", "any", "all", "sort", "unique", "reverse", "min", "max", "tostring", "tojson", "type", "not", "to_entries", "flatten", "first", "last", "floor", "ascii_upcase", "explode", "values", "scalars", "iterables", "transpose", "tostream", "paths", "abs", "trim", "tonumber", "fromjson", "implode", "from_entries", "recurse", "empty", "error", "input_filename", "infinite", "nan", "isnan", "@json", "@text", "@csv", "@sh", "@base64", "@html", "@uri"),
            lambda: f"{self.pick('map', 'select', 'sort_by', 'group_by', 'unique_by', 'min_by', 'max_by', 'any', 'all', 'first', 'last', 'path', 'del', 'with_entries', 'map_values', 'walk', 'add', 'pick', 'paths', 'isempty', 'tojson | test', 'has', 'contains', 'inside', 'index', 'indices', 'join', 'flatten', 'getpath', 'error', 'ltrimstr', 'split', 'startswith', 'INDEX', 'IN', 'debug', 'todate | test')}({p(depth - 1)})",
            lambda: f"[limit({self.pick('0', '1', '2')}; {p(depth - 1)})]",
            lambda: f"[.[]? | {p(depth - 1)}]",
            lambda: f"setpath([{self.key()}]; {p(depth - 1)})",
            lambda: f"range({self.pick('1', '3', '-1')})",
            lambda: f"any({p(depth - 1)}; {p(depth - 1)})",
            lambda: f"[nth({self.pick('0', '1')}; {p(depth - 1)})]",
            lambda: f"[skip(1; {p(depth - 1)})]",
        )()

    def pattern(self):
        return self.pick("$x", "[$x]", "[$x, $y]", "{a: $x}", "{$a}", "{a: [$x]}", "[$x] ?// {a: $x}", "{a: $x} ?// [$x] ?// $x")

    def program(self, depth):
        p = self.program
        if depth <= 0:
            return self.pick(self.literal, lambda: self.access(0), lambda: self.call(0))() if self.random.random() < 0.9 else "."
        return self.pick(
            lambda: self.access(depth),
            lambda: self.call(depth),
            lambda: self.literal(),
            lambda: f"({p(depth - 1)} {self.pick('|', '|', '|', ',', '+', '-', '*', '/', '%', '==', '<', 'and', 'or', '//')} {p(depth - 1)})",
            lambda: f"({self.access(depth - 1)} {self.pick('=', '|=', '+=', '//=', '-=')} {p(depth - 1)})",
            lambda: f"[{p(depth - 1)}]",
            lambda: "{a: (" + p(depth - 1) + ")}",
            lambda: "{" + self.pick('"a"', '(.a? // "k" | tostring)', "b", '"x\\(1 + 1)"')  + ": 1, b: [" + p(depth - 1) + "]}",
            lambda: f"({p(depth - 1)})?",
            lambda: f"(try ({p(depth - 1)}) catch {self.pick('.', 'length', '[.]')})",
            lambda: f'"<\\({p(depth - 1)})>"',
            lambda: f"(({p(depth - 1)}) as {self.pick('$x')} | [$x, {p(depth - 1)}])",
            lambda: f"(. as {self.pattern()} | [{self.pick('.', '1')}])",
            lambda: f"reduce ({p(depth - 1)}) as $x ({self.pick('0', 'null', '.', '[]')}; {self.pick('. + [$x]', '[., $x]', '.a? = $x', 'empty', '. , $x', p(depth - 1))})",
            lambda: f"[foreach ({p(depth - 1)}) as $x ({self.pick('0', 'null', '.')}; {self.pick('[., $x]', '. as $y | $x', p(depth - 1))}{self.pick('', '; [$x, .]', '; .[]?')})]",
            lambda: f"(if {p(depth - 1)} then {p(depth - 1)} else {p(depth - 1)} end)",
            lambda: f"(if {p(depth - 1)} then {p(depth - 1)} end)",
            lambda: f"(label $out | {p(depth - 1)} | ., break $out)",
            lambda: f"(def f(g): {self.pick('g | g', '[g]', 'g, 1', 'first(g)', 'path(g)', '(g) |= 1')}; f({p(depth - 1)}))",
            lambda: f"(def f($v): [$v, v]; f({p(depth - 1)}))",
            lambda: f"-({p(depth - 1)})",
            lambda: f"([{p(depth - 1)}] | {self.pick('sort', 'unique', 'add', 'length', 'map(type)', 'group_by(.)', 'min', 'tojson', 'first', 'last')})",
        )()


def random_programs(seed, count):
    grammar = Grammar(seed)
    inputs = [compact(value) for value in [None, 1, "a b", [1, [2], None], {"a": {"b": 1}, "b": [3]}, [{"a": 1, "b": 2}, {"a": 1}], {"a": [1, 2]}]]
    for _ in range(count):
        yield grammar.program(3), grammar.pick(*inputs)
