import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { decodeOutput } from './render-case.ts';
import { createOriginTable } from '../src/engine/index.ts';
import type { KubeObject, OriginTable, OutputFile, SourceFile } from '../src/model/index.ts';
import { readObjects } from '../src/forms/read-objects.ts';

/** The objects of a text, with their origins. */
export function openObjects(source: SourceFile): {
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
} {
  const origins = createOriginTable();
  const report = () => {};
  const context = { signal: new AbortController().signal, origins, report };
  const originOf = () => ({ renderer: 'manifests', source: source.path });
  return { objects: readObjects(source, { context, report, originOf }), origins };
}

/** A Flux object is in a file of the same name, and no kustomization. */
export function isKustomization({ path, text }: OutputFile): boolean {
  return /(?:^|\/)kustomization\.yaml$/.test(path) && text.includes('kustomize.config.k8s.io/');
}

/** The directories that kustomize builds; the root is `''`. */
export function kustomizeDirectories(files: readonly OutputFile[]): readonly string[] {
  return files.filter(isKustomization).map(({ path }) => path.replace(/\/?kustomization\.yaml$/, ''));
}

/** The labels that kustomize is to give to the objects of a directory. */
export function labelsOfDirectory(directory: string, files: readonly OutputFile[]): Readonly<Record<string, string>> {
  const file = files.find(({ path }) => path === `${directory}/kustomization.yaml`);
  const [kustomization] = decodeOutput(file?.text ?? '') as readonly { labels?: [{ pairs: Record<string, string> }] }[];
  return kustomization?.labels?.[0].pairs ?? {};
}

/** What the real kustomize makes of each of its directories. */
export function buildWithKustomize(
  kustomize: string,
  files: readonly OutputFile[],
): ReadonlyMap<string, readonly KubeObject[]> {
  const root = mkdtempSync(join(tmpdir(), 'kurel-layout-'));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return new Map(
      kustomizeDirectories(files).map((directory) => {
        const output = execFileSync(kustomize, ['build', join(root, directory)], { encoding: 'utf8', stdio: 'pipe' });
        return [directory, decodeOutput(output)];
      }),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
