import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectRegistries, isFromRegistry, isHostAllowed, isUrlFromRegistry } from './match-registry.ts';

describe('isFromRegistry', () => {
  it.each<[image: string, allowed: readonly string[], isAllowed: boolean]>([
    ['nginx', ['docker.io'], true],
    ['nginx', ['docker.io/library'], true],
    ['nginx', ['docker.io/nginx'], false],
    ['bitnami/nginx:1', ['docker.io/bitnami'], true],
    ['bitnami/nginx:1', ['docker.io/library'], false],
    ['index.docker.io/library/nginx', ['docker.io/library'], true],
    ['registry-1.docker.io/nginx', ['docker.io/library'], true],
    ['docker.io:443/nginx', ['docker.io/library'], true],
    ['docker.io/bitnami/nginx', ['index.docker.io/bitnami'], true],
    ['ghcr.io/team/app:1', ['ghcr.io'], true],
    ['ghcr.io/team/app:1', ['ghcr.io/'], true],
    ['ghcr.io/team/app:1', ['ghcr.io/team'], true],
    ['ghcr.io/team/app:1', ['ghcr.io/team/app'], true],
    ['ghcr.io/team/app:1', ['ghcr.io/team/app/x'], false],
    ['ghcr.io/teamwork/app:1', ['ghcr.io/team'], false],
    ['ghcr.io:443/team/app', ['ghcr.io'], true],
    ['ghcr.io/team/app', ['ghcr.io:443'], true],
    ['ghcr.io:8443/team/app', ['ghcr.io'], false],
    ['GHCR.io/team/app', ['ghcr.io'], true],
    ['ghcr.io.example.com/team/app', ['ghcr.io'], false],
    ['localhost:5000/app', ['localhost:5000'], true],
    ['localhost/app', ['docker.io'], false],
    [`ghcr.io/team/app@sha256:${'a'.repeat(64)}`, ['ghcr.io/team'], true],
    ['quay.io/team/app', ['ghcr.io', 'quay.io/team'], true],
    ['ghcr.io/Team/app', ['ghcr.io'], false],
    ['not an image', ['docker.io'], false],
    ['ghcr.io/team/app', [], false],
  ])('%s of %j: %s', (image, allowed, isAllowed) => {
    expect(isFromRegistry(image, allowed)).toBe(isAllowed);
  });
});

describe('isUrlFromRegistry', () => {
  it.each<[url: string, isAllowed: boolean]>([
    ['https://charts.example.com/stable', true],
    ['https://charts.example.com', true],
    ['https://CHARTS.example.com:443/stable', true],
    ['https://charts.example.com?x=1', true],
    ['oci://ghcr.io/team/charts', true],
    ['oci://ghcr.io/team', true],
    ['oci://ghcr.io/teamwork', false],
    ['oci://ghcr.io/Team/charts', false],
    ['https://user:secret@charts.example.com/', true],
    ['https://charts.example.com@evil.example/', false],
    ['https://evil.example/charts.example.com', false],
    ['https://evil.example\\@charts.example.com/', false],
    ['https://evil.example#@charts.example.com/', false],
    ['https://evil.example?@charts.example.com/', false],
    ['oci://ghcr.io/team/../other', false],
    ['oci://ghcr.io/team/%2e%2e/other', false],
    ['oci://ghcr.io/team\\..\\other', false],
    ['https://charts.example.com:8443/', false],
    ['oci://ghcr.io/team/.\t./other', false],
    ['oci://ghcr.io/team\nx', false],
    ['charts.example.com/stable', true],
    ['ghcr.io/team/charts', true],
    ['git@charts.example.com:team/app.git', true],
    ['git@evil.example:charts.example.com/app.git', false],
    ['ssh://git@charts.example.com/team/app', true],
    ['charts.example.com:8443/x', false],
    ['{{ .url }}', false],
    ['*', false],
    ['https://*/x', false],
    ['https://charts.example.com/*', true],
    ['https:///stable', false],
    ['', false],
  ])('%s: %s', (url, isAllowed) => {
    expect(isUrlFromRegistry(url, ['charts.example.com', 'ghcr.io/team'])).toBe(isAllowed);
  });
});

it.each([
  ['ghcr.io', true],
  ['GHCR.IO:443', true],
  ['ghcr.io:80', false],
  ['evil.example', false],
])('a redirect to %s: %s', (host, isAllowed) => {
  expect(isHostAllowed(host, ['ghcr.io/team'])).toBe(isAllowed);
});

describe('intersectRegistries', () => {
  it.each<[one: readonly string[], other: readonly string[], both: readonly string[]]>([
    [['ghcr.io'], ['ghcr.io/team'], ['ghcr.io/team']],
    [['ghcr.io/team', 'quay.io'], ['ghcr.io'], ['ghcr.io/team']],
    [['ghcr.io'], ['quay.io'], []],
    [['docker.io'], ['index.docker.io/library'], ['index.docker.io/library']],
    [['ghcr.io'], ['ghcr.io'], ['ghcr.io']],
  ])('%j and %j: %j', (one, other, both) => {
    expect(intersectRegistries(one, other)).toEqual(both);
  });

  it('allows what both allow', () => {
    const place = fc.constantFrom(
      'ghcr.io',
      'ghcr.io/a',
      'ghcr.io/a/b',
      'ghcr.io/b',
      'docker.io',
      'docker.io/library',
      'quay.io',
    );
    const list = fc.uniqueArray(place, { minLength: 1, maxLength: 4 });
    const images = fc.constantFrom(
      'ghcr.io/a/b',
      'ghcr.io/a/c',
      'ghcr.io/b/c',
      'ghcr.io/c',
      'nginx',
      'x/nginx',
      'quay.io/x',
    );
    fc.assert(
      fc.property(list, list, images, (one, other, image) => {
        const both = isFromRegistry(image, one) && isFromRegistry(image, other);
        expect(isFromRegistry(image, intersectRegistries(one, other))).toBe(both);
      }),
    );
  });
});
