import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { init } from '../src/cli/commands/init.ts';
import { inputFlags } from '../src/cli/input-flags.ts';
import { beginProvenance, forms } from '../src/index.ts';
import type { DescriptionRequest, Form, KubeObject, PackageDescription } from '../src/index.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { startRegistry } from './start-registry.ts';

/** Each line of `images.txt` is a Deployment: its name and its image. */
const toy: Form = {
  name: 'toy',
  marks: [{ file: 'images.txt' }],
  settings: [],
  values: 'plain',
  package: {
    noun: 'a toy',
    documents: ['images.txt'],
    requires: 'images.txt',
    load: async () => ({ describe: describeToy }),
  },
  load: async () => ({
    async render({ path, fileSystem }, { origins }) {
      const file = `${path}/images.txt`;
      const source = { path: file, text: await fileSystem.readText(file) };
      const lines = source.text.trimEnd().split('\n');
      const objects = lines.map((line): KubeObject => {
        const start = source.text.indexOf(line);
        const object = createDeployment(line.split(' '));
        const location = { file, range: { start, end: start + line.length } };
        origins.set(object, { renderer: 'toy', source: path, file, locate: () => location });
        return object;
      });
      const provenance = beginProvenance({ origins, objects, texts: () => [source] });
      return { objects, provenance, facts: { name: 'toys' } };
    },
  }),
};

async function describeToy({ path, fileSystem, values }: DescriptionRequest): Promise<PackageDescription> {
  const images = (await fileSystem.readText(`${path}/images.txt`)).trimEnd().split('\n');
  return {
    name: 'toys',
    version: '1.0.0',
    description: 'Images to play with.',
    listParameters: () => [{ name: 'color', type: 'string', default: 'red' }],
    createSchema: () => ({ type: 'object', properties: { color: { type: 'string' } } }),
    createInfo: async () => ({
      data: () => ({ images, values: { ...values } }),
      lines: () => [`Images: ${images.length}`],
    }),
  };
}

function createDeployment([name = '', image = '']: readonly string[]): KubeObject {
  const labels = { app: name };
  const spec = { containers: [{ name, image }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

describe('the table of forms', () => {
  it('has the names that --as takes', () => {
    expect(inputFlags.as.choices.toSorted()).toEqual(forms.map(({ name }) => name).toSorted());
  });

  it('has the packages that kurel init creates', () => {
    const packages = forms.filter((form) => form.package?.loadTemplate !== undefined);
    expect(init.flags.form.choices.toSorted()).toEqual(packages.map(({ name }) => name).toSorted());
  });
});

describe('a form that is one row of the table', () => {
  let workingDirectory = '';
  const kurel = (...words: readonly string[]) => runProgram(words, { workingDirectory, forms: [toy, ...forms] });

  beforeAll(() => {
    workingDirectory = mkdtempSync(join(tmpdir(), 'kurel-toy-'));
    const put = (directory: string, text: string): void => {
      mkdirSync(join(workingDirectory, directory));
      writeFileSync(join(workingDirectory, directory, 'images.txt'), text);
    };
    put('shop', 'web nginx:1.29\n');
    put('next', 'web nginx:1.30\n');
    put('wrong', 'web nginx:1.29\nWeb nginx:1.29\n');
  });
  afterAll(() => rmSync(workingDirectory, { recursive: true, force: true }));

  it('is built', async () => {
    const { exitCode, stdout, stderr } = await kurel('build', 'shop', '--label', 'team=toys');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('image: nginx:1.29');
    expect(stdout).toContain('team: toys');
  });

  it('is validated, and findings point into its text', async () => {
    const { exitCode, stdout } = await kurel('validate', 'wrong');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('[name-invalid]');
    expect(stdout).toContain('--> wrong/images.txt:2:1');
  });

  it('is explained', async () => {
    const { stdout } = await kurel('explain', 'shop', 'web', 'metadata.labels.team', '--label', 'team=toys');
    expect(stdout).toContain('--label team=toys');
    expect((await kurel('explain', 'shop', 'web', 'kind')).stdout).toContain('shop/images.txt');
  });

  it('is compared', async () => {
    const { exitCode, stdout } = await kurel('diff', 'shop', 'next');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/nginx:1\.29[^]*nginx:1\.30/);
  });

  it('has its images listed', async () => {
    expect((await kurel('images', 'shop')).stdout).toContain('nginx:1.29');
  });

  it('describes itself', async () => {
    expect(await kurel('info', 'shop')).toMatchObject({ exitCode: 0, stdout: 'Images: 1\n', stderr: '' });
    const { stdout } = await kurel('info', 'shop/images.txt', '--set', 'color=blue', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({ images: ['web nginx:1.29'], values: { color: 'blue' } });
  });

  it('refuses flags of another form', async () => {
    const { exitCode, stderr } = await kurel('info', 'shop', '--enable', 'features/10-tracing');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('remove it: PKG is a toy');
  });

  it('has a schema of its values', async () => {
    const { exitCode, stdout } = await kurel('schema', 'generate', 'shop');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ type: 'object', properties: { color: { type: 'string' } } });
  });

  it('is published', async () => {
    const { exitCode, stdout } = await kurel('push', 'shop', 'oci://registry.example.com/toys', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Tags: 1.0.0\n');
    expect(stdout).toContain('org.opencontainers.image.description: Images to play with.\n');
    expect(stdout).toContain('images.txt  15 bytes\n');
  });

  it('is announced to Argo CD', async () => {
    const inside = { workingDirectory: join(workingDirectory, 'shop'), forms: [toy, ...forms] };
    expect((await runProgram(['argocd', 'discover'], inside)).stdout).toBe('toy\n');
    const { stdout } = await runProgram(['argocd', 'parameters'], inside);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'color', string: 'red' }]);
  });

  describeWithProgram('registry', 'in a registry', () => {
    it('is shown, built and pulled', async () => {
      const { host, stop } = await startRegistry(join(workingDirectory, 'registry'));
      const reference = `oci://${host}/toys:1.0.0`;
      try {
        expect(await kurel('push', 'shop', reference, '--allow-private')).toMatchObject({ exitCode: 0 });
        expect((await kurel('info', reference, '--allow-private')).stdout).toContain('Images: 1\nFiles (1):\n');
        expect((await kurel('build', reference, '--allow-private')).stdout).toContain('image: nginx:1.29');
        const { stderr } = await kurel('pull', reference, '--allow-private');
        expect(stderr).toBe('wrote 1 file to toys/\n');
      } finally {
        await stop();
      }
    });
  });
});
