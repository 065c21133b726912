import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer } from './loopback-server.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { describeWithProgram, toolFile } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

// A chart in a real OCI registry and in a real chart repository, and manifests at a URL: rendered, locked, vendored, and
// rebuilt without the network to the same bytes.

describeWithProgram('registry', 'sources that stand elsewhere', () => {
  describeWithProgram('helm', 'with helm', () => {
    let directory = '';
    let registry: Registry;
    let repository: LoopbackServer;
    const run = (...words: readonly string[]): Promise<ProgramOutcome> =>
      runProgram(words, { workingDirectory: directory });

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'kurel-sources-'));
      const helm = (...words: readonly string[]): void =>
        void execFileSync(toolFile('helm'), words, { cwd: directory, stdio: 'pipe', env: environmentOf(directory) });
      writeChart(join(directory, 'greeter'));
      helm('package', 'greeter', '--destination', 'charts');
      helm('repo', 'index', 'charts');
      registry = await startRegistry(directory);
      helm('push', 'charts/greeter-1.2.0.tgz', `oci://${registry.host}/charts`, '--plain-http');
      const manifests = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: motd\ndata:\n  text: welcome\n';
      repository = await startServer({
        ...Object.fromEntries(
          readdirSync(join(directory, 'charts')).map((file) => [
            `/charts/${file}`,
            (_request, response) => response.end(readFileSync(join(directory, 'charts', file))),
          ]),
        ),
        '/motd.yaml': (_request, response) => response.end(manifests),
        '/moved.yaml': (_request, response) => response.writeHead(302, { location: '/motd.yaml' }).end(),
      });
      writePackage(directory, { registry: registry.host, repository: repository.url });
    });

    afterAll(async () => {
      await registry?.stop();
      await repository?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    it('are not asked for on this machine unless that is allowed', async () => {
      const { exitCode, stderr, stdout } = await run('build', 'shop', '--no-profile');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/error\[source-unreachable\].*127\.0\.0\.1/);
      expect(stderr).toContain('--allow-private');
    });

    it('are rendered, locked, vendored, and rebuilt offline to the same bytes', async () => {
      const built = await run('build', 'shop', '--no-profile', '--allow-private');
      expect(built.stderr).toMatch(/warning\[source-not-pinned\]/);
      expect(built.exitCode).toBe(0);
      for (const name of ['fromregistry', 'fromrepository', 'motd']) expect(built.stdout).toContain(`name: ${name}`);
      expect(built.stdout).toContain('greeting: hello from the registry');

      const vendored = await run('vendor', 'shop', '--no-profile', '--allow-private');
      expect(vendored).toMatchObject({ exitCode: 0, stderr: '' });
      expect(readFileSync(join(directory, 'shop', 'kurel.lock'), 'utf8').match(/sha256: [0-9a-f]{64}/g)).toHaveLength(
        3,
      );

      cpSync(join(directory, 'shop'), join(directory, 'elsewhere', 'shop'), { recursive: true });
      await registry.stop();
      await repository.stop();
      const offline = await run('build', 'elsewhere/shop', '--no-profile', '--offline');
      expect(offline).toEqual({ exitCode: 0, stdout: built.stdout, stderr: '' });
      const checked = await run('validate', 'elsewhere/shop', '--no-profile');
      expect(checked.exitCode).toBe(0);
    });

    it('are refused when their bytes in the package were changed', async () => {
      const vendor = join(directory, 'elsewhere', 'shop', 'vendor');
      const file = readdirSync(vendor).find((name) => name.endsWith('.yaml'));
      writeFileSync(join(vendor, file!), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n');
      const { exitCode, stderr, stdout } = await run('build', 'elsewhere/shop', '--no-profile', '--offline');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain('error[source-changed]');
    });
  });
});

function environmentOf(directory: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: directory,
    HELM_CACHE_HOME: directory,
    HELM_CONFIG_HOME: directory,
    HELM_DATA_HOME: directory,
  };
}

function writeChart(directory: string): void {
  mkdirSync(join(directory, 'templates'), { recursive: true });
  mkdirSync(join(directory, 'crds'));
  writeFileSync(join(directory, 'Chart.yaml'), 'apiVersion: v2\nname: greeter\nversion: 1.2.0\n');
  writeFileSync(join(directory, 'values.yaml'), 'greeting: hello\n');
  writeFileSync(
    join(directory, 'templates', 'config.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  greeting: {{ .Values.greeting }}\n  namespace: {{ .Release.Namespace }}\n',
  );
}

function writePackage(
  directory: string,
  { registry, repository }: { readonly registry: string; readonly repository: string },
): void {
  mkdirSync(join(directory, 'shop'), { recursive: true });
  writeFileSync(
    join(directory, 'shop', 'app.yaml'),
    `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata:
  name: shop
spec:
  components:
  - name: fromregistry
    type: helmchart
    properties:
      delivery: template
      source:
        url: oci://${registry}/charts/greeter
      version: 1.2.0
      values:
        greeting: hello from the registry
  - name: fromrepository
    type: helmchart
    properties:
      delivery: template
      chart: greeter
      version: ^1.0
      source:
        url: ${repository}/charts
  - name: motd
    type: manifests
    properties:
      url: ${repository}/moved.yaml
`,
  );
}
