import { describe, expect, it } from 'vitest';
import { offersBasic, readBearerChallenge } from './registry-token.ts';

const realm = 'https://auth.example.com/token';

describe('readBearerChallenge', () => {
  it.each([
    [`Bearer realm="${realm}"`, { realm }],
    [
      `bearer realm="${realm}",service="a b",scope="repository:a/b:pull,push"`,
      { realm, service: 'a b', scope: 'repository:a/b:pull,push' },
    ],
    [`Bearer realm=${realm} , Service = s`, { realm, service: 's' }],
    [`Basic realm="x", Bearer realm="${realm}",error="invalid_token"`, { realm }],
    [`Bearer realm="a\\"b"`, { realm: 'a"b' }],
  ])('%s', (header, expected) => {
    expect(readBearerChallenge(header)).toEqual({ service: undefined, scope: undefined, ...expected });
  });

  it.each([
    '',
    'Basic realm="x"',
    'Bearer',
    'Bearer service="x"',
    'Bearer realm="x',
    'NotBearer realm="x"',
    `Bearer realm="${'x'.repeat(9000)}"`,
  ])('finds no challenge in %j', (header) => expect(readBearerChallenge(header)).toBeUndefined());
});

describe('offersBasic', () => {
  it.each([
    ['Basic', true],
    ['basic realm="x"', true],
    ['Bearer realm="x", Basic realm="y"', true],
    ['', false],
    ['Bearer realm="basic"', false],
    ['Basics realm="x"', false],
    [`Basic realm="${'x'.repeat(9000)}"`, false],
  ])('%s', (header, expected) => expect(offersBasic(header)).toBe(expected));
});
