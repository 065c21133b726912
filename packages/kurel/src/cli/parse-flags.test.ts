import { describe, expect, it } from 'vitest';
import { defineCommand } from './command.ts';
import { parseFlags } from './parse-flags.ts';

const command = defineCommand({
  name: 'build',
  arguments: [
    { name: 'ACTION', summary: '' },
    { name: 'PATH', summary: '', completes: 'path', repeats: true },
  ],
  flags: {
    output: { type: 'text', short: 'o', completes: 'path', summary: '' },
    values: { type: 'list', completes: 'path', summary: '' },
    set: { type: 'list', completes: 'parameter', summary: '' },
  },
  run: async () => ({}),
});

const words = [
  String.raw`a\b`,
  String.raw`deploy\web`,
  String.raw`deploy\*.yaml`,
  String.raw`..\base`,
  String.raw`C:\base`,
  String.raw`\\server\share\base`,
  'C:base',
  '-o',
  String.raw`out\prod`,
  String.raw`--values=one\v.yaml`,
  '--values',
  String.raw`two/three\v.yaml`,
  '--set',
  String.raw`pattern=^\d+$`,
];

describe('parseFlags', () => {
  it('gives paths slashes on Windows, and nothing else', () => {
    const { positionals, flags } = parseFlags(command, words, '\\');
    expect(positionals).toEqual([
      String.raw`a\b`,
      'deploy/web',
      'deploy/*.yaml',
      '../base',
      'C:/base',
      '//server/share/base',
      'C:base',
    ]);
    expect(flags).toMatchObject({
      output: 'out/prod',
      values: ['one/v.yaml', 'two/three/v.yaml'],
      set: [String.raw`pattern=^\d+$`],
    });
  });

  it('keeps backslashes elsewhere', () => {
    const { positionals, flags } = parseFlags(command, words, '/');
    expect(positionals).toEqual(words.slice(0, 7));
    expect(flags).toMatchObject({ output: String.raw`out\prod`, values: [String.raw`one\v.yaml`, words[11]] });
  });

  it('converts what schema generate takes, but no kind', () => {
    const schema = defineCommand({
      name: 'schema',
      arguments: [
        { name: 'ACTION', summary: '' },
        { name: 'SUBJECT', summary: '', optional: true, completes: 'subject' },
      ],
      flags: {},
      run: async () => ({}),
    });
    const parse = (action: string) => parseFlags(schema, [action, String.raw`a\b`], '\\').positionals[1];
    expect([parse('generate'), parse('show')]).toEqual(['a/b', String.raw`a\b`]);
  });
});
