import { nearest } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Location, Path, Report, Values } from '../../model/index.ts';
import { formatReferencePath, parameterProblems, parseTemplate, wholeReference } from '../../parameters/index.ts';
import type { Reference, Template } from '../../parameters/index.ts';
import { packageProblems } from './problems.ts';

export interface UnreplacedCheck {
  readonly values: Values;
  readonly locate: (path: Path) => Location;
  readonly report: Report;
}

/** Only references to parameters are replaced in resources; what was most probably meant to be one, and stays as it is, is told. */
export function reportUnreplaced(value: Json, check: UnreplacedCheck, path: Path = []): void {
  if (typeof value === 'string') return checkText(value, path, check);
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) reportUnreplaced(item, check, [...path, index]);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, key];
    checkText(key, here, { ...check, locate: (place) => ({ ...check.locate(place), at: 'key' }) });
    reportUnreplaced(inner, check, here);
  }
}

// Other programs have templates with other words, and read them in objects of their own.
const helmTemplate = /^\s*\{\{-?\s*(?:\.(?:Values|Release|Chart|Capabilities)\b|(?:include|template)\s)[^\n]*\}\}\s*$/;

function checkText(text: string, path: Path, check: UnreplacedCheck): void {
  if (helmTemplate.test(text)) {
    check.report(packageProblems.create('resource-template', { text }, { location: check.locate(path) }));
    return;
  }
  if (!text.includes('${')) return;
  const template = parseTemplate(text);
  const unclosed = unclosedIn(template, check);
  if (unclosed !== undefined) {
    const place = { location: check.locate(path), severity: 'warning' as const };
    check.report(parameterProblems.create('reference-unclosed', { text: unclosed }, place));
  }
  for (const part of template.parts) {
    const near = typeof part === 'string' ? undefined : findNear(part, template, check);
    if (near === undefined) continue;
    const args = { reference: (part as Reference).text, near };
    check.report(packageProblems.create('resource-reference-near', args, { location: check.locate(path) }));
  }
}

function unclosedIn({ text, unclosed }: Template, { values }: UnreplacedCheck): string | undefined {
  if (unclosed === undefined) return undefined;
  const rest = text.slice(unclosed);
  const name = /^\$\{\s*([^\s.[\]{}"'$]+)/.exec(rest)?.[1];
  return name !== undefined && Object.hasOwn(values, name) ? rest.split('\n', 1)[0] : undefined;
}

/** Texts of several lines are files with words of their own, and `${HOME}` is one of a shell. */
function findNear({ path }: Reference, template: Template, { values }: UnreplacedCheck): string | undefined {
  const [first, ...rest] = path ?? [];
  if (typeof first !== 'string' || Object.hasOwn(values, first) || template.text.includes('\n')) return undefined;
  if (rest.length === 0 && wholeReference(template) === undefined) return undefined;
  const near = nearest(first, namesNear(first, values), { maxDistance: 1 });
  const isOther = near === undefined || near.toLowerCase() === first.toLowerCase();
  return isOther ? undefined : formatReferencePath([near, ...rest]);
}

/** Parameters that a name may have been meant for. */
type FindNames = (name: string) => readonly string[];

const indexes = new WeakMap<Values, FindNames>();

function namesNear(name: string, values: Values): readonly string[] {
  const find = indexes.get(values) ?? indexNames(Object.keys(values));
  indexes.set(values, find);
  return find(name);
}

// Comparing each reference with each parameter would take minutes for thousands of both.
const mostCompared = 200;

/** Two names with one slip between them are the same with one character taken out of one or both. */
function indexNames(names: readonly string[]): FindNames {
  if (names.length <= mostCompared) return () => names;
  const byVariant = new Map<string, string[]>();
  for (const name of names) {
    for (const variant of variantsOf(name)) {
      const alike = byVariant.get(variant);
      if (alike === undefined) byVariant.set(variant, [name]);
      else if (alike.length < mostCompared) alike.push(name);
    }
  }
  return (name) => variantsOf(name).flatMap((variant) => byVariant.get(variant) ?? []);
}

const longestName = 64;

function variantsOf(name: string): readonly string[] {
  if (name.length > longestName) return [];
  const lower = name.toLowerCase();
  return [lower, ...Array.from(lower, (_, index) => lower.slice(0, index) + lower.slice(index + 1))];
}
