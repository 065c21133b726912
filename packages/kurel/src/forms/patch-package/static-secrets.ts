import { hiddenText } from '../../diagnostics/index.ts';
import { isSecretValue } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, TreeEdits, valueAt } from '../../model/index.ts';
import type { Json, Path, Values } from '../../model/index.ts';
import { parametersIn } from '../../parameters/index.ts';
import { wordsOfValue } from '../../provenance/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import type { ExaminedPackage } from './patch-package.ts';
import { listUses } from './schema/list-uses.ts';

type Parts = Pick<ExaminedPackage, 'package' | 'parameters'>;

/**
 * Values of parameters that end up in a Secret, according to the texts of the package: for a package that cannot be rendered, so
 * that nothing is known about its objects.
 */
export function listSecretWords(parts: Parts, store: SchemaStore | undefined): readonly string[] {
  const { parameters } = parts;
  return listSecretParameters(parts, store).flatMap((path) => wordsOfValue(valueInPlaceOf(parameters?.values, path)));
}

/** The value, or what is by mistake in the place of an object around it. */
function valueInPlaceOf(values: Values | undefined, path: Path): Json | undefined {
  const outward = path.map((_, index) => valueAt(values, path.slice(0, path.length - index)));
  const nearest = outward.find((value) => value !== undefined);
  return nearest === outward[0] || !(isJsonArray(nearest) || isJsonObject(nearest)) ? nearest : undefined;
}

/** The values of a package as commands may show them. */
export function hideSecretParameters(values: Values, parts: Parts, store: SchemaStore | undefined): Values {
  const edits = new TreeEdits();
  const paths = listSecretParameters(parts, store).filter((path) => wordsOfValue(valueAt(values, path)).length > 0);
  return paths.reduce<Json>((tree, path) => edits.editAt(tree, path, () => hiddenText), values) as Values;
}

/** Parameters that the texts of a package use for the values of a Secret, and those that these refer to. */
function listSecretParameters({ package: pkg, parameters }: Parts, store: SchemaStore | undefined): readonly Path[] {
  if (pkg === undefined || parameters === undefined) return [];
  const { merged, values } = parameters;
  const secret = new Map<string, Path>();
  for (const { parameter, field } of listUses(pkg, { store, values })) {
    if (field?.kind !== 'Secret') continue;
    // A value may also be in a field of another type by mistake.
    if (isSecretValue({ kind: field.kind }, field.path) || field.path[0] === 'immutable') add(parameter);
  }
  return [...secret.values()];

  function add(path: Path): void {
    const key = JSON.stringify(path);
    if (secret.has(key) || path[0] === 'kurel') return;
    secret.set(key, path);
    const written = valueAt(merged, path);
    if (typeof written === 'string') parametersIn(written).forEach(add);
  }
}
