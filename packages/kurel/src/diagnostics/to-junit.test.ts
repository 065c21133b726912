import { describe, expect, it } from 'vitest';

import { toJunit } from './export-diagnostics.ts';

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
