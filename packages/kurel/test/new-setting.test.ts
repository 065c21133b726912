import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import type * as Pipeline from '../src/cli/flags-to-pipeline.ts';
import type * as Input from '../src/settings/input-settings.ts';

// A row of the table of settings, and what it does to objects: nothing else knows it. Test files share their modules.
function addSetting(): void {
  vi.resetModules();
  vi.doMock('../src/settings/input-settings.ts', async (load) => {
    const { inputSettings } = await load<typeof Input>();
    const tier = {
      type: 'text',
      flag: 'tier',
      placeholder: 'NAME',
      section: 'change',
      summary: 'Set the label tier on every object.',
      key: 'tier',
      inFunction: 'build',
      variable: 'KUREL_TIER',
    } as const;
    return { inputSettings: { ...inputSettings, tier } };
  });
  vi.doMock('../src/cli/flags-to-pipeline.ts', async (load) => {
    const pipeline = await load<typeof Pipeline>();
    const { transformers } = await import('../src/index.ts');
    Object.assign(pipeline.stepsOfSettings, {
      tier: (name: string) => ({ words: `--tier ${name}`, transform: transformers.labels.set({ tier: name }) }),
    });
    return pipeline;
  });
}

function removeSetting(): void {
  vi.doUnmock('../src/settings/input-settings.ts');
  vi.doUnmock('../src/cli/flags-to-pipeline.ts');
  vi.resetModules();
}

beforeAll(addSetting);
afterAll(removeSetting);

const directory = mkdtempSync(join(tmpdir(), 'kurel-setting-'));
mkdirSync(join(directory, 'app'));
writeFileSync(join(directory, 'app', 'web.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n');
writeFileSync(
  join(directory, 'kurel.fleet.yaml'),
  `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  groups: {front: {tier: "{cluster}-front"}}
  clusters: {berlin: {extends: [front]}}
  applications: {web: {package: app, output: "out/{cluster}"}}
  matrix: [{}]
`,
);
const resourceList = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: launcher.gokure.dev/v1alpha1
  kind: KurelBuild
  metadata: {name: build}
  spec: {package: app, tier: back}
items: []
`;
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(words: readonly string[], options: object = {}) {
  const { runProgram } = await import('./run-program.ts');
  return await runProgram(words, { workingDirectory: directory, ...options });
}

it('appears everywhere that settings do, and works', async () => {
  const help = await run(['help', 'build']);
  expect(help.stdout).toMatch(/--tier NAME +Set the label tier on every object\./);
  const completed = await run(['__complete', 'build', 'app', '--ti']);
  expect(completed.stdout).toMatch(/^--tier\b/m);
  expect((await run(['build', 'app', '--tier', 'back'])).stdout).toContain('  labels:\n    tier: back\n');
  const explained = await run(['explain', 'app', 'configmap.web', 'metadata.labels.tier', '--tier', 'back']);
  expect(explained.stdout).toContain('--tier back');

  expect(await run(['fleet', 'build'])).toMatchObject({ exitCode: 0 });
  const written = readFileSync(join(directory, 'out', 'berlin', 'configmap-web.yaml'), 'utf8');
  expect(written).toContain('tier: berlin-front');
  const listed = await run(['fleet', 'list', '--explain']);
  expect(listed.stdout).toMatch(/tier: berlin-front +# kurel\.fleet\.yaml:4/);
  expect(listed.stdout).toContain('--tier berlin-front');

  const schema = await run(['schema', 'fleet']);
  expect(schema.stdout).toContain('"tier"');
  expect((await run(['krm'], { stdin: resourceList })).stdout).toContain('tier: back');
  const generated = await run(['argocd', 'generate'], {
    workingDirectory: join(directory, 'app'),
    variables: { KUREL_TIER: 'back' },
  });
  expect(generated.stdout).toContain('tier: back');
});
