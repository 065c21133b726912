import type { Budget, Path, Report, Values } from '../../model/index.ts';
import {
  createNotPath,
  createResolver,
  createSubstitution,
  createUndefinedReference,
  formatReferencePath,
  parseTemplate,
  walkValues,
} from '../../parameters/index.ts';
import type { LookUp, Substitution } from '../../parameters/index.ts';
import type { Variables } from '../application.ts';

/** Fills the references of patches. Without variables every string stays as it is. */
export function createPatchSubstitution(
  variables: Variables | undefined,
  { report, budget }: { readonly report: Report; readonly budget: Budget },
): Substitution {
  if (variables === undefined) return identity;
  const lookUp = variables.scope === 'alone' ? lookUpAlone(variables, budget) : lookUpInPackage(variables);
  return createSubstitution({ lookUp, report, budget });
}

const identity: Substitution = {
  parse: parseTemplate,
  fillText: ({ text }) => text,
  fillValue: ({ text }) => ({ value: text }),
  fillTree: (data) => ({ data, isComplete: true, spots: [], spotAt: () => undefined, writtenPath: (path) => path }),
};

/** Values of patches that stand alone may refer to one another; everything that is wrong is reported at the patch. */
function lookUpAlone({ values, features = {}, writtenAt }: Variables, budget: Budget): LookUp {
  const root = { values, features };
  let reportAtPatch: Report;
  const resolver = createResolver(root, {
    report: (diagnostic) => reportAtPatch(diagnostic),
    locate: () => undefined,
    maxDepth: Infinity,
    writtenAt: ([first, ...path]) => (first === 'values' ? writtenAt?.(path) : undefined),
    isScalarOnly: true,
    adviceFor: ([first]) => explainScopes(first, { values, features }),
    budget,
  });
  return (reference, report) => {
    reportAtPatch = report;
    return resolver.lookUp(reference, report);
  };
}

function explainScopes(
  first: Path[number] | undefined,
  { values, features }: { readonly values: Values; readonly features: Values },
): string | undefined {
  if (first !== 'values' && first !== 'features') return 'references begin with values. or features.';
  if (first === 'features') return Object.keys(features).length === 0 ? 'give it with --feature' : undefined;
  return Object.keys(values).length === 0 ? 'give it with --set or --values' : undefined;
}

/** Parameters of a package are resolved before they get here: what looks like a reference in them is a literal string. */
function lookUpInPackage({ values, writtenAt, hasDottedNames = false }: Variables): LookUp {
  return (reference, report) => {
    const { text, path } = reference;
    if (path === undefined) {
      report(createNotPath(reference));
      return undefined;
    }
    const [first] = path;
    // `values.x` and `features.x` are other names of the parameter x, unless there are parameters of these names.
    const isAlias = (first === 'values' || first === 'features') && path.length > 1 && !Object.hasOwn(values, first);
    const own = isAlias ? path.slice(1) : path;
    const steps = hasDottedNames ? joinName(own, values) : own;
    const walked = walkValues(values, steps);
    if ('value' in walked) return { value: walked.value, writtenAt: (inside) => writtenAt?.([...steps, ...inside]) };
    const format = isAlias ? (meant: Path): string => formatReferencePath([first, ...meant]) : formatReferencePath;
    report(createUndefinedReference(text, { ...walked, path: steps, format }));
    return undefined;
  };
}

/** `a.b.c` → `a.b` and `c` where there is a parameter `a.b`; the longest name wins. */
function joinName(path: Path, values: Values): Path {
  for (let length = path.length; length > 1; length -= 1) {
    const steps = path.slice(0, length);
    const name = steps.join('.');
    if (Object.hasOwn(values, name) && steps.every((step) => typeof step === 'string'))
      return [name, ...path.slice(length)];
  }
  return path;
}
