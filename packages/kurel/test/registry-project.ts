import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Environment } from '../src/cli/environment.ts';
import { applicationFiles, publishPackage } from './publish-package.ts';
import { startProxy } from './recording-proxy.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { startRegistry } from './start-registry.ts';

export const profile = `apiVersion: launcher.gokure.dev/v1alpha1
kind: ClusterProfile
metadata: {name: p}
spec:
  gitopsEngine: fluxcd
  capabilities: {}
`;

export const clusters: readonly string[] = Array.from({ length: 10 }, (_, index) => `c${index}`);

/** Applications of the fleet file. */
export const shop = '    shop: {package: REGISTRY/shop, version: ^1.0.0}';
export const search = '    search: {package: "REGISTRY/search:1.0.0"}';

/** A directory with a fleet file, whose packages are in a registry. */
export interface RegistryProject {
  readonly directory: string;
  readonly write: (path: string, text: string) => void;
  readonly run: (words: readonly string[], options?: Partial<Environment>) => Promise<ProgramOutcome>;
  /** The last line of a build. */
  readonly summary: (...words: readonly string[]) => Promise<string>;
}

export interface PackageRegistry {
  /** The address of the registry itself, which does not count requests. */
  readonly direct: string;
  /** The address that fleet files have. */
  readonly host: string;
  readonly publish: (name: string, files: Readonly<Record<string, string>>) => Promise<string>;
  /** `REGISTRY` in the applications is the registry. Each pair of an application and a cluster is a target. */
  readonly createProject: (applications: string) => RegistryProject;
  /** The requests that some work sends to the registry. */
  readonly requestsIn: (work: () => Promise<unknown>) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** A registry with two versions of `shop` and one of `search`. */
export async function startPackageRegistry(place: string): Promise<PackageRegistry> {
  const registry = await startRegistry(place);
  const proxy = await startProxy(registry.host);
  const publish: PackageRegistry['publish'] = (name, files) =>
    publishPackage({ reference: `oci://${registry.host}/${name}`, files });
  for (const version of ['1.0.0', '1.1.0']) await publish(`shop:${version}`, applicationFiles(version));
  for (const tag of ['1.0.0', 'stable']) await publish(`search:${tag}`, applicationFiles('1.0.0', 'search'));
  return {
    direct: registry.host,
    host: proxy.host,
    publish,
    createProject: (applications) => createProject(applications, { place, host: proxy.host }),
    async requestsIn(work) {
      const before = proxy.requests.length;
      await work();
      return proxy.requests.slice(before);
    },
    async stop() {
      await proxy.stop();
      await registry.stop();
    },
  };
}

function createProject(
  applications: string,
  { place, host }: { readonly place: string; readonly host: string },
): RegistryProject {
  const directory = mkdtempSync(join(place, 'project-'));
  const write = (path: string, text: string): void =>
    writeFileSync(join(directory, path), text.replaceAll('REGISTRY', `oci://${host}`));
  write('profile.yaml', profile);
  write(
    'kurel.fleet.yaml',
    `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {output: "rendered/{cluster}/{app}", profile: profile.yaml}
  clusters: {${clusters.map((name) => `${name}: {}`).join(', ')}}
  applications:
${applications}
  matrix: [{}]
`,
  );
  const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(directory, '.cache') };
  const run: RegistryProject['run'] = (words, options = {}) =>
    runProgram([...words, '--allow-private'], { workingDirectory: directory, variables, ...options });
  return {
    directory,
    write,
    run,
    async summary(...words) {
      const { stderr } = await run(['fleet', 'build', ...words]);
      return stderr.trimEnd().split('\n').at(-1)!;
    },
  };
}
