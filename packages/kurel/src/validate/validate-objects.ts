import type { KubeObject, OriginTable, Report } from '../model/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import { checkRules } from './check-rules.ts';
import { checkFields } from './fields/check-fields.ts';
import { createFindings } from './findings.ts';
import type { Findings } from './findings.ts';
import { isBuiltInGroup } from './kinds/built-in-groups.ts';
import { checkByKind } from './kinds/check-by-kind.ts';
import { findKind, nameOfKind } from './kinds/check-kind.ts';
import { checkMetadata } from './kinds/check-metadata.ts';
import { checkPackage } from './check-package.ts';
import { validateProblems } from './problems.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';
import { readSubjects } from './subject.ts';
import type { Subject } from './subject.ts';

export interface ValidateOptions {
  /** Knows the CustomResourceDefinitions among the objects only if it was told (`store.with`). */
  readonly store: SchemaStore;
  readonly origins: OriginTable;
  readonly report: Report;
  /** Without one, every rule that would have to be evaluated is reported as not checked. */
  readonly rules?: RuleEvaluator | undefined;
  /** The objects are all that a patch package gives: some advice is only for its author, and some words are its own. */
  readonly inPackage?: boolean | undefined;
  /** Namespaces that somebody else creates. */
  readonly namespacesElsewhere?: readonly string[] | undefined;
  /** Only what Kubernetes would refuse in each object by itself: the objects are not all there are. */
  readonly onlyErrors?: boolean | undefined;
  /** Told now and then how many have been looked at. */
  readonly onChecked?: ((count: number) => void) | undefined;
}

/**
 * Reports everything that is wrong with the objects and between them: by the order of the objects, and in each by the order
 * of its fields.
 */
export function validateObjects(objects: readonly KubeObject[], options: ValidateOptions): void {
  const {
    store,
    origins,
    report,
    inPackage = false,
    namespacesElsewhere = [],
    onlyErrors = false,
    onChecked,
  } = options;
  const findings = createFindings(origins, { onlyErrors });
  const subjects = readSubjects(objects, (object) => {
    findings.add(object, { path: ['apiVersion'] }, ['api-version-invalid', { text: object.apiVersion }]);
  });
  const run: Run = {
    store,
    findings,
    rules: options.rules,
    minor: Number(store.kubernetesVersion.split('.')[1]),
    notChecked: new Set(),
  };
  for (const [index, subject] of subjects.entries()) {
    if (onChecked !== undefined && index % 16 === 0) onChecked(index);
    validateSubject(subject, run);
  }
  if (!onlyErrors) checkPackage(subjects, { store, findings, inPackage, namespacesElsewhere });
  findings.flush(objects, report);
  const namespaces = new Set(subjects.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''));
  if (inPackage && !onlyErrors && namespaces.size > 1) {
    report(validateProblems.create('namespaces-several', { count: namespaces.size }));
  }
}

interface Run {
  readonly store: SchemaStore;
  readonly findings: Findings;
  readonly rules: RuleEvaluator | undefined;
  readonly minor: number;
  readonly notChecked: Set<string>;
}

function validateSubject({ object, gvk, pod }: Subject, { store, findings, rules, minor, notChecked }: Run): void {
  const kind = findKind({ object, gvk, store, findings });
  if (kind === undefined) return;
  const isBuiltIn = isBuiltInGroup(gvk.group);
  const pending = checkFields({ object, schema: kind.schema, isBuiltIn, findings });
  const check = { object, gvk, findings, minor };
  checkMetadata(check, kind.scope);
  checkByKind(check, pod);
  if (pending.length === 0 || findings.errorsOf(object) > 0) return;
  checkRules({ object, kind: nameOfKind(gvk), findings, evaluator: rules, notChecked }, pending);
}
