import { describe, expect, it } from 'vitest';
import { isFromRegistry, isHostAllowed, isUrlFromRegistry } from './match-registry.ts';

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
