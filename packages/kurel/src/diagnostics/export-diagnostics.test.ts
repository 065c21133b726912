import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/index.ts';
import { toJunit } from './export-diagnostics.ts';
import { toSarif } from './index.ts';

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly version: string;
        readonly rules: readonly { readonly id: string }[];
      };
    };
    readonly results: readonly Result[];
  }[];
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly Place[];
  readonly relatedLocations?: readonly (Place & { readonly id: number })[];
}

interface Place {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region?: object };
}

function makeLog(diagnostics: readonly Diagnostic[]): Log {
  const text = toSarif(diagnostics, {
    sources: [{ path: 'a.yaml', text: 'a: 1\nb: 2\n' }],
    locate: () => undefined,
    toolVersion: '1.0.0',
    definitions: {
      'b-known': { severity: 'error', summary: 'Known.' },
      'a-unused': { severity: 'warning', summary: 'Not found in this run.' },
    },
  });
  return JSON.parse(text) as Log;
}

describe('toSarif', () => {
  it('has what SARIF 2.1.0 requires', () => {
    const log = makeLog([]);
    expect(log.version).toBe('2.1.0');
    expect(log.runs).toHaveLength(1);
    expect(log.runs[0]!.tool.driver.name).toBe('kurel');
    expect(log.runs[0]!.results).toEqual([]);
  });

  it('has the rules it refers to, by index, even without a definition', () => {
    const [run] = makeLog([
      { code: 'c-unknown', severity: 'note', message: 'c' },
      { code: 'b-known', severity: 'warning', message: 'b' },
    ]).runs;
    expect(run!.tool.driver.rules.map((rule) => rule.id)).toEqual(['b-known', 'c-unknown']);
    for (const result of run!.results) expect(run!.tool.driver.rules[result.ruleIndex]!.id).toBe(result.ruleId);
    expect(run!.results.map((result) => result.level)).toEqual(['note', 'warning']);
  });

  it.each([
    ['deploy/a b.yaml', 'deploy/a%20b.yaml'],
    ['../ü#?.yaml', '../%C3%BC%23%3F.yaml'],
    ['c:d.yaml', 'c%3Ad.yaml'],
    ['/tmp/x.yaml', 'file:///tmp/x.yaml'],
    ['C:/x y.yaml', 'file:///C:/x%20y.yaml'],
    ['half\ud800', 'half%EF%BF%BD'],
  ])('writes the path %j as %j', (file, uri) => {
    const [run] = makeLog([{ code: 'b-known', severity: 'error', message: 'm', location: { file } }]).runs;
    expect(run!.results[0]!.locations![0]!.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it('counts regions from 1 and gives ids to related places', () => {
    const location = { file: 'a.yaml', range: { start: 5, end: 6 } };
    const [run] = makeLog([
      { code: 'b-known', severity: 'error', message: 'm', location, related: [{ message: 'r', location }] },
    ]).runs;
    const region = { startLine: 2, startColumn: 1, endLine: 2, endColumn: 2 };
    expect(run!.results[0]!.locations![0]!.physicalLocation.region).toEqual(region);
    expect(run!.results[0]!.relatedLocations![0]).toMatchObject({ id: 0, physicalLocation: { region } });
  });
});

const source = { path: 'a.yaml', text: 'kind: x\n' };
const options = {
  sources: [source],
  locate: () => ({ start: 6, end: 7 }),
  subjects: [
    { name: 'good', file: 'a.yaml', document: 0 },
    { name: 'bad', file: 'a.yaml', document: 1 },
  ],
};

describe('toJunit', () => {
  it('has a test case for everything that was checked', () => {
    expect(toJunit([], options)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kurel">
  <testsuite name="a.yaml" tests="2" failures="0">
    <testcase classname="a.yaml" name="good"/>
    <testcase classname="a.yaml" name="bad"/>
  </testsuite>
</testsuites>
`);
  });

  it('assigns findings to their test cases, and counts only errors as failures', () => {
    const location = { file: 'a.yaml', document: 1, path: ['kind'] };
    const report = toJunit(
      [
        { code: 'odd', severity: 'warning', message: 'odd', location },
        { code: 'wrong', severity: 'error', message: 'wrong <&">', hint: 'fix it', location },
        { code: 'lost', severity: 'error', message: 'nowhere' },
      ],
      options,
    );
    expect(report).toContain('<testsuite name="a.yaml" tests="2" failures="1">');
    expect(report).toContain('<system-out>warning[odd] a.yaml:1:7\nodd</system-out>');
    expect(report).toContain(
      '<failure type="wrong" message="wrong &lt;&amp;&quot;&gt;">a.yaml:1:7\nwrong &lt;&amp;&quot;&gt;\nhint: fix it</failure>',
    );
    expect(report).toContain('<testcase classname="kurel" name="lost">');
  });

  it('writes no character that XML forbids', () => {
    const report = toJunit([{ code: 'c', severity: 'error', message: 'a\u0000b\u001b[31m\ud800' }], options);
    // oxlint-disable-next-line no-control-regex -- that is the point
    expect(report).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });
});
