import type { Diagnostic, KubeObject, Report } from '../../model/index.ts';
import { applyPatches } from '../../patch/index.ts';
import type { Change, Patch, PatchFile, PatchOptions } from '../../patch/index.ts';

export interface GeneratedPatching {
  readonly files: readonly PatchFile[];
  readonly options: PatchOptions;
  /** What was found when the same files were applied to the objects of the package. */
  readonly found: readonly Diagnostic[];
  readonly report: Report;
}

/**
 * Which Namespaces are missing is known only behind the patches, so those that are made are patched on their own: by the
 * patches that name a Namespace. Tells what is left to tell of both.
 */
export function patchNamespaces(
  generated: readonly KubeObject[],
  { files, options, found, report }: GeneratedPatching,
): { readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] } {
  const named = generated.length === 0 ? [] : files.map(onlyNamespaces).filter(({ patches }) => patches.length > 0);
  const late: Diagnostic[] = [];
  const patched = applyPatches(generated, named, { ...options, report: (diagnostic) => late.push(diagnostic) });
  const targets = new Set(named.flatMap(({ patches }) => patches.map(({ target }) => targetOf(target))));
  const missedAgain = new Set(late.filter(isMiss).map(({ location }) => JSON.stringify(location)));
  // What one of the two has is there.
  const isHit = (diagnostic: Diagnostic): boolean => {
    const target = JSON.stringify(diagnostic.location);
    return isMiss(diagnostic) && targets.has(target) && !missedAgain.has(target);
  };
  const left = found.filter((diagnostic) => !isHit(diagnostic));
  const told = new Set(left.map((diagnostic) => JSON.stringify(diagnostic)));
  for (const diagnostic of left) report(diagnostic);
  for (const diagnostic of late) {
    if (!isMiss(diagnostic) && !told.has(JSON.stringify(diagnostic))) report(diagnostic);
  }
  return patched;
}

function onlyNamespaces(file: PatchFile): PatchFile {
  return { ...file, patches: file.patches.filter(namesNamespace) };
}

function namesNamespace({ target }: Patch): boolean {
  if (target.type === 'header') return /^(?:namespaces?|ns)$/i.test(target.kind.text);
  return target.type === 'text' && /^(?:namespaces?|ns)\./i.test(target.text.text);
}

function targetOf(target: Patch['target']): string | undefined {
  return 'location' in target ? JSON.stringify(target.location) : undefined;
}

function isMiss({ code }: Diagnostic): boolean {
  return code === 'patch-target-not-found' || code === 'patch-no-match';
}
