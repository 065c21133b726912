import { createBudget, locateExhaustion, reportExhaustion } from '../budget/index.ts';
import { didYouMean, escapeControls, nearest, pass, quote, sentence } from '../diagnostics/index.ts';
import { formatApiVersion, formatKind, has, isBuiltInGroup, isSopsEncrypted } from '../kube/index.ts';
import type {
  Budget,
  Diagnostic,
  GroupVersionKind,
  Json,
  KubeObject,
  Location,
  Message,
  Path,
  Report,
  Values,
} from '../model/index.ts';
import { check, createFinding, fieldName, listWords, nearestKind } from '../schema/index.ts';
import type { KindSchema, PendingRules, SchemaNode, SchemaRule, SchemaStore } from '../schema/index.ts';
import { checkPackage } from './check-package.ts';
import { reportEncrypted } from './encrypted-values.ts';
import { createObjectFindings, oneLine } from './findings.ts';
import type { ObjectFindings } from './findings.ts';
import { checkByKind } from './kinds/check-by-kind.ts';
import { checkMetadata } from './kinds/check-metadata.ts';
import type { KindCheck } from './kinds/field-site.ts';
import { severityOfServer } from './kinds/lenient-fields.ts';
import { readSubjects } from './object-table.ts';
import type { Subject } from './object-table.ts';
import { validateProblems } from './problems.ts';
import type { RuleEvaluator, RuleResult } from './rule-evaluator.ts';

export interface ValidateOptions {
  /** Add the CustomResourceDefinitions among the objects with `store.with`. */
  readonly store: SchemaStore;
  /** Findings name fields of objects; `createPlaceFinding` turns them into lines of files. */
  readonly report: Report;
  /** The budget of the run. */
  readonly budget?: Budget | undefined;
  /** Without an evaluator, rules are reported as not checked. */
  readonly rules?: RuleEvaluator | undefined;
  /** The objects are the whole output of a patch package, which has additional findings and some prescribed messages. */
  readonly inPackage?: boolean | undefined;
  /** The parameters of the package that the objects come from, to propose one for a placeholder in an image. */
  readonly parameters?: Values | undefined;
  /** Namespaces that are created outside of the build. */
  readonly namespacesElsewhere?: readonly string[] | undefined;
  /** Objects of the same build that are not checked, but that others may refer to. */
  readonly dropped?: readonly KubeObject[] | undefined;
  /** The objects are only a part of a build, so references are not checked. */
  readonly isPart?: boolean | undefined;
  /** Called now and then with the number of checked objects. */
  readonly onChecked?: ((count: number) => void) | undefined;
}

/**
 * Reports all problems of the objects and of their references, in the order of the objects and of their fields. Returns
 * the objects of which only the metadata was checked, because their kinds have no schema.
 */
export function validateObjects(objects: readonly KubeObject[], options: ValidateOptions): ReadonlySet<KubeObject> {
  const {
    store,
    report,
    inPackage = false,
    namespacesElsewhere = [],
    dropped = [],
    isPart = false,
    onChecked,
    budget = createBudget(),
  } = options;
  const findings = createObjectFindings(budget);
  const subjects = readSubjects(objects, (object) => {
    findings.add(object, { path: ['apiVersion'] }, ['api-version-invalid', { text: object.apiVersion }]);
  });
  const run: Run = {
    store,
    findings,
    budget,
    rules: options.rules,
    parameters: options.parameters,
    minor: Number(store.kubernetesVersion.split('.')[1]),
    notChecked: new Set(),
    kinds: new Map(),
    guesses: { left: mostGuesses },
    withoutSchema: new Map(),
  };
  const exhaustion: Diagnostic[] = [];
  reportExhaustion(
    () => {
      for (const [index, subject] of subjects.entries()) {
        if (onChecked !== undefined && index % 16 === 0) onChecked(index);
        validateSubject(subject, run);
      }
    },
    (diagnostic) => void exhaustion.push(diagnostic),
  );
  const others = readSubjects(dropped, () => undefined);
  const elsewhere = isPart
    ? []
    : checkPackage(subjects, { store, findings, inPackage, namespacesElsewhere, dropped: others });
  findings.flush(objects, report);
  exhaustion.forEach(report);
  // Summaries of all objects come last.
  reportEncrypted(objects, report);
  if (run.withoutSchema.size > 0) report(validateProblems.create('kinds-not-checked', countKinds(run.withoutSchema)));
  if (elsewhere.length > 0) report(validateProblems.create('namespaces-elsewhere', { namespaces: elsewhere }));
  const namespaces = new Set(subjects.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''));
  if (inPackage && !isPart && namespaces.size > 1) {
    report(validateProblems.create('namespaces-several', { count: namespaces.size }));
  }
  return new Set([...run.withoutSchema.values()].flat());
}

