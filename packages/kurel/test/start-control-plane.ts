import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openCluster } from './cluster-client.ts';
import type { Cluster } from './cluster-client.ts';
import { toolFile } from './render-case.ts';
import { selfSigned } from './self-signed.ts';
import { freePort, waitFor } from './wait-for-server.ts';

export interface ControlPlane {
  /** `https://127.0.0.1:41234` */
  readonly url: string;
  /** A bearer token of an administrator. */
  readonly token: string;
  /** The path of a file for programs that are clients, with the URL, the certificate and the token. */
  readonly kubeconfig: string;
  readonly cluster: Cluster;
  readonly stop: () => Promise<void>;
}

export interface ControlPlaneOptions {
  /** The controllers to run, by the names of kube-controller-manager, such as `job-controller`. Without any, it is not started. */
  readonly controllers?: readonly string[];
}

/** A real cluster without nodes on this machine: etcd, the API server and controllers, which keep everything below a directory. */
export async function startControlPlane(
  directory: string,
  { controllers = [] }: ControlPlaneOptions = {},
): Promise<ControlPlane> {
  mkdirSync(directory, { recursive: true });
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const [storage, peers, port] = [await freePort(), await freePort(), await freePort()];
  const token = randomBytes(16).toString('hex');
  const { key, cert } = selfSigned();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = file('accounts.key', String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  const url = `https://127.0.0.1:${port}`;
  const cluster = openCluster({ url, token, certificate: cert });
  const kubeconfig = file('kubeconfig.json', JSON.stringify(describeCluster(url, token, cert)));
  const started: Server[] = [];
  const stop = async (): Promise<void> => {
    cluster.close();
    for (const server of started.toReversed()) await server.stop();
  };
  try {
    const etcd = startServer('etcd', [
      `--data-dir=${join(directory, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${storage}`,
      `--advertise-client-urls=http://127.0.0.1:${storage}`,
      `--listen-peer-urls=http://127.0.0.1:${peers}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peers}`,
      `--initial-cluster=default=http://127.0.0.1:${peers}`,
      '--unsafe-no-fsync',
      '--log-level=error',
    ]);
    started.push(etcd);
    await waitFor(`http://127.0.0.1:${storage}/health`, etcd.failure, { attempts });
    const server = startServer('kube-apiserver', [
      `--etcd-servers=http://127.0.0.1:${storage}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--tls-cert-file=${file('server.crt', cert)}`,
      `--tls-private-key-file=${file('server.key', key)}`,
      `--token-auth-file=${file('tokens.csv', `${token},admin,admin,system:masters\n`)}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${file('accounts.pub', String(publicKey.export({ type: 'spki', format: 'pem' })))}`,
      `--service-account-signing-key-file=${signingKey}`,
      '--service-cluster-ip-range=10.0.0.0/24',
    ]);
    started.push(server);
    await waitFor(`${url}/readyz`, server.failure, { attempts, isReady: () => cluster.has('/readyz') });
    if (controllers.length > 0) {
      const manager = startServer('kube-controller-manager', [
        `--kubeconfig=${kubeconfig}`,
        `--controllers=serviceaccount-controller,${controllers.join(',')}`,
        `--service-account-private-key-file=${signingKey}`,
        '--leader-elect=false',
        '--secure-port=0',
      ]);
      started.push(manager);
      // No pod is admitted without the account that one of the controllers creates.
      const account = '/api/v1/namespaces/default/serviceaccounts/default';
      await waitFor(`${url}${account}`, manager.failure, { attempts, isReady: () => cluster.has(account) });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, token, kubeconfig, cluster, stop };
}

/** One minute and a half, on a machine that is busy. */
const attempts = 1800;

function describeCluster(server: string, token: string, certificate: string): object {
  const authority = Buffer.from(certificate).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  };
}

interface Server {
  /** What it printed last, if it has ended. */
  readonly failure: () => string | undefined;
  readonly stop: () => Promise<void>;
}

function startServer(name: 'etcd' | 'kube-apiserver' | 'kube-controller-manager', flags: readonly string[]): Server {
  const child = spawn(toolFile('control-plane'), [name, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (data: Buffer) => {
    printed = (printed + data.toString()).slice(-10_000);
  });
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  return {
    failure: () => (child.exitCode === null && child.signalCode === null ? undefined : printed),
    stop: async () => {
      // Nothing of it is needed again, and an API server waits for its clients.
      child.kill('SIGKILL');
      await gone;
    },
  };
}
