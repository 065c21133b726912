import { describe, expect, it } from 'vitest';

import { memoryFileSystem } from '../forms/index.ts';
import { findPaths } from './find-paths.ts';

const fileSystem = memoryFileSystem(
  Object.fromEntries(
    [
      'apps/api/app.yaml',
      'apps/web/app.yaml',
      'apps/web/kustomization.yaml',
      'apps/.old/app.yaml',
      'apps/readme.md',
      'live/berlin/web/values.yaml',
      'live/paris/web/values.yaml',
      'live/paris/paris/values.yaml',
      'x-1-y/a',
      'x-1-2-y/a',
    ].map((path) => [path, '']),
  ),
);

async function find(
  pattern: string,
): Promise<{ readonly paths: readonly string[]; readonly lists: readonly string[] }> {
  const lists: string[] = [];
  const list = (path: string) => (lists.push(path), fileSystem.list(path));
  const found = await findPaths(pattern, { fileSystem: { ...fileSystem, list }, most: 100 });
  const paths = found.map(({ path, placeholders }) => [path, ...Object.entries(placeholders).flat()].join(' '));
  return { paths, lists };
}

describe('findPaths', () => {
  it.each<[string, readonly string[]]>([
    ['apps/{app}', ['apps/api app api', 'apps/readme.md app readme.md', 'apps/web app web']],
    ['apps/*', ['apps/api', 'apps/readme.md', 'apps/web']],
    ['./apps//{app}/', ['apps/api app api', 'apps/readme.md app readme.md', 'apps/web app web']],
    ['apps/{app}/app.yaml', ['apps/api/app.yaml app api', 'apps/web/app.yaml app web']],
    ['apps/.{app}', ['apps/.old app old']],
    ['apps/{app}/kustomization.yaml', ['apps/web/kustomization.yaml app web']],
    ['live/{cluster}/{cluster}', ['live/paris/paris cluster paris']],
    ['live/{cluster}/w*', ['live/berlin/web cluster berlin', 'live/paris/web cluster paris']],
    ['x-{a}-y', ['x-1-2-y a 1-2', 'x-1-y a 1']],
    ['x-{a}-{b}-y', ['x-1-2-y a 1 b 2']],
    ['apps/web', ['apps/web']],
    ['apps/readme.md/{app}', []],
    ['nothing/{app}', []],
    ['apps/w{app}x', []],
  ])('%s', async (pattern, expected) => {
    expect((await find(pattern)).paths.toSorted()).toEqual(expected.toSorted());
  });

  it('names the directories that decided the result', async () => {
    expect((await find('live/{cluster}/{app}')).lists).toEqual(['.', 'live', 'live/berlin', 'live/paris']);
  });
});
