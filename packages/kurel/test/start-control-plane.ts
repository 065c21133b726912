import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openCluster } from './cluster-client.ts';
import type { Cluster } from './cluster-client.ts';
import { toolFile } from './render-case.ts';
import { selfSigned } from './self-signed.ts';
import { startServer } from './start-server.ts';
import type { Server } from './start-server.ts';
import { freePort, slowStart, waitFor } from './wait-for-server.ts';

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
  const start = (name: string, flags: readonly string[]): Server => {
    const server = startServer(toolFile('control-plane'), [name, ...flags]);
    started.push(server);
    return server;
  };
  const stop = async (): Promise<void> => {
    cluster.close();
    for (const server of started.toReversed()) await server.stop();
  };
  try {
    const etcd = start('etcd', [
      `--data-dir=${join(directory, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${storage}`,
      `--advertise-client-urls=http://127.0.0.1:${storage}`,
      `--listen-peer-urls=http://127.0.0.1:${peers}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peers}`,
      `--initial-cluster=default=http://127.0.0.1:${peers}`,
      '--unsafe-no-fsync',
      '--log-level=error',
    ]);
    await waitFor(`http://127.0.0.1:${storage}/health`, etcd.failure, slowStart);
    const server = start('kube-apiserver', [
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
    await waitFor(`${url}/readyz`, server.failure, { ...slowStart, isReady: () => cluster.has('/readyz') });
    if (controllers.length > 0) {
      const manager = start('kube-controller-manager', [
        `--kubeconfig=${kubeconfig}`,
        `--controllers=serviceaccount-controller,${controllers.join(',')}`,
        `--service-account-private-key-file=${signingKey}`,
        '--leader-elect=false',
        '--secure-port=0',
      ]);
      // No pod is admitted without the account that one of the controllers creates.
      const account = '/api/v1/namespaces/default/serviceaccounts/default';
      await waitFor(`${url}${account}`, manager.failure, { ...slowStart, isReady: () => cluster.has(account) });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, token, kubeconfig, cluster, stop };
}

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
