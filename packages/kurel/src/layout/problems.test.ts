import { describe, expect, it } from 'vitest';
import { formatDiagnostics } from '../diagnostics/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { beginProvenance, createPlaceFinding } from '../provenance/index.ts';
import { locateInYaml } from '../yaml/index.ts';
import { layouts } from './index.ts';
import type { LayoutName, LayoutOptions } from './index.ts';
import { openObjects } from '../../test/layout-cases.ts';
import { asPrinted } from '../../test/format-printed.ts';

interface Settings {
  readonly layout?: LayoutName;
  readonly name?: string;
  readonly options?: LayoutOptions;
}

function findingsOf(text: string, { layout = 'phases', ...settings }: Settings = {}): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const opened = openObjects({ path: 'a.yaml', text });
  const place = createPlaceFinding(beginProvenance(opened));
  const report = (finding: Diagnostic) => void found.push(place(finding)!);
  layouts[layout]({ ...opened, format: 'yaml', report, ...settings });
  return asPrinted(found);
}

function annotated(annotation: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    ${annotation}\n`;
}

const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
const flux = (options: LayoutOptions): Settings => ({ layout: 'flux', name: 'shop', options });

describe('a finding', () => {
  it.each<[string, string, Settings, string, string | undefined]>([
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase: preinstall'),
      {},
      'install-phase of v1 ConfigMap "a" must be one of pre-install, main, post-install, got "preinstall"',
      'did you mean "pre-install"?',
    ],
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase: production'),
      {},
      'install-phase of v1 ConfigMap "a" must be one of pre-install, main, post-install, got "production"',
      undefined,
    ],
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase:'),
      {},
      'install-phase of v1 ConfigMap "a" must be one of pre-install, main, post-install, got null',
      undefined,
    ],
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase: [main]'),
      { layout: 'stream', options: { phased: true } },
      'install-phase of v1 ConfigMap "a" must be one of pre-install, main, post-install, got a list',
      undefined,
    ],
    [
      'phase-wait-invalid',
      annotated('kurel.gokure.dev/wait-for-ready: true'),
      {},
      'wait-for-ready of v1 ConfigMap "a" must be "true" or "false", got true',
      'use "true": annotation values are strings',
    ],
    [
      'phase-wait-invalid',
      annotated('kurel.gokure.dev/wait-for-ready: TRUE!'),
      { layout: 'flat', options: { syncWaves: true } },
      'wait-for-ready of v1 ConfigMap "a" must be "true" or "false", got "TRUE!"',
      undefined,
    ],
    [
      'phase-wait-invalid',
      annotated('kurel.gokure.dev/wait-for-previous: "yes"'),
      {},
      'wait-for-previous of v1 ConfigMap "a" must be "true" or "false", got "yes"',
      undefined,
    ],
    [
      'phase-timeout-invalid',
      annotated('kurel.gokure.dev/timeout: 5 minutes'),
      {},
      'timeout of v1 ConfigMap "a" must be a duration greater than zero, got "5 minutes"',
      'use a duration such as "90s", "5m" or "1h30m"',
    ],
    [
      'phase-timeout-invalid',
      annotated('kurel.gokure.dev/timeout: {minutes: 5}'),
      { layout: 'argocd' },
      'timeout of v1 ConfigMap "a" must be a duration greater than zero, got an object',
      'use a duration such as "90s", "5m" or "1h30m"',
    ],
    [
      'kustomize-nameless',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: a-\n',
      {},
      'v1 ConfigMap named "a-*" has no metadata.name, which kustomize requires',
      'add metadata.name, or write one stream with --output FILE.yaml',
    ],
    [
      'kustomize-duplicate',
      `${plain}---\n${annotated('kurel.gokure.dev/install-phase: pre-install')}`,
      { layout: 'argocd' },
      'duplicate v1 ConfigMap "a"',
      'rename or remove one of them',
    ],
    [
      'kustomize-duplicate',
      `${plain}---\n${plain}  namespace: default\n`,
      {},
      'v1 ConfigMap "a" and v1 ConfigMap "a" in namespace "default" are the same object for kustomize',
      'rename or remove one of them',
    ],
    [
      'kustomize-local-object',
      annotated('config.kubernetes.io/local-config: ""'),
      {},
      'kustomize leaves out v1 ConfigMap "a" because of its annotation "config.kubernetes.io/local-config"',
      'remove the annotation or the object',
    ],
    [
      'kustomize-annotation',
      annotated('config.kubernetes.io/path: a.yaml'),
      {},
      'kustomize removes the annotation "config.kubernetes.io/path" of v1 ConfigMap "a", which it uses internally',
      'remove the annotation',
    ],
    [
      'output-collision',
      `${plain.replace('name: a', 'name: a-b')}  namespace: c\n---\n${plain}  namespace: b-c\n`,
      { layout: 'by-resource' },
      'v1 ConfigMap "a-b" in namespace "c" and v1 ConfigMap "a" in namespace "b-c" would both be written to "configmaps/a-b-c.yaml"',
      'rename one of them, or write one stream with --output FILE.yaml',
    ],
    [
      'output-collision',
      `${plain}---\n${plain.replace('name: a', 'name: A')}`,
      { layout: 'flat' },
      'v1 ConfigMap "a" and v1 ConfigMap "A" would both be written to "configmap-A.yaml"',
      'rename one of them, or write one stream with --output FILE.yaml',
    ],
    [
      'layout-name-missing',
      plain,
      { layout: 'flux' },
      'layout "flux" requires a name for its objects, but the input has none',
      'pass --instance NAME, or use another layout, such as --layout phases',
    ],
    [
      'layout-name-invalid',
      plain,
      { layout: 'flux', name: '../shop' },
      'the name "../shop" must consist of lower-case letters, digits and "-", and start and end with a letter or digit',
      'rename the package, or pass another --instance NAME',
    ],
    [
      'flux-name-too-long',
      plain,
      { layout: 'flux', name: 'a'.repeat(59) },
      `names of Flux objects must have at most 63 characters, got "${'a'.repeat(59)}-main"`,
      'pass a shorter --instance NAME, or shorten the name of the package',
    ],
    [
      'flux-namespace-invalid',
      plain,
      flux({ fluxNamespace: 'Flux' }),
      'the Flux namespace "Flux" must consist of lower-case letters, digits and "-", and start and end with a letter or digit',
      undefined,
    ],
    ...['10', '', '0s', '-10m', '10us', '10m '].map((interval): [string, string, Settings, string, string] => [
      'flux-interval-invalid',
      plain,
      flux({ fluxInterval: interval }),
      `"${interval}" is not a valid Flux interval`,
      'use a duration such as "90s", "10m" or "1h30m"',
    ]),
    ...['', '/etc', '../other', 'a/../..', 'a\\b'].map((path): [string, string, Settings, string, string] => [
      'flux-path-invalid',
      plain,
      flux({ fluxPath: path }),
      `"${path}" is not a valid path inside the Flux source`,
      'use a path relative to the root of the source, such as "./clusters/production"',
    ]),
    ...[
      ['fleet', 'expected KIND/NAME'],
      ['GitRepository/a/b', 'expected KIND/NAME'],
      ['GitRepository/', 'its name must not be empty'],
      ['GitRepository/.apps', 'its name must not be empty'],
      ['Bucket/fleet.', 'its namespace must not be empty'],
    ].map(([source, reason]): [string, string, Settings, string, string] => [
      'flux-source-invalid',
      plain,
      flux({ fluxSource: source }),
      `"${source}" is not a valid Flux source: ${reason}`,
      'use a source such as "GitRepository/fleet" or "OCIRepository/apps.flux-system"',
    ]),
    [
      'flux-source-kind',
      plain,
      flux({ fluxSource: 'GitRepo/fleet' }),
      '"GitRepo/fleet" is not a valid Flux source: unknown kind "GitRepo"',
      'did you mean "GitRepository"?',
    ],
    [
      'flux-source-kind',
      plain,
      flux({ fluxSource: 'HelmChart/fleet' }),
      '"HelmChart/fleet" is not a valid Flux source: unknown kind "HelmChart"',
      'use one of GitRepository, OCIRepository, Bucket, ExternalArtifact',
    ],
  ])('%s', (code, text, settings, message, hint) => {
    const found = findingsOf(text, settings).map((finding) => [finding.code, finding.message, finding.hint]);
    expect(found).toEqual([[code, message, hint]]);
  });

  it('does not hide others: an object with an unknown phase is in phase main', () => {
    const text = `${plain}---\n${annotated('kurel.gokure.dev/install-phase: later')}`;
    expect(findingsOf(text).map(({ code }) => code)).toEqual(['phase-unknown', 'kustomize-duplicate']);
  });

  it('is reported once per annotation, at its location', () => {
    const text = [
      annotated('kurel.gokure.dev/install-phase: later'),
      annotated('kurel.gokure.dev/timeout: soon\n    kurel.gokure.dev/wait-for-ready: maybe').replace(
        'name: a',
        'name: b',
      ),
    ].join('---\n');
    for (const layout of ['phases', 'flux', 'argocd'] as const) {
      const found = findingsOf(text, { layout, name: 'shop', options: { phased: true, syncWaves: true } });
      const printed = formatDiagnostics(found, {
        sources: [{ path: 'a.yaml', text }],
        locate: locateInYaml,
        color: false,
      });
      expect(printed.match(/-->.*/g)).toEqual(['--> a.yaml:6:37', '--> a.yaml:14:38', '--> a.yaml:13:31']);
    }
  });

  it('reports all invalid Flux settings', () => {
    const options = { fluxNamespace: '', fluxInterval: '', fluxPath: '', fluxSource: '' };
    expect(findingsOf(plain, { layout: 'flux', options }).map(({ code }) => code)).toEqual([
      'layout-name-missing',
      'flux-namespace-invalid',
      'flux-interval-invalid',
      'flux-path-invalid',
      'flux-source-invalid',
    ]);
  });

  it('is an error for notes of kustomize that change the object, a warning for others', () => {
    const severities = ['internal.config.kubernetes.io/needsHashSuffix', 'config.kubernetes.io/origin'].map(
      (key) => findingsOf(annotated(`${key}: enabled`))[0]?.severity,
    );
    expect(severities).toEqual(['error', 'warning']);
  });

  it('is none about what kustomize lets pass', () => {
    expect(findingsOf(annotated('config.kubernetes.io/local-config: "false"'))).toEqual([]);
    expect(findingsOf(`${plain}---\n${plain}  namespace: shop\n`)).toEqual([]);
  });

  it('is none about phases where nobody asks for them', () => {
    const text = annotated('kurel.gokure.dev/install-phase: later');
    for (const layout of ['stream', 'flat', 'by-kind', 'by-resource'] as const) {
      expect(findingsOf(text, { layout })).toEqual([]);
    }
  });
});
