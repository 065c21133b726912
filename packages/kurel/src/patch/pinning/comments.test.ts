import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCases, openCase, readTexts } from '../../../test/golden-case.ts';
import { repository } from '../../../test/source-tree.ts';
import { nameOf, namespaceOf } from '../../kube/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, SourceFile } from '../../model/index.ts';
import { writeJson } from '../../yaml/index.ts';
import { runPatches } from '../../../test/patch/patch-cases.ts';

const directory = join(import.meta.dirname, 'comments', 'cases');
const cases = listCases(directory);

/** Each case also with the line breaks and byte order mark of other editors. */
const forms: readonly (readonly [string, (text: string) => string])[] = [
  ['byte for byte', (text) => text],
  ['with windows line breaks', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
  ['after a byte order mark', (text) => (text === '' || text.startsWith('\uFEFF') ? text : `\uFEFF${text}`)],
];

describe.each(forms)('comments and style survive patches, %s:', (_, save) => {
  it.each(cases)('%s', (name) => {
    const one = openCase(join(directory, name));
    const files = one.list();
    const read = (path: string): SourceFile => ({ path, text: one.read(path) });
    const [base, expected, patch] = files.map(read);
    expect(files).toEqual([base!.path, base!.path.replace('base', 'expected'), patch!.path]);
    const manifests = [{ path: base!.path, text: save(base!.text) }];
    const { texts, diagnostics } = runPatches({ manifests, patches: [patch!] });
    // The only finding allowed is that an object is left out.
    const unexpected = diagnostics.filter(({ code }) => code !== 'object-left-out' && code !== 'yaml-directive');
    expect(unexpected.map(describeFinding)).toEqual([]);
    expect(texts).toEqual([{ path: base!.path, text: save(expected!.text) }]);
  });
});

it('has enough cases', () => {
  expect(cases.length).toBeGreaterThanOrEqual(70);
});

describe('a patch without effect leaves every manifest of the corpus unchanged:', { tags: 'slow' }, () => {
  let manifests: readonly SourceFile[] = [];
  beforeAll(() => {
    manifests = readTexts(join(repository, 'test', 'corpus', 'cases', 'manifests'), /\.ya?ml$/);
  });

  it('an empty file', () => {
    const patches = [{ path: 'empty.kpatch', text: '# nothing\n' }];
    const changed = manifests.filter((source) => {
      const { texts } = runPatches({ manifests: [source], patches });
      return texts.some(({ text }) => text !== source.text);
    });
    expect(changed).toEqual([]);
  });

  it('names that are already set', () => {
    const { changed, patched } = patchEach(manifests, (object) => ({
      patch: { 'metadata.name': nameOf(object), kind: object.kind },
    }));
    expect(changed).toEqual([]);
    expect(patched).toBeGreaterThan(2500);
  });

  it('strategic patches that repeat the objects', () => {
    // A null in a patch removes the field.
    const { changed, patched } = patchEach(manifests, (object) =>
      holdsNull(object) ? undefined : { type: 'strategic', patch: object },
    );
    expect(changed).toEqual([
      // With two items of the same key, such as a port for TCP and UDP, a patch changes the first.
      'cert-manager-1.0/devel/cluster/config/openshift-coredns.yaml',
      'cilium/examples/kubernetes/servicemesh/envoy/test-application-proxy-circuit-breaker.yaml',
      'cilium/examples/kubernetes/servicemesh/envoy/test-application-proxy-loadbalancing.yaml',
      'cilium/examples/kubernetes/servicemesh/envoy/test-application.yaml',
      'gateway-api-1.0/hack/invalid-examples/standard/gateway/duplicate-listeners.yaml',
      'gateway-api-1.6/hack/invalid-examples/standard/gateway/duplicate-listeners.yaml',
      // This manifest is itself a patch and contains $patch.
      'metrics-server/manifests/components/autoscale/patch.yaml',
    ]);
    expect(patched).toBeGreaterThan(2400);
  });
});

/** Manifests whose text changes, findings, and the number of patched objects. */
function patchEach(manifests: readonly SourceFile[], patchOf: (object: KubeObject) => JsonObject | undefined) {
  const changed: string[] = [];
  let patched = 0;
  for (const source of manifests) {
    const { before } = runPatches({ manifests: [source], patches: [] });
    const targets = before.map(targetOf);
    const entries = before.flatMap((object, index) => {
      const target = targets[index]!;
      // Objects with the same name are ambiguous targets.
      const isOne = nameOf(object) !== '' && targets.indexOf(target) === targets.lastIndexOf(target);
      const patch = isOne ? patchOf(object) : undefined;
      return patch === undefined ? [] : [{ target, ...patch }];
    });
    const patches = [{ path: 'patch.yaml', text: writeJson(entries) }];
    const { texts, diagnostics } = runPatches({ manifests: [source], patches });
    patched += entries.length;
    changed.push(...texts.filter(({ text }) => text !== source.text).map(({ path }) => path));
    changed.push(...diagnostics.filter(({ location }) => location?.file === 'patch.yaml').map(describeFinding));
  }
  return { changed, patched };
}

function targetOf(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return `${namespace === '' ? '' : `${namespace}/`}${object.kind.toLowerCase()}.${nameOf(object)}`;
}

function holdsNull(data: Json): boolean {
  return data === null || (typeof data === 'object' && Object.values(data).some(holdsNull));
}

function describeFinding({ severity, code, message }: Diagnostic): string {
  return `${severity}[${code}]: ${message}`;
}
