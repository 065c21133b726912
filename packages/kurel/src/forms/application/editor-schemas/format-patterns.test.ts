import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../../../test/property-runs.ts';
import { checkFormat } from '../../../schema/index.ts';
import type { TextFormat } from '../../../schema/index.ts';
import { formatPatterns } from './format-patterns.ts';

describe('the pattern of a format', () => {
  const samples: Readonly<Record<TextFormat, { readonly good: readonly string[]; readonly bad: readonly string[] }>> = {
    'dns-label': { good: ['a', 'web-1', 'a'.repeat(63)], bad: ['', 'Web', '-a', 'a.b', 'a'.repeat(64)] },
    'dns-subdomain': { good: ['a.b-c.d', '1'], bad: ['', 'a..b', 'a.', 'A'] },
    'label-key': { good: ['app', 'a.b/C_d.e'], bad: ['', '/a', 'a/b/c', 'A/b', 'a/'] },
    'label-value': { good: ['', 'x', 'A_b.c-d'], bad: ['-a', 'a b', 'a'.repeat(64)] },
    'annotation-key': { good: ['Example.com/a', 'x'], bad: ['', 'a/b/c', '_/a'] },
    'path-name': { good: ['web', 'berlin-1', '1.x', 'A_b'], bad: ['', '-web', '.web', 'a/b', 'a b'] },
    identifier: { good: ['a', '_b.c-d'], bad: ['', '1a', 'a b'] },
    'semantic-version': {
      good: ['1.2.3', 'v1.0.0-rc.1+x', '1.0.0-0a.x-1+01'],
      bad: ['1.2', '01.2.3', '1.2.3-', '1.2.3-rc.01'],
    },
    kind: { good: ['Pod', 'apps/Deployment', 'core/Pod'], bad: ['', 'pod', 'a/b/C', 'Apps/X', 'X/'] },
    capability: { good: ['NET_ADMIN', 'ALL', 'CAP_SYS_PTRACE', 'cap_bpf'], bad: ['', 'NET ADMIN', '*', 'NET-ADMIN'] },
    sysctl: { good: ['net.core.somaxconn', 'kernel/msgmax', 'net.ipv4.tcp_rmem'], bad: ['', 'net.*', 'net', 'Net.x'] },
    'capability-key': { good: ['expose', 'expose.internal'], bad: ['', 'Expose', 'expose.'] },
    registry: {
      good: ['ghcr.io', 'ghcr.io/team/', 'localhost:5000', '[::1]:5000/a'],
      bad: ['', 'https://ghcr.io', '*.io'],
    },
    quantity: { good: ['1', '500m', '1.5Gi', '.5', '1e3', '+1', '-0', '1.'], bad: ['', '1Gb', '-1', '.', 'e3'] },
    image: {
      good: ['nginx', 'ghcr.io/a/b:1.2', 'localhost:5000/x', 'Host/x', `a@sha256:${'0'.repeat(64)}`, '[::1]:5/a'],
      bad: ['', 'a b', 'A', 'a:', 'a@sha256:0', 'a//b'],
    },
    duration: {
      good: ['0', '90s', '1h30m', '1.5s', '+2ms', '-0s', '3\u00b5s'],
      bad: ['', '90', '5 days', '-1s', '.s'],
    },
    scope: { good: ['', 'internal', 'a.b'], bad: ['Internal', ' '] },
    'storage-class': { good: ['', 'fast'], bad: ['Fast', ' '] },
    'mount-path': { good: ['/', '/data/x'], bad: ['', 'data', '/a:b'] },
    'absolute-path': { good: ['/', '/a:b'], bad: ['', 'a'] },
    filled: { good: ['a', ' a '], bad: ['', ' \t'] },
    sha256: { good: ['0aF9'.repeat(16)], bad: ['', '0'.repeat(63), 'g'.repeat(64)] },
    'package-path': { good: ['a', 'a/.b/..c/...', '.x'], bad: ['', '/a', 'a/../b', './a', 'a//b', 'a\\b'] },
    'data-key': { good: ['a', '.env', 'A_b-c.d', '-'], bad: ['', '.', '..a', 'a b'] },
    'dns-1035-label': { good: ['a', 'a-1'], bad: ['', '1a', 'A', 'a-'] },
    'cron-schedule': {
      good: ['0 3 * * *', '*/5 1-3,7 ? JAN mon', '@daily', '@every 1h'],
      bad: ['', '1 2 3', '@', 'a;b c d e'],
    },
    'time-zone': { good: ['UTC', 'Europe/Berlin', 'Etc/GMT+1'], bad: ['', '1a', 'Europe/', 'a b'] },
    host: { good: ['a.b', '*.example.com'], bad: ['', '*', 'a.*.b', 'https://a', 'A'] },
    'port-name': { good: ['http', 'a-1'], bad: ['', '-a', 'a'.repeat(16), 'A'] },
    'ingress-class': { good: ['', 'nginx'], bad: ['Nginx', ' '] },
    group: { good: ['a', ' a b '], bad: ['', ' ', 'a,b'] },
    'chart-url': {
      good: ['https://a.b/c?d=e', 'http://a:8080', 'oci://a.b:5000/c_d/e-f', 'http://[::1]/x'],
      bad: [
        '',
        'a.b/c',
        'ftp://a',
        'https://',
        'https://u@a/b',
        'https://a/b c',
        'oci://a',
        'oci://a/b:1',
        'oci://a/B',
      ],
    },
    'registry-url': {
      good: ['oci://a.b/c', 'oci://[::1]:5/a.b'],
      bad: ['', 'https://a/b', 'oci://a/b/', 'oci://a@b/c'],
    },
    'registry-tag': { good: ['1.0.0', 'v1_x-2', '_'], bad: ['', '.1', '-a', 'a:b', 'a'.repeat(129)] },
    'registry-digest': {
      good: [`sha256:${'0a'.repeat(32)}`],
      bad: ['', '0'.repeat(64), `sha256:${'A'.repeat(64)}`, `sha512:${'0'.repeat(64)}`],
    },
    interval: { good: ['60m', '1h30m', '0h5m', '1.5s', '100ms'], bad: ['', '0', '0s', '-1s', '60'] },
    'artifact-path': { good: ['./', '.', './deploy/prod', 'a/'], bad: ['', '/', '/deploy', 'a\\b'] },
    'manifest-url': {
      good: ['https://a.b/c.yaml', 'http://a:8080/?d=e'],
      bad: ['', 'oci://a/b', 'ftp://a/b', 'a.yaml', 'https://', 'https://u:p@a/b', 'https://a/b c'],
    },
    'release-name': { good: ['web', 'a.b-c', 'a'.repeat(53)], bad: ['', 'Web', 'a_b', 'a-'] },
  };
  const formats = Object.entries(formatPatterns).map(([format, { pattern }]) => ({
    format: format as TextFormat,
    pattern: new RegExp(pattern, 'u'),
  }));

  it.each(formats)('$format agrees with its check', ({ format, pattern }) => {
    const { good, bad } = samples[format];
    expect(good.filter((text) => !pattern.test(text) || checkFormat(text, format) !== undefined)).toEqual([]);
    expect(bad.filter((text) => pattern.test(text) || checkFormat(text, format) === undefined)).toEqual([]);
    expect(good.length * bad.length, 'examples of both').toBeGreaterThan(0);
  });

  it.each(formats)('$format matches everything its check accepts', ({ format, pattern }) => {
    const pieces = fc.constantFrom(
      'a',
      'B',
      '0',
      '9',
      '.',
      '-',
      '_',
      '/',
      ':',
      '@',
      '+',
      'e',
      'Gi',
      'm',
      's',
      ' ',
      '[',
    );
    // A valid string with something inserted or replaced.
    const near = fc
      .tuple(fc.constantFrom(...samples[format].good), pieces, fc.nat(), fc.boolean())
      .map(([text, piece, choice, isOver]) => {
        const start = choice % (text.length + 1);
        return text.slice(0, start) + piece + text.slice(isOver ? start + piece.length : start);
      });
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: near }, fc.string({ maxLength: 12 })), (text) => {
        if (checkFormat(text, format) !== undefined) return;
        taken += 1;
        expect(pattern.test(text), text).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThanOrEqual(propertyRuns(500) / 50);
  });
});
