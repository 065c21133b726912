import { describe, expect, it } from 'vitest';
import { createRenderContext } from '../../../engine/index.ts';
import type { Diagnostic } from '../../../model/index.ts';
import { memoryFileSystem } from '../../memory-file-system.ts';
import { renderApplicationSource } from '../load-and-render.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
const chart = (name: string): string =>
  `  - {name: ${name}, type: helmchart, properties: {chart: ${name}, version: 1.0.0, source: {url: "https://charts.example.com"}}}\n`;
const profile = `${head}kind: ClusterProfile\nmetadata: {name: p}\nspec: {fluxNamespace: flux-system}\n`;

describe('a source that components share', () => {
  it('is explained by the first of them', async () => {
    const app = `${head}kind: Application\nmetadata: {name: shop}\nspec:\n  components:\n${chart('web')}${chart('api')}`;
    const found: Diagnostic[] = [];
    const application = await renderApplicationSource(
      {
        path: 'shop',
        fileSystem: memoryFileSystem({ 'shop/app.yaml': app, 'cluster.yaml': profile }),
        profile: 'cluster.yaml',
      },
      {},
      createRenderContext({ report: (one) => void found.push(one) }),
    );
    expect(found).toEqual([]);
    const [, , release] = application.made;
    expect(release!.object).toMatchObject({ kind: 'HelmRelease', metadata: { name: 'api' } });
    const decide = (...path: string[]): readonly string[] => {
      const causes = application.causesOf(release!, path);
      return causes === 'unknown' ? [causes] : causes.map((leaf) => [leaf.input, ...leaf.path].join('.'));
    };
    expect(decide('metadata', 'name')).toEqual(['application.spec.components.1.name']);
    expect(decide('metadata', 'namespace')).toEqual(['profile.spec.fluxNamespace']);
    expect(decide('spec', 'chart', 'spec', 'sourceRef', 'name')).toContain('application.spec.components.0.name');
  });
});
