import type { JsonObject, Path, Report } from '../../model/index.ts';
import { parseReferencePath, referencesIn } from '../../parameters/index.ts';
import type { PatchPackage } from './patch-package.ts';
import { createUses, findUnused } from './used-parameters.ts';
import type { Use, UseSources, ValueAt } from './used-parameters.ts';

export interface UnusedCheck extends UseSources {
  readonly report: Report;
}

/** Reports parameters of the package that nothing refers to: setting them has no effect. */
export async function checkUnusedParameters(pkg: PatchPackage, check: UnusedCheck): Promise<void> {
  // An empty package is reported as such.
  if (pkg.resources.length === 0 && pkg.patches.length === 0) return;
  const refused = listRefused(pkg, check);
  const mentioned = createUses([...listMentioned(pkg, check), ...refused]);
  if (findUnusedIn(pkg.layers[0]!.data, mentioned).length === 0) return;
  // Loaded on demand: finding all references parses every file again, and most packages have no unused parameters.
  const { reportUnusedParameters } = await import('./report-unused-parameters.ts');
  reportUnusedParameters(pkg, { ...check, refused });
}

/** Unused parameters. `kurel` and `global` are exempt: kurel reads them, or all packages of a team share them. */
export function findUnusedIn(data: JsonObject, uses: Use): readonly ValueAt[] {
  return Object.entries(data).flatMap(([key, value]) =>
    key === 'kurel' || key === 'global' ? [] : findUnused({ path: [key], value }, uses),
  );
}

// A comment is not a reference. A false match only costs time.
const comment = /(?:^|\s)#.*$/gm;

/** Parameters in the texts of a package, as far as they can be found without parsing YAML. */
function listMentioned(pkg: PatchPackage, { layers, patches }: UnusedCheck): readonly Path[] {
  const texts = [...pkg.resources.map(({ text }) => text), ...textsOfPatches(pkg, patches)];
  const data = [...pkg.layers, ...layers].map((layer) => layer.data);
  const references = referencesIn([
    ...texts.filter((text) => text.includes('${')).map((text) => text.replaceAll(comment, '')),
    ...data,
  ]);
  return references.flatMap(({ path }) => (path === undefined ? [] : [path]));
}

/** Parameters in invalid expressions. They count as used, because the corrected expression uses them. */
function listRefused(pkg: PatchPackage, { patches }: UnusedCheck): readonly Path[] {
  const expressions = referencesIn([...textsOfPatches(pkg, patches)]).filter(({ path }) => path === undefined);
  const words = expressions.flatMap(({ text }) => text.match(/[A-Za-z_][\w.-]*/g) ?? []);
  return words.flatMap((word) => {
    const path = parseReferencePath(word);
    return path === undefined ? [] : [path];
  });
}

function textsOfPatches(pkg: PatchPackage, laidOver: UnusedCheck['patches'] = []): readonly string[] {
  const conditions = pkg.patches.flatMap(({ sidecar }) =>
    typeof sidecar?.enabled === 'string' ? [sidecar.enabled] : [],
  );
  return [...[...pkg.patches.map(({ file }) => file), ...laidOver].map(({ source }) => source.text), ...conditions];
}
