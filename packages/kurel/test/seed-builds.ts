import { join } from 'node:path';

import { applicationSource } from './application-case.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { repository } from './source-tree.ts';

/** A build of a package that the design shows, and the cluster that it is for. */
export interface SeedBuild {
  readonly name: string;
  readonly files: GoldenCase;
  /** The directory of the case that it is built in. */
  readonly below: string;
  /** The words after `kurel build`; a build with a layout is written to a directory. */
  readonly words: readonly string[];
  readonly layout: SeedLayout;
  readonly cluster: SeedCluster;
  /** Objects that Kubernetes refuses, since the text of the design is not valid Kubernetes. */
  readonly refused: readonly string[];
}

/** What a cluster has before the build is applied. */
export interface SeedCluster {
  readonly namespaces?: readonly string[];
  /** Projects whose CustomResourceDefinitions are installed. */
  readonly projects?: readonly string[];
}

export type SeedLayout = 'stream' | 'phases' | 'flux' | 'argocd' | 'flat' | 'by-kind' | 'by-resource';

const cases = join(repository, 'packages', 'kurel', 'test', 'cases');
/** Packages that are in no case. */
const typed = join(repository, 'packages', 'kurel', 'test', 'data', 'seed-packages');
const everyLayout: readonly SeedLayout[] = ['stream', 'phases', 'flux', 'argocd', 'flat', 'by-kind', 'by-resource'];
const flux = { namespaces: ['flux-system'], projects: ['Flux kustomize-controller'] };

/** Clusters of the cases `design-…` that use what they do not create. */
const designClusters: Readonly<Record<string, SeedCluster>> = {
  flux,
  layout: { projects: ['prometheus-operator', 'CloudNativePG'] },
  'namespace-patch-off': { namespaces: ['watching'] },
  parameters: { namespaces: ['monitoring'] },
  ...Object.fromEntries(
    [
      'local',
      'local-disable',
      'local-same-name',
      'processing-order',
      'rejected-dependencies',
      'rejected-includes',
      'rejected-rbac',
      'rejected-tenancy',
      'requires',
      'schema-build',
    ].map((name) => [name, { namespaces: ['apps'] }]),
  ),
};

/** The Deployment and the Service of the multi-namespace example end after their metadata. */
const designRefused: Readonly<Record<string, readonly string[]>> = {
  namespaces: ['monitoring/service.metrics', 'apps/deployment.frontend'],
};

/** Everything that the program builds in the cases `design-…`. */
function listDesignBuilds(): readonly SeedBuild[] {
  return listCases(cases)
    .filter((name) => name.startsWith('design-'))
    .flatMap((name) => {
      const files = openCase(join(cases, name));
      const [command, ...words] = files.read('command').trimEnd().split('\n');
      if (command !== 'build' || !files.read('expected').startsWith('exit 0\n')) return [];
      const example = name.slice('design-'.length);
      return [
        {
          name,
          files,
          below: 'input',
          words: words.filter((word, index) => !isPlace(word) && !isPlace(words[index - 1])),
          layout: layoutOf(words),
          cluster: designClusters[example] ?? {},
          refused: designRefused[example] ?? [],
        },
      ];
    });
}

/** Of the words that say where the files go. */
function isPlace(word: string | undefined): boolean {
  return word === '--output' || word === '--layout';
}

function layoutOf(words: readonly string[]): SeedLayout {
  const layout = words.includes('--layout') ? words[words.indexOf('--layout') + 1] : undefined;
  return (layout as SeedLayout | undefined) ?? (words.includes('--output') ? 'phases' : 'stream');
}

interface Variant {
  readonly name: string;
  readonly words: readonly string[];
  readonly layouts?: readonly SeedLayout[];
  readonly cluster?: SeedCluster;
  readonly refused?: readonly string[];
}

function listVariants(files: GoldenCase, variants: readonly Variant[], below = ''): readonly SeedBuild[] {
  return variants.flatMap(({ name, words, layouts = ['stream'], cluster = {}, refused = [] }) =>
    layouts.map((layout) => ({
      name: layout === 'stream' ? name : `${name} as ${layout}`,
      files,
      below,
      words,
      layout,
      cluster: layout === 'flux' ? joinClusters(cluster, flux) : cluster,
      refused,
    })),
  );
}

function joinClusters(one: SeedCluster, other: SeedCluster): SeedCluster {
  return {
    namespaces: [...new Set([...(one.namespaces ?? []), ...(other.namespaces ?? [])])],
    projects: [...new Set([...(one.projects ?? []), ...(other.projects ?? [])])],
  };
}

