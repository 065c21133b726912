import type { Location } from '../../model/index.ts';
import { listReferences } from './list-references.ts';
import type { Kustomization } from './scan-kustomization.ts';

export interface KustomizeMessages {
  readonly warnings: readonly string[];
  /** In kustomize's words, on one line. */
  readonly error: string;
}

// Kustomize tries each resource as a file and then as a directory, and tells both failures; the first is the one meant.
const twoAttempts = /^accumulating resources: accumulation err='(.*)': must build at directory: .*$/;

export function readKustomizeMessages(stderr: string): KustomizeMessages {
  const warnings: string[] = [];
  const rest: string[] = [];
  for (const line of stderr.split(/\r?\n/)) {
    const warning = /^#? ?Warning: (.*)$/i.exec(line)?.[1];
    if (warning === undefined) rest.push(line.trim());
    else warnings.push(warning);
  }
  let error = rest
    .join(' ')
    .trim()
    .replace(/^Error: /, '');
  for (let inner = twoAttempts.exec(error); inner !== null; inner = twoAttempts.exec(error)) error = inner[1]!;
  return { warnings, error: error || 'it gives no reason' };
}

/** `'bases' is deprecated …` is about the first kustomization that has the field. */
export function locateWarning(warning: string, kustomizations: readonly Kustomization[]): Location | undefined {
  return locateField(/^'(\w+)' is deprecated/.exec(warning)?.[1], kustomizations);
}

/** Errors name the resource or the field, not the kustomization; the first that has it is taken. */
export function locateError(error: string, kustomizations: readonly Kustomization[]): Location | undefined {
  const resource = /resources from '([^']+)'/.exec(error)?.[1];
  for (const { source, data } of kustomizations) {
    for (const { text, path } of listReferences(data)) {
      if (text === resource) return { file: source.path, document: 0, path };
    }
  }
  const field = error.includes('must specify --enable-helm') ? 'helmCharts' : /unknown field "(\w+)"/.exec(error)?.[1];
  return locateField(field, kustomizations);
}

function locateField(field: string | undefined, kustomizations: readonly Kustomization[]): Location | undefined {
  if (field === undefined) return undefined;
  const owner = kustomizations.find(({ data }) => Object.hasOwn(data, field));
  return owner === undefined ? undefined : { file: owner.source.path, document: 0, path: [field], at: 'key' };
}
