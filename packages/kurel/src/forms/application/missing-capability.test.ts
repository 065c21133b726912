import { describe, expect, it } from 'vitest';
import {
  build,
  causesOf,
  DiagnosticError,
  Engine,
  ErrMissingCapability,
  memoryFileSystem,
  renderers,
} from '../../index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

function application(trait: string, image = 'nginx:1.25'): string {
  return `${head}kind: Application
metadata: {name: shop}
spec:
  components:
  - name: web
    type: webservice
    properties: {image: "${image}", port: 80}
    traits:
    - ${trait}
`;
}

const expose = '{type: expose, properties: {rules: [{host: a.example.com}]}}';
const scoped = '{type: expose, properties: {scope: inside, rules: [{host: a.example.com}]}}';
const profile = `${head}kind: ClusterProfile
metadata: {name: test}
spec:
  capabilities:
    expose.internal: {rendering: {controllerType: ingress, ingressClassName: nginx}}
`;

async function fail(text: string, file: string | false): Promise<unknown> {
  const fileSystem = memoryFileSystem({ 'shop/app.yaml': text, 'cluster.yaml': profile });
  const engine = new Engine({ renderers: [renderers.application({ fileSystem, path: 'shop', profile: file })] });
  const error = await engine.render().catch((error: unknown) => error);
  return [...causesOf(error)].find((cause) => cause instanceof DiagnosticError);
}

describe('ErrMissingCapability', () => {
  it.each([
    ['no profile', expose, false, 'capability-missing'],
    ['a profile without it', expose, 'cluster.yaml', 'capability-missing'],
    ['a profile without the scope', scoped, 'cluster.yaml', 'capability-scope'],
  ] as const)('is the error with %s', async (_, trait, file, code) => {
    const error = (await fail(application(trait), file)) as ErrMissingCapability;
    expect(error).toBeInstanceOf(ErrMissingCapability);
    expect(error).toMatchObject({ name: 'ErrMissingCapability', missing: [{ code, severity: 'error' }] });
    expect(error.diagnostics).toContain(error.missing[0]);
  });

  it('is not the error of another mistake', async () => {
    const error = await fail(application('{type: scaler, properties: {minReplica: 2}}'), false);
    expect(error).toBeInstanceOf(DiagnosticError);
    expect(error).not.toBeInstanceOf(ErrMissingCapability);
  });

  it('is a finding of a build', async () => {
    const fileSystem = memoryFileSystem({ 'shop/app.yaml': application(expose) });
    const { diagnostics } = await build({ path: 'shop', fileSystem, application: { profile: false } });
    expect(diagnostics.map(({ code }) => code)).toEqual(['capability-missing']);
  });
});
