import { createBudget } from '../budget/index.ts';
import { nearest } from '../diagnostics/index.ts';
import { isJsonObject, stepInto } from '../model/index.ts';
import type { Budget, Diagnostic, Json, Path, Report, Values } from '../model/index.ts';
import { parameterProblems } from './problems.ts';
import { formatReferencePath } from './references.ts';
import type { Reference } from './references.ts';
import { createSubstitution } from './substitute.ts';
import type { LookUp, Substitution, WrittenAt } from './substitute.ts';

/** Looks up references in values without references. */
export function lookUpIn(values: Values, writtenAt?: WrittenAt): LookUp {
  return (reference, report) => {
    const { path } = reference;
    if (path === undefined) {
      report(createNotPath(reference));
      return undefined;
    }
    const walked = walkValues(values, path);
    if ('value' in walked) return { value: walked.value, writtenAt: (inside) => writtenAt?.([...path, ...inside]) };
    report(createUndefinedReference(reference.text, { ...walked, path }));
    return undefined;
  };
}

/** Fills the objects of a package. There, only text that starts with the name of a parameter is a reference: `${HOME}` in a script is not. */
export function createResourceSubstitution(
  { values, writtenAt }: { readonly values: Values; readonly writtenAt?: WrittenAt | undefined },
  { report, budget = createBudget() }: { readonly report: Report; readonly budget?: Budget | undefined },
): Substitution {
  const syntax = { isParameter: (name: string) => Object.hasOwn(values, name) };
  return createSubstitution({ lookUp: lookUpIn(values, writtenAt), report, budget, syntax });
}

/** The value at a path, or how far the path exists. */
export type Walked =
  | { readonly value: Json }
  | { readonly depth: number; /** The value without the next step. */ readonly holder: Json };

export function walkValues(root: Json, path: Path): Walked {
  let value = root;
  for (const [depth, step] of path.entries()) {
    const next = stepInto(value, step);
    if (next === undefined) return { depth, holder: value };
    value = next;
  }
  return { value };
}

/** The finding, without a location, about text between braces that is not a path. */
export function createNotPath({ text }: Reference): Diagnostic {
  return parameterProblems.create('reference-syntax', { reference: text });
}

interface MissingStep {
  readonly path: Path;
  readonly depth: number;
  readonly holder: Json;
  /** Formats a path in the notation between the braces. */
  readonly format?: ((path: Path) => string) | undefined;
  /** The hint if no name is near. */
  readonly advice?: string | undefined;
}

/** The finding, without a location, about a path that does not exist. */
export function createUndefinedReference(reference: string, missing: MissingStep): Diagnostic {
  const { path, depth, holder, format = formatReferencePath, advice } = missing;
  const step = path[depth]!;
  const keys = isJsonObject(holder) ? Object.keys(holder) : [];
  const found = findDotted(path.slice(depth), keys) ?? findWithoutScope(path.slice(depth), holder);
  const near = found === undefined ? nearest(String(step), keys) : undefined;
  const rest = found ?? (near === undefined ? undefined : [near, ...path.slice(depth + 1)]);
  const meant = rest === undefined ? undefined : format([...path.slice(0, depth), ...rest]);
  return parameterProblems.create('reference-undefined', {
    reference,
    near: meant,
    advice: explainBooleanKey(step, holder) ?? advice,
  });
}

/** `x.y.z` if there is a key `x.y`: the steps `x.y` and `z`. The longest such key wins. */
function findDotted(path: Path, keys: readonly string[]): Path | undefined {
  const text = path.join('.');
  const key = keys
    .filter((one) => one.includes('.') && (one === text || text.startsWith(`${one}.`)))
    .reduce<string | undefined>((longest, one) => (one.length > (longest?.length ?? 0) ? one : longest), undefined);
  if (key === undefined) return undefined;
  let length = -1;
  const count = path.findIndex((step) => (length += String(step).length + 1) === key.length) + 1;
  return count < 2 ? undefined : [key, ...path.slice(count)];
}

/** Only in patches, `values.x` and `features.x` are other names for x. */
function findWithoutScope([scope, ...rest]: Path, values: Json): Path | undefined {
  const isFound =
    rest.length > 0 && (scope === 'values' || scope === 'features') && 'value' in walkValues(values, rest);
  return isFound ? rest : undefined;
}

/** Why a key in the file does not exist: YAML 1.1, which Kubernetes uses, reads `n` as `false`, even as a key. */
export function explainBooleanKey(step: string | number, value: Json | undefined): string | undefined {
  const word = String(step).toLowerCase();
  const key = /^(?:y|yes|on)$/.test(word) ? 'true' : /^(?:n|no|off)$/.test(word) ? 'false' : undefined;
  if (key === undefined || !isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
  return `quote the key: "${step}"; YAML reads ${step} as ${key}`;
}
