import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import { formatObject } from '../src/kube/index.ts';
import { canonicalJson, isJsonObject } from '../src/model/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { decodeOutput, toolFile } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { SeedBuild, SeedLayout } from './seed-builds.ts';
import { listFiles } from './source-tree.ts';

/** The objects of a build in the order in which a cluster gets them. */
export async function renderSeedBuild({ files, below, words, layout }: SeedBuild): Promise<readonly KubeObject[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'kurel-seed-'));
  try {
    const workingDirectory = join(scratch, 'input');
    const output = join(scratch, 'output');
    files.copyTo(workingDirectory, below);
    const place = layout === 'stream' ? [] : ['--layout', layout, '--output', `${output}/`];
    const { exitCode, stdout, stderr } = await runProgram(['build', ...words, ...place], { workingDirectory });
    expect(exitCode, stderr).toBe(0);
    return layout === 'stream' ? decodeOutput(stdout) : readers[layout](output);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Which layouts are read by kustomize, for Flux and Argo CD as well as for people. */
export function isKustomized(layout: SeedLayout): boolean {
  return ['phases', 'flux', 'argocd'].includes(layout);
}

const readers: Readonly<Record<Exclude<SeedLayout, 'stream'>, (directory: string) => readonly KubeObject[]>> = {
  phases: (directory) =>
    ['pre-install', 'main', 'post-install'].flatMap((phase) => {
      const path = join(directory, phase);
      return existsSync(path) ? kustomize(path) : [];
    }),
  flux(directory) {
    const kustomizations = kustomize(join(directory, 'kustomizations'));
    return [
      ...kustomizations,
      ...inDependencyOrder(kustomizations).flatMap((path) => kustomize(join(directory, path))),
    ];
  },
  // Array.prototype.toSorted keeps the order within a wave.
  argocd: (directory) => kustomize(directory).toSorted((a, b) => waveOf(a) - waveOf(b)),
  flat: readPlain,
  'by-kind': readPlain,
  'by-resource': readPlain,
};

function kustomize(directory: string): readonly KubeObject[] {
  return decodeOutput(execFileSync(toolFile('kustomize'), ['build', directory], { encoding: 'utf8' }));
}

/** Such a directory has no order, so objects that others depend on are applied first. */
function readPlain(directory: string): readonly KubeObject[] {
  const objects = listFiles(directory, '.yaml').flatMap((path) =>
    decodeOutput(readFileSync(join(directory, path), 'utf8')),
  );
  const first = ['Namespace', 'CustomResourceDefinition'];
  return objects.toSorted((a, b) => Number(first.includes(b.kind)) - Number(first.includes(a.kind)));
}

/** Paths of Flux Kustomizations, each after those that it depends on. */
function inDependencyOrder(kustomizations: readonly KubeObject[]): readonly string[] {
  const paths = new Map<string, string>();
  const visit = (name: string): void => {
    const { spec } = kustomizations.find(({ metadata }) => isJsonObject(metadata) && metadata['name'] === name)!;
    const { dependsOn = [], path } = spec as { dependsOn?: readonly { name: string }[]; path: string };
    for (const other of dependsOn) visit(other.name);
    paths.set(name, path);
  };
  for (const { metadata } of kustomizations) visit((metadata as { name: string }).name);
  return [...paths.values()];
}

function waveOf({ metadata }: KubeObject): number {
  const { annotations } = metadata as { annotations?: Record<string, string> };
  return Number(annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
}

/** What Kubernetes was asked about: an object by name, and a digest of all that it has. */
export function describeObject(object: KubeObject): string {
  const digest = createHash('sha256').update(canonicalJson(object)).digest('hex');
  return `${formatObject(object)} ${digest.slice(0, 12)}`;
}