function countKinds(objects: Run['withoutSchema']): {
  readonly kinds: readonly string[];
  readonly count: number;
} {
  const kinds = Array.from(objects.keys(), (gvk) => `${gvk.kind} (${formatApiVersion(gvk)})`).toSorted();
  return { kinds, count: [...objects.values()].reduce((sum, { length }) => sum + length, 0) };
}

/** Looking for a similar kind is slow, and no real build has so many unknown kinds. */
const mostGuesses = 500;

interface Run extends Pick<ValidateOptions, 'store' | 'rules' | 'parameters'> {
  readonly findings: ObjectFindings;
  readonly budget: Budget;
  readonly minor: number;
  /** The number of kinds for which a similar name may still be searched. */
  readonly guesses: { left: number };
  readonly notChecked: Set<string>;
  /** Kinds that have no finding of their own to report for each object. */
  readonly kinds: Map<GroupVersionKind, KindSchema | 'not-described'>;
  /** The objects of each kind without a schema. */
  readonly withoutSchema: Map<GroupVersionKind, KubeObject[]>;
}

function validateSubject(subject: Subject, run: Run): void {
  const { object, gvk, pod } = subject;
  const { store, findings, budget, parameters, minor, kinds, withoutSchema } = run;
  // All objects of a kind share one `gvk`, so each kind is looked up once.
  const kind = kinds.get(gvk) ?? findKind(subject, run);
  if (kind === 'not-described') {
    const others = withoutSchema.get(gvk);
    if (others === undefined) withoutSchema.set(gvk, [object]);
    else others.push(object);
  }
  if (kind === 'not-described' || (kind !== undefined && kind.deprecation === undefined)) kinds.set(gvk, kind);
  const kindCheck = { object, gvk, pod, findings, budget, minor, parameters };
  if (kind === 'not-described') {
    // All kinds have the same metadata, so it is checked even without a schema.
    if (!has(object, 'metadata')) return;
    checkFields({ object, schema: store.objectMeta(), isBuiltIn: true, findings, budget }, 'metadata');
    checkMetadata(kindCheck, undefined);
    return;
  }
  if (kind === undefined) return;
  const isBuiltIn = isBuiltInGroup(gvk.group);
  const pending = checkFields({ object, schema: kind.schema, isBuiltIn, findings, budget });
  checkMetadata(kindCheck, kind.scope);
  checkByKind(kindCheck);
  // A rule would see the encrypted texts.
  if (pending.length > 0 && findings.errorsOf(object) === 0 && !isSopsEncrypted(object)) {
    checkRules(subject, pending, run);
  }
}

interface FieldCheck extends Pick<KindCheck, 'object' | 'findings' | 'budget'> {
  readonly schema: SchemaNode;
  readonly isBuiltIn: boolean;
}

/** Checks an object, or one of its fields, against its schema, and returns the rules to evaluate if there are no errors. */
export function checkFields(
  { object, schema, isBuiltIn, findings, budget }: FieldCheck,
  field?: string,
): readonly PendingRules[] {
  return check(field === undefined ? object : object[field]!, schema, {
    source: { noun: 'field', whole: field ?? escapeControls(object.kind), isBuiltIn },
    budget,
    path: field === undefined ? undefined : [field],
    locate: (path) => ({ object, path }),
    report({ finding, path, at, severity: usual, related }) {
      const actual = isBuiltIn ? severityOfServer(object, finding[0], path) : undefined;
      if (actual === 'none') return;
      const places = related === undefined ? undefined : [{ ...related, object }];
      findings.add(object, { path, at, severity: actual ?? usual, related: places }, finding);
    },
  });
}

/** The API server evaluates rules only on objects that match their schema, so fields are checked first. */
function checkRules(subject: Subject, pending: readonly PendingRules[], run: Run): void {
  const { object, gvk } = subject;
  const kind = formatKind(gvk);
  for (const { node, rules, path, value } of pending) {
    for (const rule of rules) {
      const result = locateExhaustion(
        () => run.rules?.evaluate(rule, value, node) ?? withoutEvaluator,
        () => ({ object, path }),
      );
      if (result.verdict === 'not-checked') {
        const key = `${kind} ${rule.rule}`;
        const args = { rule: oneLine(rule.rule), kind, reason: result.reason };
        // Each rule is reported once per run.
        if (!run.notChecked.has(key)) run.findings.add(object, { path, at: 'key' }, ['rule-not-checked', args]);
        run.notChecked.add(key);
      }
      if (result.verdict === 'fails') {
        const place = placeOf(path, rule);
        const field = place.length === 0 ? object.kind : fieldName(place);
        const args = { field, message: result.message, rule: oneLine(rule.rule) };
        run.findings.add(object, { path: place, at: 'key' }, ['rule-failed', args]);
      }
    }
  }
}

