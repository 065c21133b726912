import type { OutputFile } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';

export interface Kustomization {
  /** Where the file goes; empty for the root of the output. */
  readonly directory: string;
  /** Lines of comment above everything. */
  readonly notes?: readonly string[];
  readonly resources: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** The file that makes a directory one for kustomize, and so for kubectl, Flux and Argo CD. */
export function writeKustomization({ directory, notes = [], resources, labels = {} }: Kustomization): OutputFile {
  const data = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources,
    // `commonLabels` would go into selectors, too, which cannot be changed once they are in a cluster.
    ...(Object.keys(labels).length === 0 ? {} : { labels: [{ pairs: labels, includeSelectors: false }] }),
  };
  const comment = notes.map((note) => `# ${note}\n`).join('');
  const path = directory === '' ? 'kustomization.yaml' : `${directory}/kustomization.yaml`;
  return { path, text: comment + writeYaml(data) };
}
