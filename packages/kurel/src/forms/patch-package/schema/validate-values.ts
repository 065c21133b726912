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
  /** Where the value at a path is set; for a missing value, the nearest location. */
  readonly locate: (path: Path) => Location | undefined;
  /** Maximum number of findings per code. */
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
  adviseMissing: (path) => `set it with --values or --set ${formatReferencePath(path)}=…`,
  most: { steps: mostSteps, depth: deepest },
};

/** Whether resolved values match a schema. Reports the first findings of each code and counts the rest. */
export function validateValues(values: Values, schema: JsonObject, checks: ValueChecks): boolean {
  const { report, locate, budget = createBudget() } = checks;
  const limit = limitFindings(budget);
  let isValid = true;
  check(values, nodeOfSchema(schema), {
    source: { ...source, adviseType: (path, node, value) => adviseText(value, { node, path, location: locate(path) }) },
    budget: createBudget(),
    report(finding) {
      isValid = false;
      // Before anything is looked up, because every value may have a finding.
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

/** Sentences that the specification of `kurel validate` prescribes. */
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

/** How to turn a number or boolean into a string; in `--set`, quotes are part of the value. */
function adviseText(value: Json, { node, path, location }: Given): string | undefined {
  if (node.types?.includes('string') !== true || value === null || typeof value === 'object') return undefined;
  if (location?.file.startsWith('--set[') !== true) return `use quotes: "${value}"`;
  const parameter = formatReferencePath(path);
  // A key with dots is written differently on the command line.
  return `pass it as a string: --set-string${parameter.includes('"') ? '' : ` ${parameter}=${value}`}`;
}
