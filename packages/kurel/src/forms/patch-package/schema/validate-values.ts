import { createBudget, limitFindings } from '../../../budget/index.ts';
import { describeValue, escapeControls } from '../../../diagnostics/index.ts';
import type { Budget, Json, JsonObject, Location, Path, Report, Values } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import { check, createFinding, fits, listWords, valueProblems } from '../../../schema/index.ts';
import type { CheckSource, Mistake, SchemaNode } from '../../../schema/index.ts';
import { nodeOfSchema } from './schema-node.ts';
import { typeOf } from './schema-types.ts';

export interface ValueChecks {
  readonly report: Report;
  /** Where the value at a path was given; the nearest place for one that was not. */
  readonly locate: (path: Path) => Location | undefined;
  /** How many findings of a code are kept. */
  readonly budget?: Pick<Budget, 'findings'> | undefined;
}

// References can make a small schema endless.
const mostSteps = 500_000;
const deepest = 1500;

const source: CheckSource = {
  noun: 'parameter',
  whole: 'the parameters',
  namePath: formatReferencePath,
  prescribe: writePrescribed,
  isLogicDescribing: true,
  adviseMissing: (path) => `give it with --values or --set ${formatReferencePath(path)}=…`,
  most: { steps: mostSteps, depth: deepest },
};

/** Reports everything in which resolved values do not fit a schema, the first findings of a code and a count of the others; whether they do. */
export function validateValues(values: Values, schema: JsonObject, checks: ValueChecks): boolean {
  const { report, locate, budget = createBudget() } = checks;
  const limit = limitFindings(budget);
  let isValid = true;
  check(values, nodeOfSchema(schema), {
    source: { ...source, adviseType: (path, node, value) => adviseText(value, { node, path, location: locate(path) }) },
    budget: createBudget(),
    report(finding) {
      isValid = false;
      // Before anything is looked up: there may be one for every value.
      const [code] = finding.finding;
      if (limit.takesNext(code, valueProblems.definitions[code].severity)) report(createFinding(finding, locate));
    },
  });
  for (const omitted of limit.omitted()) report(omitted);
  return isValid;
}

export function isAccepted(value: Json, schema: Json): boolean {
  return fits(value, nodeOfSchema(schema), { source, budget: createBudget() });
}

const longestPattern = 300;

/** The words that are part of the design of `kurel validate`. */
function writePrescribed({ field, value, types, rule }: Mistake): string | undefined {
  if (types !== undefined) {
    const names = types.map((type) => (type === 'list' ? 'array' : type));
    return `${field}: expected ${listWords(names, 'or')}, got ${typeOf(value)}`;
  }
  if (rule === undefined) return undefined;
  if ('minimum' in rule) return `${field}: ${describeValue(value)} is less than minimum ${rule.minimum}`;
  if ('maximum' in rule) return `${field}: ${describeValue(value)} is greater than maximum ${rule.maximum}`;
  const { pattern } = rule;
  const shown = pattern.length > longestPattern ? `${pattern.slice(0, longestPattern)}…` : pattern;
  return `${field} ${describeValue(value)} doesn't match pattern "${escapeControls(shown)}"`;
}

interface Given {
  readonly node: SchemaNode;
  readonly path: Path;
  readonly location: Location | undefined;
}

/** How to make a string of a number or boolean; quotes are part of a string in `--set`. */
function adviseText(value: Json, { node, path, location }: Given): string | undefined {
  if (node.types?.includes('string') !== true || value === null || typeof value === 'object') return undefined;
  if (location?.file.startsWith('--set[') !== true) return `write it in quotes: "${value}"`;
  const parameter = formatReferencePath(path);
  // A dot in a key is written in another way there.
  return `give it as a string: --set-string${parameter.includes('"') ? '' : ` ${parameter}=${value}`}`;
}
