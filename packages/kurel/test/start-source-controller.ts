import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readModuleDefinitions } from '../../../scripts/schemas/project-definitions.mjs';
import { nameOf } from '../src/kube/index.ts';
import { toolFile } from './render-case.ts';
import { repository } from './source-tree.ts';
import type { ControlPlane } from './start-control-plane.ts';
import { startServer } from './start-server.ts';
import type { Server } from './start-server.ts';
import { freePort, slowStart, waitFor } from './wait-for-server.ts';

/** The source controller of Flux for a cluster on this machine. It keeps and serves artifacts of a directory. */
export async function startSourceController(directory: string, plane: ControlPlane): Promise<Server> {
  await defineSources(plane);
  const [home, storage, temporary] = ['home', 'storage', 'temporary'].map((name) => {
    const path = join(directory, name);
    mkdirSync(path, { recursive: true });
    return path;
  }) as [string, string, string];
  const [files, health, metrics] = [await freePort(), await freePort(), await freePort()];
  const server = startServer(
    toolFile('source-controller'),
    [
      `--storage-path=${storage}`,
      `--storage-addr=127.0.0.1:${files}`,
      `--storage-adv-addr=127.0.0.1:${files}`,
      `--health-addr=127.0.0.1:${health}`,
      `--metrics-addr=127.0.0.1:${metrics}`,
      '--watch-all-namespaces',
      '--log-level=error',
    ],
    // Nothing of this user: no log-ins, proxies or keys.
    { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary, KUBECONFIG: plane.kubeconfig },
  );
  try {
    await waitFor(`http://127.0.0.1:${health}/readyz`, server.failure, slowStart);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

interface Definition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The definitions of the version that is built, which may be older than those that kurel knows. */
async function defineSources({ cluster, url }: ControlPlane): Promise<void> {
  const modules = readFileSync(join(repository, 'test', 'oracles', 'source-controller', 'go.mod'), 'utf8');
  const [, version] = /github\.com\/fluxcd\/source-controller (v\S+)/.exec(modules)!;
  const definitions = readModuleDefinitions(`github.com/fluxcd/source-controller@${version}`, ['config/crd/bases']);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const body of definitions) {
    const name = nameOf(body);
    await cluster.get(path, { method: 'POST', body });
    const isReady = async (): Promise<boolean> => {
      const { status } = await cluster.get<Definition>(`${path}/${name}`);
      return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true;
    };
    await waitFor(`${url}${path}/${name}`, () => undefined, { ...slowStart, isReady });
  }
}
