import { createBudget, getOrAdd, limitFindings } from '../budget/index.ts';
import { describeValue, editTexts, hiddenText, nearest, quote } from '../diagnostics/index.ts';
import { isSecretValue, objectNameOf, secretFieldsOf } from '../kube/index.ts';
import { isJsonObject, isNumber, stepInto, valueAt } from '../model/index.ts';
import type {
  Budget,
  Diagnostic,
  Json,
  JsonObject,
  KubeObject,
  Path,
  Report,
  Severity,
  Subject,
} from '../model/index.ts';
import { isEncryptedPlace } from './encrypted-values.ts';
import { validateProblems } from './problems.ts';

export type ProblemCode = keyof typeof validateProblems.definitions;

export interface FindingPlace extends Omit<Subject, 'object'> {
  readonly severity?: Severity | undefined;
}

/** Points to the first of two that must differ. */
export function firstHere(object: KubeObject, path: Path): NonNullable<Subject['related']> {
  return [{ message: 'the first one is here', object, path }];
}

/** Keeps findings until all checks have run, to report them in the order of the fields. */
export interface ObjectFindings {
  add<Code extends ProblemCode>(object: KubeObject, place: FindingPlace, finding: Finding<Code>): void;
  /** Whether there is an error at exactly this path. */
  hasError(object: KubeObject, path: Path): boolean;
  /** Whether the field at this path is most likely there under a misspelled key, which is reported. */
  hasTypoOf(object: KubeObject, path: Path): boolean;
  /** The number of errors in an object so far. */
  errorsOf(object: KubeObject): number;
  /** Reports everything in the order of the objects and of their fields. */
  flush(objects: readonly KubeObject[], report: Report): void;
}

/** A code and what its message needs. */
export type Finding<Code extends ProblemCode> = readonly [
  code: Code,
  args: Parameters<typeof validateProblems.create<Code>>[1],
];

interface Kept {
  readonly path: Path;
  readonly diagnostic: Diagnostic;
}

/** Codes that the schema and the rules of a kind may both report for the same field. */
const once: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'field-required',
  'field-enum',
  'field-format',
  'list-duplicate',
]);

function isTypoOf({ path, diagnostic }: Kept, required: Path): boolean {
  const name = String(required.at(-1));
  return (
    diagnostic.code === 'field-unknown' &&
    isSamePath(path.slice(0, -1), required.slice(0, -1)) &&
    nearest(String(path.at(-1)), [name]) !== undefined
  );
}

function isSamePath(path: Path, other: Path): boolean {
  return path.length === other.length && path.every((step, index) => step === other[index]);
}

export function createObjectFindings(budget: Budget = createBudget()): ObjectFindings {
  const kept = new Map<KubeObject, Kept[]>();
  const errors = new Map<KubeObject, number>();
  const limit = limitFindings(budget);

  return {
    add(object, { path, at, related = [], severity }, [code, args]) {
      if (isEncryptedPlace(object, { path, at })) return;
      const earlier = kept.get(object) ?? [];
      if (once.has(code) && earlier.some((entry) => entry.diagnostic.code === code && isSamePath(entry.path, path)))
        return;
      // A misspelled key is already reported as unknown, which is enough.
      if (code === 'field-required' && earlier.some((entry) => isTypoOf(entry, path))) return;
      const level = severity ?? validateProblems.definitions[code].severity;
      if (level === 'error') errors.set(object, (errors.get(object) ?? 0) + 1);
      if (!limit.takesNext(code, level)) return;
      const created = validateProblems.create(code, args, {
        subject: { object, path, at, ...(related.length === 0 ? {} : { related }) },
        object: objectNameOf(object),
        ...(severity === undefined ? {} : { severity }),
      });
      const entry = { path, diagnostic: object.kind === 'Secret' ? withoutSecret(created, object, path) : created };
      getOrAdd(kept, object, () => []).push(entry);
    },
    hasError: (object, path) =>
      kept.get(object)?.some((entry) => entry.diagnostic.severity === 'error' && isSamePath(entry.path, path)) === true,
    hasTypoOf: (object, path) => kept.get(object)?.some((entry) => isTypoOf(entry, path)) === true,
    errorsOf: (object) => errors.get(object) ?? 0,
    flush(objects, report) {
      for (const object of kept.size === 0 ? [] : objects) {
        const entries = kept.get(object);
        if (entries === undefined) continue;
        kept.delete(object);
        if (entries.length > 1) {
          const compare = createComparison(object);
          entries.sort((a, b) => compare(a.path, b.path));
        }
        for (const { diagnostic } of entries) report(diagnostic);
      }
      for (const omitted of limit.omitted()) report(omitted);
    },
  };
}

/** Hides the values of a Secret wherever a message quotes them: flags, patches and programs can move a value to any field. */
function withoutSecret(diagnostic: Diagnostic, object: KubeObject, path: Path): Diagnostic {
  const held = heldBy(object);
  const hide = (text: string): string =>
    text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => (held.has(quoted) ? hiddenText : quoted));
  const hidden = editTexts(diagnostic, hide);
  const value = valueAt(object, path);
  if (!isNumber(value) || !isSecretValue(object, path)) return hidden;
  return editTexts(hidden, (text) => text.replaceAll(`got ${describeValue(value)}`, `got ${hiddenText}`));
}

const quotedValues = new WeakMap<KubeObject, ReadonlySet<string>>();

/** Values of a Secret as messages quote them, as they are and decoded. */
function heldBy(object: KubeObject): ReadonlySet<string> {
  return getOrAdd(quotedValues, object, () => {
    const texts = secretFieldsOf(object).flatMap((field) => textsIn(object[field]));
    const held = new Set(texts.flatMap((text) => [text, decodeBase64(text) ?? []].flat()).map(quote));
    // Hiding an empty string would protect nothing and garble many messages.
    held.delete(quote(''));
    return held;
  });
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return isJsonObject(value) ? Object.values(value).filter((entry) => typeof entry === 'string') : [];
}

export function decodeBase64(text: string): string | undefined {
  const bytes = bytesOfBase64(text);
  return bytes && new TextDecoder().decode(bytes);
}

/** `undefined` if it is not base64. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The text of a rule as messages show it. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Compares paths by the order of the fields in an object. */
function createComparison(object: KubeObject): (a: Path, b: Path) => number {
  const positions = new Map<JsonObject, ReadonlyMap<string, number>>();

  /** A missing field sorts first, because it is reported at its parent. */
  function positionIn(value: Json | undefined, step: string | number): number {
    if (typeof step === 'number') return step;
    if (!isJsonObject(value)) return -1;
    const order = getOrAdd(positions, value, () => new Map(Object.keys(value).map((key, index) => [key, index])));
    return order.get(step) ?? -1;
  }

  return (a, b) => {
    let value: Json | undefined = object;
    for (let depth = 0; depth < a.length && depth < b.length; depth += 1) {
      const [step, other]: [Path[number], Path[number]] = [a[depth]!, b[depth]!];
      if (step !== other) return positionIn(value, step) - positionIn(value, other);
      value = stepInto(value, step);
    }
    return a.length - b.length;
  };
}
