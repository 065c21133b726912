import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SeedCluster } from './seed-builds.ts';
import { repository } from './source-tree.ts';

/** What Kubernetes' own code said about the builds, by name. */
export interface SeedVerdicts {
  readonly kubernetes: string;
  readonly builds: Readonly<Record<string, SeedVerdict>>;
}

/** Objects as `describeObject` describes them, in the order in which they were created. */
export interface SeedVerdict {
  /** What the cluster had: namespaces, and the modules of the definitions. */
  readonly cluster: readonly string[];
  readonly accepted: readonly string[];
  /** With the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** Asks Kubernetes again, and writes down what it says. */
export const command = 'UPDATE_CASES=1 npm run ci:full -- seed-packages';

const file = join(repository, 'packages', 'kurel', 'test', 'data', 'seed-packages', 'verdicts.json');

export function readSeedVerdicts(): SeedVerdicts {
  return JSON.parse(readFileSync(file, 'utf8')) as SeedVerdicts;
}

export function writeSeedVerdicts(verdicts: SeedVerdicts): void {
  writeFileSync(file, `${JSON.stringify(verdicts, undefined, 1)}\n`);
}

/** The release whose code the oracle is made of. */
export function kubernetesVersion(): string {
  const module = readFileSync(join(repository, 'test', 'oracles', 'schema', 'go.mod'), 'utf8');
  return /k8s\.io\/kubernetes v(\S+)/.exec(module)![1]!;
}

interface Manifest {
  readonly projects: readonly { readonly parts: readonly { name: string; module?: string; channel?: string }[] }[];
}

const manifest = join(repository, 'packages', 'kurel', 'schemas', 'manifest.json');
const parts = (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest).projects.flatMap((project) => project.parts);

/** With versions: another version of a definition may refuse what this one takes. */
export function describeCluster({ namespaces = [], projects = [] }: SeedCluster): SeedVerdict['cluster'] {
  const modules = projects.map(
    (name) => parts.find((part) => part.name === name && part.channel !== 'experimental')!.module!,
  );
  return [...namespaces.map((name) => `namespace ${name}`), ...modules];
}
