import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Diagnostic, Json, Path, Report } from '../../model/index.ts';
import { stepInto } from '../look-up-parameter.ts';
import { formatReferencePath, parseReferencePath } from '../reference-path.ts';
import { isStructure } from './declaration.ts';
import type { ParameterType } from './declaration.ts';
import type { DeclaredValue, DeclaredValues, ValuePart } from './declared-values.ts';
import { describeValue } from './describe-value.ts';
import { declaredProblems } from './problems.ts';

/** What is known of a parameter before it has a value. */
export interface NamedType {
  readonly name: string;
  readonly type?: ParameterType | undefined;
}

/** The parameter that a reference is to, and the way into it. */
interface FoundParameter {
  readonly name: string;
  readonly path: Path;
  readonly type: ParameterType | undefined;
}

/**
 * `admin.user` → the parameter `admin` and the key `user`, where `admin` is declared as a mapping and `admin.user` is not declared
 * itself. `undefined` when there is no such parameter.
 */
export function findParameter(reference: string, declared: readonly NamedType[]): FoundParameter | undefined {
  const { types, structures } = indexOf(declared);
  if (types.has(reference)) return { name: reference, path: [], type: types.get(reference) };
  if (reference === 'name') return { name: reference, path: [], type: 'string' };
  const name = structures.find((one) => reference.startsWith(one) && /[.[]/.test(reference[one.length]!));
  const path = name === undefined ? undefined : parseReferencePath(`x${reference.slice(name.length)}`)?.slice(1);
  return path === undefined ? undefined : { name: name!, path, type: types.get(name!) };
}

interface Index {
  readonly types: ReadonlyMap<string, ParameterType | undefined>;
  /** Names of lists and mappings, the longest first. */
  readonly structures: readonly string[];
}

const indexes = new WeakMap<readonly NamedType[], Index>();

/** Each list of declarations is asked for every reference of an application. */
function indexOf(declared: readonly NamedType[]): Index {
  let index = indexes.get(declared);
  if (index === undefined) {
    const structures = declared.flatMap(({ name, type }) => (isStructure(type) ? [name] : []));
    index = {
      types: new Map(declared.map(({ name, type }) => [name, type])),
      structures: structures.toSorted((a, b) => b.length - a.length),
    };
    indexes.set(declared, index);
  }
  return index;
}

/** The finding, without a place, about a reference to what is not declared. */
export function createUndeclared(reference: string, declared: readonly NamedType[]): Diagnostic {
  const [first = ''] = /^[^.[]*/.exec(reference) ?? [];
  const plain = first === reference ? undefined : indexOf(declared).types.get(first);
  const args = { reference, near: nearestReference(reference, declared), plain: plain && { name: first, type: plain } };
  return declaredProblems.create('placeholder-undeclared', args);
}

/** A declared parameter, or a part of one, that a reference may have been meant to be to. */
export function nearestReference(reference: string, declared: readonly NamedType[]): string | undefined {
  const [first = ''] = /^[^.[]*/.exec(reference) ?? [];
  const names = declared.map(({ name }) => name);
  const near = nearest(reference, [...names, 'name']);
  if (near !== undefined || first === reference || names.includes(first)) return near;
  const around = nearest(first, indexOf(declared).structures);
  return around === undefined ? undefined : `${around}${reference.slice(first.length)}`;
}

/** What a reference stands for. `undefined` when its parameter has no value, or the value has no such part, which is told. */
export function findValue(
  reference: string,
  { declarations, values }: DeclaredValues,
  report?: Report,
): DeclaredValue | undefined {
  const whole = values.get(reference);
  if (whole !== undefined) return whole;
  const { name, path } = findParameter(reference, declarations) ?? { name: reference, path: [] };
  const around = values.get(name);
  if (around === undefined) return undefined;
  let value: Json = around.value;
  for (const [depth, step] of path.entries()) {
    const next = stepInto(value, step);
    if (next === undefined) {
      report?.(createMissing(value, { name, path, depth }));
      return undefined;
    }
    value = next;
  }
  return { ...partOf(around, path, value), name: reference };
}

/** A part of a value, as a value of its own. */
function partOf(around: DeclaredValue, path: Path, value: Json): DeclaredValue {
  return {
    ...around,
    value,
    originAt: (inner) => around.originAt([...path, ...inner]),
    writtenAt: (inner, scalar) => around.writtenAt([...path, ...inner], scalar),
    parts: () =>
      around.parts().flatMap((part): ValuePart[] => {
        const [shorter, longer] = part.path.length < path.length ? [part.path, path] : [path, part.path];
        if (!shorter.every((step, depth) => longer[depth] === step)) return [];
        if (shorter === path) return [{ path: part.path.slice(path.length), value: part.value }];
        return [{ path: [], value: partOf(part.value, path.slice(part.path.length), value) }];
      }),
  };
}

interface MissingStep {
  readonly name: string;
  readonly path: Path;
  /** Of the step that leads nowhere. */
  readonly depth: number;
}

function createMissing(value: Json, { name, path, depth }: MissingStep): Diagnostic {
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  const holder = path.slice(0, depth);
  const step = path[depth]!;
  const near = nearest(String(step), keys);
  return declaredProblems.create('placeholder-key-missing', {
    holder: quote(writeReference(name, holder)),
    step: typeof step === 'number' ? `item ${step}` : quote(step),
    found: isJsonObject(value) ? undefined : describeValue(value),
    near: near === undefined ? undefined : writeReference(name, [...holder, near, ...path.slice(depth + 1)]),
    keys,
  });
}

/** As a person would write it between the braces; the name of a parameter may have dots in it. */
export function writeReference(name: string, path: Path): string {
  return `${name}${formatReferencePath(['x', ...path]).slice(1)}`;
}
