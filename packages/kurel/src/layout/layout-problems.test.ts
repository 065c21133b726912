import { describe, expect, it } from 'vitest';
import { formatDiagnostics } from '../diagnostics/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { beginProvenance, createPlaceFinding } from '../provenance/index.ts';
import { locateInYaml } from '../yaml/index.ts';
import { layouts } from './index.ts';
import type { LayoutName, LayoutOptions } from './index.ts';
import { openObjects } from '../../test/layout-cases.ts';

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
  return found;
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
      'v1 ConfigMap "a" has the install phase "preinstall", which does not exist',
      'did you mean "pre-install"?',
    ],
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase: production'),
      {},
      'v1 ConfigMap "a" has the install phase "production", which does not exist',
      'write one of pre-install, main, post-install',
    ],
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase:'),
      {},
      'v1 ConfigMap "a" has the install phase null, which does not exist',
      'write one of pre-install, main, post-install',
    ],
    [
      'phase-unknown',
      annotated('kurel.gokure.dev/install-phase: [main]'),
      { layout: 'stream', options: { phased: true } },
      'v1 ConfigMap "a" has the install phase a list, which does not exist',
      'write one of pre-install, main, post-install',
    ],
    [
      'phase-wait-invalid',
      annotated('kurel.gokure.dev/wait-for-ready: true'),
      {},
      'v1 ConfigMap "a" has true for wait-for-ready, which is neither "true" nor "false"',
      'values of annotations are texts: write "true"',
    ],
    [
      'phase-wait-invalid',
      annotated('kurel.gokure.dev/wait-for-ready: TRUE!'),
      { layout: 'flat', options: { syncWaves: true } },
      'v1 ConfigMap "a" has "TRUE!" for wait-for-ready, which is neither "true" nor "false"',
      'write "true" or "false"',
    ],
    [
      'phase-timeout-invalid',
      annotated('kurel.gokure.dev/timeout: 5 minutes'),
      {},
      'v1 ConfigMap "a" has "5 minutes" for timeout, which is not a duration above zero',
      'write it as in "90s", "5m" or "1h30m"',
    ],
    [
      'phase-timeout-invalid',
      annotated('kurel.gokure.dev/timeout: {minutes: 5}'),
      { layout: 'argocd' },
      'v1 ConfigMap "a" has a mapping for timeout, which is not a duration above zero',
      'write it as in "90s", "5m" or "1h30m"',
    ],
    [
      'kustomize-nameless',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: a-\n',
      {},
      'kustomize refuses v1 ConfigMap named "a-*"',
      'give it a metadata.name, or write one stream with --output FILE.yaml',
    ],
    [
      'kustomize-duplicate',
      `${plain}---\n${annotated('kurel.gokure.dev/install-phase: pre-install')}`,
      { layout: 'argocd' },
      'v1 ConfigMap "a" is there twice',
      'rename one, or take it out: kustomize refuses to build both',
    ],
    [
      'kustomize-duplicate',
      `${plain}---\n${plain}  namespace: default\n`,
      {},
      'v1 ConfigMap "a" and v1 ConfigMap "a" in namespace "default" are one object',
      'rename one, or take it out: kustomize refuses to build both',
    ],
    [
      'kustomize-local-object',
      annotated('config.kubernetes.io/local-config: ""'),
      {},
      'kustomize leaves out v1 ConfigMap "a" because of its annotation "config.kubernetes.io/local-config"',
      'take the annotation away, or the object',
    ],
    [
      'kustomize-annotation',
      annotated('config.kubernetes.io/path: a.yaml'),
      {},
      'kustomize takes the annotation "config.kubernetes.io/path" of v1 ConfigMap "a" for one of its own, and removes it',
      'take the annotation away',
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
      'the layout "flux" needs a name for its objects, and the input has none',
      'pass --instance NAME, or choose another layout, such as "phases"',
    ],
    [
      'layout-name-invalid',
      plain,
      { layout: 'flux', name: '../shop' },
      'the name "../shop" must have only lower-case letters, digits and "-", and begin and end with a letter or digit',
      'objects and directories are called after it: rename it, or pass another --instance',
    ],
    [
      'flux-name-too-long',
      plain,
      { layout: 'flux', name: 'a'.repeat(59) },
      `Flux takes names of 63 characters at most, and not "${'a'.repeat(59)}-main"`,
      'pass a shorter --instance NAME, or give the package a shorter name',
    ],
    [
      'flux-namespace-invalid',
      plain,
      flux({ fluxNamespace: 'Flux' }),
      'the namespace for Flux, "Flux", must have only lower-case letters, digits and "-", and begin and end with a letter or digit',
      undefined,
    ],
    ...['10', '', '0s', '-10m', '10us', '10m '].map((interval): [string, string, Settings, string, string] => [
      'flux-interval-invalid',
      plain,
      flux({ fluxInterval: interval }),
      `"${interval}" is not an interval that Flux takes`,
      'write it as in "90s", "10m" or "1h30m"',
    ]),
    ...['', '/etc', '../other', 'a/../..', 'a\\b'].map((path): [string, string, Settings, string, string] => [
      'flux-path-invalid',
      plain,
      flux({ fluxPath: path }),
      `"${path}" is not a path inside the source that Flux reads`,
      'write it from the root of the source, as in "./clusters/production"',
    ]),
    ...[
      ['fleet', 'it is not of the form KIND/NAME'],
      ['GitRepository/a/b', 'it is not of the form KIND/NAME'],
      ['GitRepository/', 'its name must not be empty'],
      ['GitRepository/.apps', 'its name must not be empty'],
      ['Bucket/fleet.', 'its namespace must not be empty'],
    ].map(([source, reason]): [string, string, Settings, string, string] => [
      'flux-source-invalid',
      plain,
      flux({ fluxSource: source }),
      `"${source}" names no source for Flux: ${reason}`,
      'write it as in "GitRepository/fleet" or "OCIRepository/apps.flux-system"',
    ]),
    [
      'flux-source-kind',
      plain,
      flux({ fluxSource: 'GitRepo/fleet' }),
      '"GitRepo/fleet" names no source for Flux: it cannot read from "GitRepo"',
      'did you mean "GitRepository"?',
    ],
    [
      'flux-source-kind',
      plain,
      flux({ fluxSource: 'HelmChart/fleet' }),
      '"HelmChart/fleet" names no source for Flux: it cannot read from "HelmChart"',
      'write one of GitRepository, OCIRepository, Bucket, ExternalArtifact',
    ],
  ])('%s', (code, text, settings, message, hint) => {
    const found = findingsOf(text, settings).map((finding) => [finding.code, finding.message, finding.hint]);
    expect(found).toEqual([[code, message, hint]]);
  });

  it('is told once for each annotation, where it stands', () => {
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

  it('tells of everything that is wrong with the settings of Flux', () => {
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
