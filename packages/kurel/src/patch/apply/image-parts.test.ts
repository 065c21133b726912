import { expect, it } from 'vitest';
import type { ImagePart } from './prepare-field.ts';
import { removeImagePart, setImagePart } from './image-parts.ts';

it.each<[string | undefined, ImagePart, string, string | undefined]>([
  ['nginx:1', 'repository', 'ghcr.io/acme/web', 'ghcr.io/acme/web:1'],
  ['nginx', 'repository', 'web', 'web'],
  ['nginx:1@sha256:abc', 'repository', 'web', 'web:1@sha256:abc'],
  ['nginx:1', 'tag', '1.20', 'nginx:1.20'],
  ['nginx', 'tag', '2', 'nginx:2'],
  ['nginx@sha256:abc', 'tag', '2', 'nginx:2'],
  ['localhost:5000/web', 'tag', '2', 'localhost:5000/web:2'],
  ['nginx:1', 'digest', 'sha256:def', 'nginx@sha256:def'],
  ['nginx:1', 'registry', 'ghcr.io', 'ghcr.io/nginx:1'],
  ['acme/web:1', 'registry', 'ghcr.io', 'ghcr.io/acme/web:1'],
  ['docker.io/acme/web:1', 'registry', 'ghcr.io', 'ghcr.io/acme/web:1'],
  ['localhost/web', 'registry', 'ghcr.io', 'ghcr.io/web'],
  ['localhost:5000/web', 'registry', 'ghcr.io:444', 'ghcr.io:444/web'],
  [undefined, 'repository', 'web', 'web'],
  [undefined, 'tag', '1', undefined],
  [undefined, 'registry', 'ghcr.io', undefined],
  ['', 'digest', 'sha256:a', undefined],
])('%s: %s %s gives %s', (image, part, text, expected) => {
  expect(setImagePart(image, part, text)).toBe(expected);
});

it.each<[string, Exclude<ImagePart, 'repository'>, string]>([
  ['nginx:1', 'tag', 'nginx'],
  ['nginx:1@sha256:abc', 'tag', 'nginx@sha256:abc'],
  ['nginx:1@sha256:abc', 'digest', 'nginx:1'],
  ['localhost:5000/web', 'tag', 'localhost:5000/web'],
  ['localhost:5000/web:1', 'registry', 'web:1'],
  ['acme/web', 'registry', 'acme/web'],
])('%s without its %s is %s', (image, part, expected) => {
  expect(removeImagePart(image, part)).toBe(expected);
});
