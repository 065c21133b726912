import type { ExaminedPackage } from '../../index.ts';
import type { Diagnostic, KubeObject } from '../../model/index.ts';

/** The checks of a package, in the order of the report. */
export const checkNames = [
  'structure',
  'parameters',
  'variables',
  'naming',
  'namespaces',
  'references',
  'dependencies',
  'resources',
] as const;

export type CheckName = (typeof checkNames)[number];

/** Data of the report about a patch package. */
export interface PackageReport extends Pick<ExaminedPackage, 'package' | 'plan'> {
  /** The generated resources; absent if they were not validated. */
  readonly objects?: readonly KubeObject[] | undefined;
  /** Checks that were completed. */
  readonly made: ReadonlySet<CheckName>;
  readonly findings: readonly PlacedFinding[];
}

export interface PlacedFinding {
  /** `plan` and `output` are shown in the lists of patches and resources. */
  readonly check: CheckName | 'plan' | 'output';
  readonly diagnostic: Diagnostic;
}

/** Steps of a validation. The step of a finding and its code determine the check. */
export type Step = 'flags' | 'load' | 'parameters' | 'plan' | 'references' | 'schema' | 'build';

const byCode: Readonly<Record<string, PlacedFinding['check']>> = {
  'patches-exclude': 'plan',
  'namespaces-several': 'output',
  'kinds-not-checked': 'output',
  'namespaces-invalid': 'parameters',
  'object-duplicate': 'naming',
  'namespace-missing': 'namespaces',
  'namespace-not-used': 'namespaces',
  'reference-missing': 'references',
  'port-missing': 'references',
  'selector-without-pods': 'references',
};

const byStep: Readonly<Record<Step, CheckName>> = {
  flags: 'parameters',
  load: 'structure',
  parameters: 'parameters',
  plan: 'dependencies',
  references: 'variables',
  schema: 'parameters',
  build: 'resources',
};

/** The check that a finding is about. */
export function placeFinding(step: Step, diagnostic: Diagnostic): PlacedFinding {
  const { code } = diagnostic;
  if (Object.hasOwn(byCode, code)) return { check: byCode[code]!, diagnostic };
  if (step !== 'load' && code.startsWith('variable-')) return { check: 'variables', diagnostic };
  // Resources are read when the package is built, but are a part of its structure.
  if (step === 'build' && /^(?:yaml|resource|object)-/.test(code)) return { check: 'structure', diagnostic };
  return { check: byStep[step], diagnostic };
}

const order: readonly PlacedFinding['check'][] = [...checkNames, 'plan', 'output'];

/** In the order of the report. */
export function sortFindings(findings: readonly PlacedFinding[]): readonly PlacedFinding[] {
  return order.flatMap((check) => findings.filter((finding) => finding.check === check));
}