const withoutEvaluator: RuleResult = { verdict: 'not-checked', reason: 'there is no rule evaluator' };

/** `fieldPath` is relative to the field with the rule: `.spec.x` or `.spec['x.y']`. */
function placeOf(path: Path, { fieldPath }: SchemaRule): Path {
  if (fieldPath === undefined) return path;
  const steps = Array.from(
    fieldPath.matchAll(/\.([A-Za-z_][\w-]*)|\['([^']*)'\]/g),
    ([, plain, quoted]) => plain ?? quoted!,
  );
  return [...path, ...steps];
}

/**
 * Finds the schema of a kind, and reports deprecated, removed and most likely misspelled kinds. A custom kind without a schema is
 * `not-described`: all of them are reported together.
 */
function findKind({ object, gvk }: Subject, run: Run): KindSchema | 'not-described' | undefined {
  const { store, findings } = run;
  const schema = store.find(gvk);
  const kind = formatKind(gvk);
  const version = store.kubernetesVersion;
  if (object.apiVersion.startsWith('/')) {
    const args = { text: object.apiVersion, usual: gvk.version };
    findings.add(object, { path: ['apiVersion'] }, ['api-version-spelling', args]);
  }
  if (schema !== undefined) {
    if (schema.deprecation !== undefined) {
      findings.add(object, { path: ['apiVersion'] }, ['kind-deprecated', { kind, version, ...schema.deprecation }]);
    }
    return schema;
  }
  const removed = store.removed(gvk);
  if (removed !== undefined) {
    findings.add(object, { path: ['apiVersion'] }, ['kind-removed', { kind, version, ...removed }]);
    return undefined;
  }
  const isBuiltIn = isBuiltInGroup(gvk.group);
  const advice = adviseKind(gvk, run);
  if (!isBuiltIn && advice === undefined) return 'not-described';
  const isOtherVersion = store.addedIn(gvk) !== undefined || store.versionsOf(gvk).length > 0;
  findings.add(object, { path: [isOtherVersion ? 'apiVersion' : 'kind'], severity: isBuiltIn ? 'error' : undefined }, [
    'kind-unknown',
    { kind, isBuiltIn, advice },
  ]);
  return undefined;
}

/** The newest ones that a hint lists. */
const mostVersions = 10;

function adviseKind(gvk: GroupVersionKind, { store, guesses }: Run): Message | undefined {
  const added = store.addedIn(gvk);
  if (added !== undefined)
    return sentence`it exists from Kubernetes ${added} on, but this build is for ${store.kubernetesVersion}: ${pass('kubernetesVersion')}`;
  const versions = store.versionsOf(gvk);
  if (versions.length > 0) {
    const names = versions
      .slice(0, mostVersions)
      .map((version) => quote(formatApiVersion({ group: gvk.group, version })));
    return `use apiVersion ${listWords(names, 'or')}`;
  }
  if (guesses.left === 0) return undefined;
  guesses.left -= 1;
  const near = nearestKind(store, gvk);
  // A custom kind may have a name like a known one, so its group has to be similar too.
  const isMeant =
    near !== undefined &&
    (isBuiltInGroup(gvk.group) || near.group === gvk.group || nearest(gvk.group, [near.group]) !== undefined);
  return didYouMean(isMeant ? formatKind(near) : undefined);
}

export interface PartCheck {
  readonly schema: SchemaNode;
  /** Of the part in the document of its author. */
  readonly path: Path;
  /** Paths start at the root of that document. */
  readonly found: (path: Path, createAt: (locate: (path: Path) => Location) => Diagnostic) => void;
  /** A number or boolean as the author wrote it. */
  readonly writtenAt?: ((path: Path, value: number | bigint | boolean) => string | undefined) | undefined;
}

/** Checks a part of an object that does not exist yet, such as the `env` of a container that is created later. */
export function checkPart(value: Json, { schema, path, found: reportPart, writtenAt }: PartCheck): void {
  check(value, schema, {
    path,
    source: { noun: 'field', whole: 'the document', isBuiltIn: true, writtenAt },
    // The schemas of Kubernetes have few and short patterns.
    budget: createBudget(),
    report: (finding) => reportPart(finding.path, (locate) => createFinding(finding, locate)),
  });
}
