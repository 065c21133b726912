import { isDeepStrictEqual } from 'node:util';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  compareQuantities,
  explainImageReference,
  explainSchedule,
  formatDuration,
  formatImageReference,
  formatQuantity,
  parseDuration,
  parseGroupVersionKind,
  parseImageReference,
  parseQuantity,
  pluralOf,
} from '../../packages/kurel/src/kube/index.ts';
import { parseFieldPath } from '../../packages/kurel/src/patch/index.ts';
import { escapeControls, nearest, quote } from '../../packages/kurel/src/diagnostics/index.ts';
import { check, type Target } from '../target.ts';

export const kubeTexts: Target = {
  name: 'kube-texts',
  promise: 'quantities, durations, images, schedules, names and fields are accepted or refused, and read back the same',
  seeds: () => [
    '500m',
    '1.5Gi',
    '1e3',
    '-0.1n',
    '1h30m',
    '1.5s',
    '-100ms',
    'nginx',
    'a.example:5000/b/c:1@sha256:00',
    '*/5 0-6 1,2 jan mon',
    '@every 1h',
    'apps/v1/Deployment',
    'spec.containers[name=web].image',
    'a[ b = c ].d',
    'a[ "b" ].c="d"',
    "a['b''c'][0]",
  ],
  tokens: [
    '0',
    '1',
    '.',
    '-',
    '+',
    'e',
    'E',
    'Ki',
    'Ei',
    'n',
    'u',
    'm',
    'k',
    'h',
    's',
    'ms',
    '\u00b5s',
    ':',
    '/',
    '@sha256:',
    'a',
    'A',
    '*',
    ',',
    ' ',
    '?',
    '@every ',
    '@daily',
    'TZ=',
    'jan',
    '[',
    ']',
    '"',
    "'",
    '=',
    '999999999999999999999',
    '\u001b[31m',
    '\u202e',
    '0'.repeat(64),
  ],
  maxLength: 8000,
  short: 8000,
  run(text) {
    const quantity = parseQuantity(text);
    if (quantity !== undefined) {
      const again = parseQuantity(formatQuantity(quantity));
      check(again !== undefined && compareQuantities(again, quantity) === 0, 'a quantity reads as it is written');
    }
    const duration = parseDuration(text);
    if (duration !== undefined)
      check(parseDuration(formatDuration(duration)) === duration, 'a duration reads as it is written');
    const image = parseImageReference(text);
    check(
      (image === undefined) === (explainImageReference(text) !== undefined),
      'an image that is refused has a reason',
    );
    if (image !== undefined) {
      check(formatImageReference(image) === text, 'an image is written as it was');
      check(
        isDeepStrictEqual(parseImageReference(formatImageReference(image)), image),
        'an image reads as it is written',
      );
    }
    explainSchedule(text);
    for (const one of [
      checkDnsLabel,
      checkDnsSubdomain,
      checkLabelKey,
      checkLabelValue,
      pluralOf,
      parseGroupVersionKind,
      parseFieldPath,
    ])
      one(text);
    nearest(text, ['replicas', 'containers', text.slice(1)]);
    for (const shown of [quote(text), escapeControls(text)])
      // oxlint-disable-next-line no-control-regex -- what must not get to a terminal
      check(!/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/.test(shown), 'nothing that is shown steers a terminal');
  },
};
