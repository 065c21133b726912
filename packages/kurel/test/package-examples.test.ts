import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { installPhaseOf, nameOf, namespaceOf } from '../src/kube/index.ts';
import { isJsonObject } from '../src/model/index.ts';
import type { JsonObject, KubeObject } from '../src/model/index.ts';
import { expectCaseFile } from './check-case.ts';
import { listCases, openCase } from './golden-case.ts';
import { decodeOutput, describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

const goldens = join(repository, 'packages', 'kurel', 'test', 'data', 'package-examples');

interface Example {
  /** Also the case with what is expected of it. */
  readonly name: string;
  /** Behind `kurel build` or `kurel validate`. */
  readonly words: readonly string[];
  readonly layouts: readonly string[];
}

const allLayouts = ['stream', 'flat', 'by-kind', 'by-resource', 'phases', 'flux', 'argocd'];
const gitea = 'examples/packages/gitea.kurel';
const phases = ['pre-install', 'main', 'post-install'];

const examples: readonly Example[] = [
  { name: 'hello', words: ['examples/packages/hello.kurel'], layouts: allLayouts },
  {
    name: 'hello-ingress',
    words: ['examples/packages/hello.kurel', '--set', 'ingress.enabled=true', '--set', 'ingress.host=hi.example.org'],
    layouts: ['stream'],
  },
  { name: 'gitea', words: [gitea, '--no-local'], layouts: ['stream'] },
  { name: 'gitea-local', words: [gitea], layouts: ['stream'] },
  {
    name: 'gitea-development',
    words: [gitea, '--no-local', '--values', `${gitea}/examples/development.yaml`],
    layouts: ['stream'],
  },
  {
    name: 'gitea-production',
    words: [gitea, '--no-local', '--values', `${gitea}/examples/production.yaml`],
    layouts: allLayouts,
  },
  {
    name: 'gitea-gateway',
    words: [gitea, '--no-local', '--set', 'gateway.enabled=true', '--set', 'backup.enabled=true'],
    layouts: ['stream'],
  },
  {
    name: 'queue-operator',
    words: ['examples/packages/queue-operator.kurel', '--set', 'tracing.enabled=true'],
    layouts: allLayouts,
  },
];

const directories = examples.flatMap(({ name, words, layouts }) => layouts.map((layout) => ({ name, words, layout })));

describe('example packages', () => {
  let scratch = '';
  beforeAll(() => (scratch = mkdtempSync(join(tmpdir(), 'kurel-examples-'))));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it.each(directories)('$name as $layout', async ({ name, words, layout }) => {
    const actual = await lay({ words, layout, directory: join(scratch, name, layout) });
    const golden = openCase(join(goldens, name));
    const expected = golden.list().filter((path) => path.startsWith(`${layout}/`));
    const paths = new Set([...expected, ...Array.from(actual.keys(), (path) => `${layout}/${path}`)]);
    for (const path of paths) expectCaseFile(golden, path, actual.get(path.slice(layout.length + 1)));
  });

  it('has no expectations for an example that does not exist', () => {
    const wanted = directories.map(({ name, layout }) => `${name}/${layout}`);
    const found = listCases(goldens).flatMap((name) =>
      openCase(join(goldens, name))
        .list()
        .filter((path) => path !== 'validate.txt')
        .map((path) => `${name}/${path.split('/')[0]}`),
    );
    expect([...new Set(found)].toSorted()).toEqual(wanted.toSorted());
  });

  it.each(examples)('$name is valid', async ({ name, words }) => {
    const { exitCode, stdout } = await runProgram(['validate', ...words]);
    expectCaseFile(openCase(join(goldens, name)), 'validate.txt', stdout);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Validation summary: 0 errors, /);
    expect(exitCode).toBe(0);
  });

  it.each(examples)('$name is valid to Kubernetes, object by object', async ({ words }) => {
    const { stdout } = await runProgram(['build', ...words]);
    const crds = 'examples/packages/queue-operator.kurel/schemas/crds';
    const outcome = await runProgram(['validate', '-', '--crds', crds], { stdin: stdout });
    expect(outcome.stdout + outcome.stderr).not.toContain('error[');
    expect(outcome.exitCode).toBe(0);
  });

  it.each(examples.filter(({ layouts }) => layouts.includes('phases')))(
    'the phases of $name, in their order, are the stream',
    async ({ name, words }) => {
      const streamed = await streamOf(words);
      const laid = await lay({ words, layout: 'phases', directory: join(scratch, name, 'phases-again') });
      const inPhases = phases.flatMap((phase) =>
        [...laid].flatMap(([path, text]) => (isManifestOf(phase, path) ? decodeOutput(text) : [])),
      );
      expect(byIdentity(inPhases)).toEqual(byIdentity(streamed));
      expect(streamed.map(installPhaseOf)).toEqual(inPhases.map(installPhaseOf));
    },
  );

  it.each(examples.filter(({ layouts }) => layouts.includes('flux')))(
    'the Flux objects of $name are valid, and depend on the phase before',
    async ({ name, words }) => {
      const directory = join(scratch, name, 'flux-again');
      const laid = await lay({ words, layout: 'flux', directory });
      const objects = [...laid].flatMap(([path, text]) =>
        /^kustomizations\/.+\//.test(path) ? decodeOutput(text) : [],
      );
      const there = phases.filter((phase) => [...laid.keys()].includes(`${phase}/kustomization.yaml`));
      expect(objects.map(nameOf).toSorted()).toEqual(there.map((phase) => `${packageOf(words)}-${phase}`).toSorted());
      there.forEach((phase, index) => {
        const spec = specOf(objects.find((object) => nameOf(object) === `${packageOf(words)}-${phase}`)!);
        const before = there[index - 1];
        expect(spec['dependsOn']).toEqual(
          before === undefined ? undefined : [{ name: `${packageOf(words)}-${before}` }],
        );
        expect(spec['path']).toBe(`./${phase}`);
      });
      const stdin = objects.map((object) => JSON.stringify(object)).join('\n---\n');
      const outcome = await runProgram(['validate', '-'], { stdin });
      expect(outcome.stdout + outcome.stderr).not.toMatch(/error\[|kinds?-(?:unknown|not-checked)/);
    },
  );

  describeWithProgram('kustomize', 'with kustomize', (program) => {
    const built = directories.filter(({ layout }) => ['phases', 'flux', 'argocd'].includes(layout));
    it.each(built)('$name as $layout is the stream', async ({ name, words, layout }) => {
      const directory = join(scratch, name, `${layout}-kustomize`);
      const laid = await lay({ words, layout, directory });
      const roots = laid.has('kustomization.yaml') ? ['.'] : phases.filter((phase) => hasPhase(laid, phase));
      const objects = roots.flatMap((root) =>
        decodeOutput(execFileSync(program, ['build', join(directory, root)], { encoding: 'utf8' })),
      );
      const streamed = await streamOf([...words, ...(layout === 'argocd' ? ['--layout', 'argocd'] : [])]);
      // A kustomization adds labels that the stream lacks; everything in the stream must be unchanged.
      expect(Object.keys(byIdentity(objects))).toEqual(Object.keys(byIdentity(streamed)));
      expect(byIdentity(objects)).toMatchObject(byIdentity(streamed));
    });
  });
});

interface Laying {
  readonly words: readonly string[];
  readonly layout: string;
  readonly directory: string;
}

/** What a build writes, by path; a stream is one file. */
async function lay({ words, layout, directory }: Laying): Promise<ReadonlyMap<string, string>> {
  if (layout === 'stream') {
    const { stdout, exitCode } = await runProgram(['build', ...words, '--layout', 'stream']);
    expect(exitCode).toBe(0);
    return new Map([['stream.yaml', stdout]]);
  }
  const { stderr, exitCode } = await runProgram(['build', ...words, '--layout', layout, '--output', `${directory}/`]);
  expect({ exitCode, stderr: warningsIn(stderr) }).toEqual({ exitCode: 0, stderr: [] });
  return readTree(directory);
}

async function streamOf(words: readonly string[]): Promise<readonly KubeObject[]> {
  const { stdout } = await runProgram(['build', ...words]);
  return decodeOutput(stdout);
}

/** What is not as it should be; that there are several namespaces is how it should be. */
function warningsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:warning|error)\[|⚠|✗/.test(line) && !/span \d+ namespaces/.test(line));
}

function readTree(directory: string): ReadonlyMap<string, string> {
  const files = listFiles(directory, '').filter((path) => /\.(?:yaml|json)$/.test(path) && !path.startsWith('.'));
  return new Map(files.map((path) => [path, readFileSync(join(directory, path), 'utf8')]));
}

function isManifestOf(phase: string, path: string): boolean {
  return path.startsWith(`${phase}/`) && !path.endsWith('kustomization.yaml');
}

function hasPhase(files: ReadonlyMap<string, string>, phase: string): boolean {
  return files.has(`${phase}/kustomization.yaml`);
}

function packageOf([path]: readonly string[]): string {
  return path!.replace(/.*\/|\.kurel$/g, '');
}

function specOf({ spec }: KubeObject): JsonObject {
  return isJsonObject(spec) ? spec : {};
}

function byIdentity(objects: readonly KubeObject[]): Readonly<Record<string, KubeObject>> {
  const entries = objects.map((object): [string, KubeObject] => [
    `${object.kind} ${namespaceOf(object)}/${nameOf(object)}`,
    object,
  ]);
  expect(new Set(entries.map(([identity]) => identity)).size).toBe(entries.length);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
