import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, Location, Path, Report, Values } from '../model/index.ts';
import { type Growth, longestText, mostGrowth } from './growth.ts';
import { lookUpParameter } from './look-up-parameter.ts';
import { parameterProblems } from './problems.ts';
import { respelling } from './respelling.ts';
import { parseTemplate, wholeReference } from './template.ts';
import type { Reference, Template } from './template.ts';
import type { WrittenAt } from './written-parameters.ts';

export interface FillOptions {
  /** Resolved: what looks like a reference in them is text. */
  readonly values: Values;
  /** Shared by the documents of one package. */
  readonly growth?: Growth | undefined;
  readonly report: Report;
  readonly locate: (path: Path) => Location;
  /** What the value that is put in the place of a whole text becomes there; itself unless said. */
  readonly adapt?: ((value: Json, path: Path, reference: Reference) => Json) | undefined;
  /** Without it nobody knows, and nothing is told, when a number is spelled otherwise in a text. */
  readonly writtenAt?: WrittenAt | undefined;
  /** Told of every reference that was replaced: where, and to which parameter. */
  readonly onReference?: ((path: Path, reference: Reference) => void) | undefined;
}

/**
 * A document with its references to parameters replaced, typed where one is a whole value. Only what begins with the name of
 * a parameter is a reference: `${HOME}` in a script stays as it is.
 */
export function fillDocument(data: Json, options: FillOptions): Json {
  return mayRefer(data) ? fill(data, [], options) : data;
}

/** Most documents have no references at all, and looking for them costs less than keeping track of where one would be. */
function mayRefer(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (isJsonArray(value)) return value.some(mayRefer);
  if (!isJsonObject(value)) return false;
  for (const key of Object.keys(value)) if (key.includes('${') || mayRefer(value[key]!)) return true;
  return false;
}

function fill(value: Json, path: Path, options: FillOptions): Json {
  if (typeof value === 'string') return value.includes('${') ? fillText(value, path, options) : value;
  if (isJsonArray(value)) {
    const items = value.map((item, index) => fill(item, [...path, index], options));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const name = key.includes('${') ? fillKey(key, [...path, key], options) : key;
    const filled = fill(inner, [...path, key], options);
    isChanged ||= name !== key || filled !== inner;
    return [name, filled];
  });
  if (!isChanged) return value;
  const filled = new Map<string, Json>();
  for (const [index, key] of Object.keys(value).entries()) {
    const [name, inner] = entries[index]!;
    if (filled.has(name)) {
      const location = options.locate([...path, key]);
      options.report(parameterProblems.create('variable-key-twice', { key, name }, { location }));
    }
    filled.set(name, inner);
  }
  return Object.fromEntries(filled);
}

function fillText(text: string, path: Path, options: FillOptions): Json {
  const template = parseTemplate(text);
  if (!template.parts.some((part) => typeof part !== 'string' && isOurs(part, options))) {
    return unescape(text, options.values);
  }
  const whole = wholeReference(template);
  if (whole !== undefined) {
    const value = valueOf(whole, path, options);
    return value === undefined ? text : (options.adapt?.(value, path, whole) ?? value);
  }
  return interpolate(template, path, options);
}

/** A key is text, whatever stands in it. */
function fillKey(key: string, path: Path, options: FillOptions): string {
  return interpolate(parseTemplate(key), path, options);
}

function isOurs({ path }: Reference, { values }: FillOptions): boolean {
  return typeof path?.[0] === 'string' && Object.hasOwn(values, path[0]);
}

function interpolate({ parts, text }: Template, path: Path, options: FillOptions): string {
  let from = 0;
  let filled = '';
  for (const part of parts) {
    if (typeof part === 'string' || !isOurs(part, options)) continue;
    filled += unescape(text.slice(from, part.range.start), options.values);
    from = part.range.end;
    const value = valueOf(part, path, options);
    if (value === undefined) continue;
    if (typeof value !== 'object') {
      const args = respelling(part, value, options.writtenAt);
      if (args !== undefined) {
        options.report(parameterProblems.create('parameter-respelled', args, { location: options.locate(path) }));
      }
      // A text that is too long is not made any longer: there is an end to what can be held.
      if (filled.length <= longestText) filled += String(value);
    } else {
      const found = value === null ? 'null' : isJsonArray(value) ? 'a list' : 'a mapping';
      const place = { location: options.locate(path) };
      options.report(parameterProblems.create('variable-not-scalar', { variable: part.text, found }, place));
    }
  }
  const whole = filled + unescape(text.slice(from), options.values);
  if (filled.length <= longestText) return whole;
  const variable = parts.find((part) => typeof part !== 'string' && isOurs(part, options)) as Reference;
  const args = { variable: variable.text, limit: longestText };
  options.report(parameterProblems.create('variable-too-large', args, { location: options.locate(path) }));
  return '';
}

/** `$${name}` is only in need of an escape, and so only one, where `${name}` would be a reference. */
function unescape(text: string, values: Values): string {
  return text.replaceAll(/\$(\$\{\s*([^\s.[\]{}"'$]+))/g, (whole: string, rest: string, name: string) =>
    Object.hasOwn(values, name) ? rest : whole,
  );
}

function valueOf(reference: Reference, path: Path, options: FillOptions): Json | undefined {
  options.onReference?.(path, reference);
  const value = lookUpParameter(reference, options.values, (diagnostic) =>
    options.report({ ...diagnostic, location: options.locate(path) }),
  );
  if (value === undefined || options.growth === undefined || options.growth.add(value)) return value;
  const args = { variable: reference.text, limit: mostGrowth };
  throw new DiagnosticError([
    parameterProblems.create('variables-too-large', args, { location: options.locate(path) }),
  ]);
}
