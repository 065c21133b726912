import { describe, expect, it } from 'vitest';
import { createBudget } from '../../budget/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { bundledSchemas } from '../../host/disk-file-system.ts';
import { createSchemaStore, nodeFromJsonSchema } from '../../schema/index.ts';
import type { SchemaNode, SchemaRule } from '../../schema/index.ts';
import { createCelRules } from './create-cel-rules.ts';

const rules = createCelRules(createBudget({ maxRuleSteps: Infinity }));

function evaluate(rule: string, self: Json = null, schema: JsonObject = {}): string {
  return rules.evaluate({ rule }, self, nodeFromJsonSchema(schema)).verdict;
}

const holding: readonly string[] = [
  // strings
  '"abc".matches("^(?i)A[[:alpha:]]+$")',
  '"a1b22".find("[0-9]+") == "1"',
  '"a1b22".findAll("[0-9]+") == ["1", "22"]',
  '"a1b22".findAll("[0-9]+", 1) == ["1"]',
  '"abc".find("x") == ""',
  '"héllo".charAt(1) == "é"',
  '"a-b-c".replace("-", "_") == "a_b_c"',
  '"a-b-c".replace("-", "_", 1) == "a_b-c"',
  '"%s is %d, %.2f or %x".format(["a", 10, 1.5, 255]) == "a is 10, 1.50 or ff"',
  '"100%%".format([]) == "100%"',
  '"%b %o %X %e %d".format([5, 8, 255, 1500.0, 1.5]) == "101 10 FF 1.500000e+03 1.5"',
  '"%b %s %s".format([true, [1, "a"], {"a": 1}]) == "1 [1, a] {a: 1}"',
  '"%s".format([timestamp("2024-01-01T00:00:00Z")]) == "2024-01-01T00:00:00Z"',
  '"héllo".reverse() == "olléh" && "abc".charAt(3) == ""',
  // lists
  '[1, 2, 2].isSorted() && !["b", "a"].isSorted()',
  '[1, 2].sum() == 3 && [1.5, 2.5].sum() == 4.0 && [3, 1].min() == 1 && ["a", "b"].max() == "b"',
  '[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1',
  'sets.contains([1, 2], [2]) && sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 2]) && !sets.contains([1], [2])',
  'sets.intersects([{"a": "x"}], [{"a": "x"}]) && ["b", "a"].indexOf("a") == 1 && [1, 3, 2].max() == 3',
  // addresses
  'isIP("10.0.0.1") && isIP("::1") && !isIP("10.0.0.01")',
  'ip("10.0.0.1").family() == 4 && ip("::1").family() == 6',
  'ip("127.0.0.1").isLoopback() && ip("169.254.1.1").isLinkLocalUnicast() && ip("8.8.8.8").isGlobalUnicast()',
  '!ip("255.255.255.255").isGlobalUnicast() && !ip("10.0.0.0").isLoopback() && !ip("127.0.0.1").isGlobalUnicast()',
  'ip("2001:db8::1").isGlobalUnicast() && !ip("::1").isGlobalUnicast() && !ip("ff02::1").isGlobalUnicast()',
  'ip("::ffff:ffff").isGlobalUnicast() && !ip("fe80::1").isGlobalUnicast() && !ip("0.0.0.0").isGlobalUnicast()',
  'ip("::").isUnspecified() && ip("ff02::1").isLinkLocalMulticast() && ip("fe80::1").isLinkLocalUnicast()',
  'ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::0:1")',
  'string(ip("1:0:0:2:0:0:0:3")) == "1:0:0:2::3"',
  'ip("::ffff:1.2.3.4").family() == 6',
  'isCIDR("10.0.0.0/8") && !isCIDR("10.0.0.0")',
  'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsIP(ip("11.0.0.0"))',
  'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.0.0.0/8").containsCIDR(cidr("0.0.0.0/0"))',
  'string(cidr("10.1.2.3/8").masked()) == "10.0.0.0/8" && cidr("::/0").prefixLength() == 0',
  'string(cidr("10.1.2.3/8").ip()) == "10.1.2.3" && string(ip("1:2:3:4:5:6:7:8")) == "1:2:3:4:5:6:7:8"',
  'ip("224.0.0.1").isLinkLocalMulticast() && ip("::1").isLoopback()',
  // URLs
  'isURL("https://a.b/c") && isURL("/a") && !isURL("a b") && !isURL("")',
  'url("https://u@a.b:443/c%20d?e=f&e=g").getHost() == "a.b:443"',
  'url("https://[::1]:80/").getHostname() == "::1" && url("https://[::1]:80/").getPort() == "80"',
  'url("https://a/c%20d?e=f&e=g").getEscapedPath() == "/c%20d" && url("https://a?e=f&e=g").getQuery()["e"] == ["f", "g"]',
  'url("https://a/b").getScheme() == "https" && url("https://a/b").getPort() == ""',
  // quantities
  'isQuantity("1.5Gi") && !isQuantity("1 Gi")',
  'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("500m").isLessThan(quantity("1"))',
  'quantity("1k").compareTo(quantity("1000")) == 0 && quantity("2").asInteger() == 2 && !quantity("1500m").isInteger()',
  'quantity("1").add(quantity("500m")).compareTo(quantity("1.5")) == 0 && quantity("1").sub(1).sign() == 0',
  'quantity("2").sub(quantity("1")).sign() == 1 && quantity("-1").sign() == -1',
  'quantity("1").add(1).asApproximateFloat() == 2.0',
  // formats
  '!format.dns1123Label().validate("web").hasValue() && format.dns1123Label().validate("Web").value().size() == 1',
  'format.named("uuid").hasValue() && !format.named("nothing").hasValue()',
  '!format.dns1035LabelPrefix().validate("web-").hasValue()',
  '!format.dns1123LabelPrefix().validate("web-").hasValue()',
  '!format.dns1123SubdomainPrefix().validate("a.web-").hasValue()',
  'format.uuid().validate("x").value() == ["must be a UUID"] && !format.uri().validate("/a").hasValue()',
  // the language
  'true || self.missing == 1',
  '[{"a": 1}].all(x, has(x.a)) && !has([{"a": 1}][0].b)',
  'has({"a": {"b": "(\\")"}}["a"].b)',
  '"oldSelf" != "self"',
];