const operator = ['prometheus-operator.kurel'];
const production = ['--values', 'prometheus-operator.kurel/examples/production.yaml'];
const patched: readonly Variant[] = [
  { name: 'operator', words: [...operator, '--no-local'], layouts: ['stream', 'phases'] },
  { name: 'operator-production', words: [...operator, '--no-local', ...production], layouts: everyLayout },
  { name: 'operator-local', words: [...operator, ...production], layouts: ['stream', 'phases', 'flux', 'argocd'] },
  {
    name: 'operator-without-persistence',
    words: [...operator, '--no-local', '--set', 'persistence.enabled=false', '--set', 'monitoring.enabled=true'],
  },
];

const spread: readonly Variant[] = [
  { name: 'namespaces', words: ['my-app.kurel'], layouts: ['stream', 'phases', 'flux', 'argocd'] },
  {
    name: 'namespaces-of-others',
    words: ['my-app.kurel', '--set', 'global.namespaces.create=false'],
    cluster: { namespaces: ['apps', 'monitoring'] },
  },
];

const values = ['--values', 'values.yaml'];
const kpatches: readonly Variant[] = [
  { name: 'kpatch', words: ['manifests.yaml', '--patch', 'config.kpatch', ...values] },
  { name: 'kpatch-strategic', words: ['my-app.yaml', '--patch', 'strategic.yaml'] },
  {
    name: 'kpatch-variables',
    words: ['manifests.yaml', '--patch', 'variables.kpatch', ...values, '--feature', 'web_enabled', '--no-validate'],
    refused: ['service.app'],
  },
];

const gatewayApi = { projects: ['Gateway API'] };
const applications: readonly Variant[] = [
  { name: 'application-ingress', words: ['app.yaml', '--profile', 'ingress.yaml'] },
  { name: 'application-gateway', words: ['app.yaml', '--profile', 'gateway.yaml'], cluster: gatewayApi },
];

const controllers = ['Flux source-controller', 'Flux kustomize-controller', 'Flux helm-controller'];
const platform = {
  namespaces: ['flux-system'],
  projects: ['cert-manager', 'external-secrets', 'CloudNativePG', 'Gateway API', ...controllers],
};
const catalog: readonly Variant[] = [
  { name: 'catalog-ingress', words: ['.', '--profile', 'ingress.yaml'], cluster: platform },
  { name: 'catalog-gateway', words: ['.', '--profile', 'gateway.yaml'], layouts: everyLayout, cluster: platform },
];

const issuing = { projects: ['cert-manager'] };
/** The case has a profile; `package` is that of the description of packages, `parameters` that of the description of parameters. */
function packageVariants(name: string, cluster: SeedCluster): readonly Variant[] {
  const build = ['.', '--profile', 'cluster.yaml'];
  const set = ['image=myregistry/app:v1.2.3', 'replicas=3', 'domain=app.example.com'];
  return [
    { name: `${name}-values`, words: [...build, ...values], cluster },
    { name: `${name}-set`, words: [...build, ...set.flatMap((word) => ['--set', word])], cluster },
    {
      name: `${name}-defaults`,
      words: [...build, '--set', 'image=myregistry/app:v1.2.3', '--set', 'domain=app.example.com', '-n', 'shop'],
      cluster: joinClusters(cluster, { namespaces: ['shop'] }),
    },
  ];
}

const packages = ['seed-package', 'seed-parameters'].flatMap((name) => [
  { name: `${name}-ingress`, cluster: issuing },
  { name: `${name}-gateway`, cluster: joinClusters(issuing, gatewayApi) },
]);

/** Examples that use a namespace which they do not create, with `global.namespaces.create` of the design. */
function listCreatingBuilds(): readonly SeedBuild[] {
  return ['design-parameters', 'design-local'].map((name) => {
    const { files, below, words, layout } = listDesignBuilds().find((one) => one.name === name)!;
    const create = ['--set', 'global.namespaces.create=true'];
    return { name: `${name}-create`, files, below, words: [...words, ...create], layout, cluster: {}, refused: [] };
  });
}

/** Every package of the design, with its values, profiles and layouts. */
export const seedBuilds: readonly SeedBuild[] = [
  ...listDesignBuilds(),
  ...listCreatingBuilds(),
  ...listVariants(openCase(join(typed, 'prometheus-operator')), patched),
  ...listVariants(openCase(join(typed, 'namespaces')), spread, 'input'),
  ...listVariants(openCase(join(typed, 'kpatch')), kpatches),
  ...listVariants(openCase(join(typed, 'application')), applications),
  ...listVariants(openCase(join(typed, 'catalog')), catalog),
  ...packages.flatMap(({ name, cluster }) =>
    listVariants(openCase(join(applicationSource, 'cases', name)), packageVariants(name, cluster)),
  ),
];