describe('createCelRules', () => {
  it.each(holding)('%s', (rule) => {
    expect(rules.evaluate({ rule }, {}, nodeFromJsonSchema({}))).toEqual({ verdict: 'holds' });
  });

  it('converts values by their schema', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        ratio: { type: 'number' },
        mode: { type: 'string', default: 'fast' },
        inner: { type: 'object', default: {}, properties: { size: { type: 'integer', default: 3 } } },
        time: { type: 'string', format: 'date-time' },
        wait: { type: 'string', format: 'duration' },
        large: { type: 'integer' },
        bytes: { type: 'string', format: 'byte' },
        gone: { type: 'string' },
        kept: { type: 'string', nullable: true },
        'a-b.c/d': { type: 'string' },
        namespace: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    };
    const self: Json = {
      count: 2,
      ratio: 2,
      time: '2024-01-01T00:00:00Z',
      wait: '90s',
      large: 9007199254740993n,
      bytes: 'YWJj',
      gone: null,
      kept: null,
      'a-b.c/d': 'x',
      namespace: 'prod',
      labels: { 'a-b': 'c' },
    };
    const held = [
      'self.count / 2 == 1 && type(self.count) == int',
      'self.large == 9007199254740993',
      'self.ratio / 4.0 == 0.5 && type(self.ratio) == double',
      "self.mode == 'fast' && self.inner.size == 3",
      'self.time < timestamp("2025-01-01T00:00:00Z") && self.wait == duration("1m30s")',
      'size(self.bytes) == 3 && !has(self.gone) && self.kept == null',
      "self.a__dash__b__dot__c__slash__d == 'x' && self.__namespace__ == 'prod' && has(self.namespace)",
      "self.labels['a-b'] == 'c' && self.labels.size() == 1",
    ];
    expect(held.map((rule) => evaluate(rule, self, schema))).toEqual(held.map(() => 'holds'));
  });

  it('skips transition rules, unless they also work without an old state', () => {
    const node = nodeFromJsonSchema({ type: 'string' });
    expect(rules.evaluate({ rule: 'self == oldSelf' }, 'a', node).verdict).toBe('not-applicable');
    const rule = { rule: 'oldSelf.hasValue() || self == "a"', optionalOldSelf: true };
    expect(rules.evaluate(rule, 'a', node).verdict).toBe('holds');
    expect(rules.evaluate(rule, 'b', node).verdict).toBe('fails');
  });

  it('takes the message from its expression, else from the rule', () => {
    const node = nodeFromJsonSchema({ type: 'integer' });
    const messages = [
      { rule: 'self > 5', message: 'too small', messageExpression: '"%d is too small".format([self])' },
      { rule: 'self > 5', message: 'too small', messageExpression: 'self.broken' },
      { rule: 'self >\n 5' },
    ].map((rule) => rules.evaluate(rule, 1, node));
    expect(messages).toEqual([
      { verdict: 'fails', message: '1 is too small' },
      { verdict: 'fails', message: 'too small' },
      { verdict: 'fails', message: 'failed rule: self > 5' },
    ]);
  });

  it.each([
    'self.',
    'nothing.is(here)',
    'self.missing',
    '1 + 1',
    '"a".matches("(?U)a")',
    'quantity("x").sign() == 0',
    'quantity("1500m").asInteger() == 1',
    '"a".charAt(2) == ""',
    '"%d".format([]) == ""',
    '"%d".format(["a"]) == ""',
    '[].min() == 1',
    '[1, "a"].sum() == 1',
    'ip("x").family() == 4',
    'cidr("10.0.0.0").prefixLength() == 8',
    'url("a b").getHost() == ""',
  ])('reports %j as not checked', (rule) => {
    expect(evaluate(rule, {})).toBe('not-checked');
  });

  it('says why a rule is not checked', () => {
    const outcome = rules.evaluate({ rule: 'self.' }, null, nodeFromJsonSchema({}));
    expect(outcome).toEqual({ verdict: 'not-checked', reason: 'it cannot be parsed: Expected IDENTIFIER, got EOF' });
  });

  it('reads keys that every JavaScript object inherits', () => {
    const self: Json = { constructor: 'a', toString: 'b', inner: { constructor: { prototype: 1 } } };
    const held = [
      "self.constructor == 'a' && self.toString == 'b'",
      'has(self.constructor) && !has(self.hasOwnProperty) && !has(self.valueOf)',
      "self.exists(key, key == 'constructor') && size(self) == 3 && 'constructor' in self",
      'self.inner.constructor.prototype == 1 && self.inner == self.inner',
      "sets.contains([self.inner], [{'constructor': {'prototype': 1}}]) || true",
    ];
    expect(held.map((rule) => evaluate(rule, self))).toEqual(held.map(() => 'holds'));
    const schema = { type: 'object', properties: { constructor: { type: 'string', default: 'c' } } };
    expect(evaluate("self.constructor == 'c'", {}, schema)).toBe('holds');
  });

  describe('stops rules that take too much time or memory', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const nest = (levels: number, inner: string): string =>
      levels === 0 ? inner : `self.all(x${levels}, ${nest(levels - 1, inner)})`;
    const double = (levels: number, name: string): string =>
      levels === 0 ? `size(${name}) > 0` : `[${name} + ${name}].all(x${levels}, ${double(levels - 1, `x${levels}`)})`;
    const end = (rule: string): void => expect(evaluate(rule, list)).toBe('not-checked');
    it.each([
      nest(4, 'true'),
      nest(4, 'x1 == x2 || true'),
      nest(4, 'self.missing').replaceAll('.all(', '.exists('),
      nest(5, 'x1 / 0 == 1'),
    ])('%s', { tags: 'slow' }, end);
    it.each([
      nest(3, 'self == self'),
      double(40, 'self'),
      double(40, '"abc"'),
      'self.map(a, self.map(b, self.map(c, self.map(d, self)))).size() > 0',
      `[0, 1].map(a, self${' + self'.repeat(150)}).size() > 0`,
      nest(3, '!"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")'),
      `"${'a'.repeat(2000)}".replace("a", "${'b'.repeat(2000)}").size() > 0`,
      `${'('.repeat(5000)}true${')'.repeat(5000)}`,
      'has('.repeat(100_000),
      `true ${'&& true '.repeat(5000)}`,
    ])('%s', end);

    it('but evaluates rules that are only large', { tags: 'slow' }, () => {
      const unique = 'self.all(x, self.exists_one(y, x == y))';
      expect(evaluate(unique, list)).toBe('holds');
      expect(evaluate('self.map(x, x + 1).filter(x, x > 5).size() == 995', list)).toBe('holds');
      expect(evaluate('!"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")')).toBe('holds');
    });
  });

  it('adds up the steps of all rules of a run', () => {
    const budget = createBudget({ maxRuleSteps: 100 });
    const rules = createCelRules(budget);
    const node = nodeFromJsonSchema({});
    const count = (): number => {
      const before = budget.ruleSteps.left;
      expect(rules.evaluate({ rule: 'self.all(x, x > 0)' }, [1, 2, 3], node).verdict).toBe('holds');
      return before - budget.ruleSteps.left;
    };
    expect([count(), count()]).toEqual([20, 20]);
    expect(() => Array.from({ length: 6 }, count)).toThrow('the run exceeds its limit of 100 steps for CEL rules');
  });

  it('can parse all rules of the bundled schemas', () => {
    const store = createSchemaStore({ files: bundledSchemas() });
    const found = new Map<string, SchemaRule>();
    const visit = (node: SchemaNode | undefined, depth: number): void => {
      if (node === undefined || depth > 14) return;
      for (const rule of node.rules ?? []) found.set(rule.rule, rule);
      for (const name of node.propertyNames) visit(node.property(name), depth + 1);
      visit(node.items, depth + 1);
      visit(node.values, depth + 1);
    };
    for (const gvk of store
      .kinds()
      .filter(({ group }) => /\.(?!k8s\.io$)/.test(group) && group !== 'apiextensions.k8s.io')) {
      visit(store.find(gvk)?.schema, 0);
    }
    expect(found.size).toBeGreaterThan(150);
    const node = nodeFromJsonSchema({});
    const unread = [...found.values()].flatMap((rule) => {
      const result = rules.evaluate(rule, {}, node);
      const reason = result.verdict === 'not-checked' ? result.reason : '';
      // Most rules fail on an empty object; only unsupported syntax and functions matter here.
      return /cannot be read|Unknown variable|invalid argument|regular expression/.test(reason)
        ? [`${rule.rule}: ${reason}`]
        : [];
    });
    expect(unread).toEqual([]);
  });
});
