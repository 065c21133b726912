import { isSecret, isSecretValue } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, SourceFile } from '../model/index.ts';
import type { FieldTrace, ParameterTrace } from './field-trace.ts';
import { canTrace, traceFields } from './field-tree.ts';
import type { Rendering } from './rendering.ts';

// Shorter values carry no secret, and hiding them would hide parts of ordinary sentences.
const shortest = 4;

/** Values of parameters that end up in a Secret. Nothing about another field with such a parameter may show them. */
export function findSecretWords(rendering: Rendering): readonly string[] {
  const traced = parametersOfSecrets(rendering).flatMap(({ value }) => wordsOfValue(value));
  return [...new Set([...traced, ...(rendering.facts.secretWords ?? [])])];
}

/** The strings and numbers in a value that are long enough to be secrets. */
export function wordsOfValue(value: Json | undefined): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(wordsOfValue);
  if (isJsonObject(value)) return Object.values(value).flatMap(wordsOfValue);
  if (value === undefined || value === null || typeof value === 'boolean') return [];
  const word = String(value);
  return word.length < shortest ? [] : [word];
}

/** Texts in which messages hide the values of parameters that end up in a Secret. */
export function markSecrets(sources: readonly SourceFile[], rendering: Rendering): readonly SourceFile[] {
  const secrets = sources.length === 0 ? [] : findSecretWords(rendering);
  return secrets.length === 0 ? sources : sources.map((source) => ({ ...source, secrets }));
}

/** Names of parameters that end up in a Secret. The name of a package is part of many values and no secret. */
export function findSecretParameters(rendering: Rendering): ReadonlySet<string> {
  return new Set(parametersOfSecrets(rendering).map(({ name }) => name));
}

/** Whether the value comes from one of the parameters, at any step. */
export function usesParameters({ steps }: FieldTrace, names: ReadonlySet<string>): boolean {
  return names.size > 0 && steps.some(({ parameters }) => allOf(parameters).some(({ name }) => names.has(name)));
}

function parametersOfSecrets({ objects, provenance }: Rendering): readonly ParameterTrace[] {
  return objects.filter(isSecret).flatMap((object) => {
    const history = provenance.historyOf(object);
    if (!canTrace(object, history)) return [];
    return traceFields(object, history).flatMap(({ path, steps }) =>
      isSecretValue(object, path) ? steps.flatMap(({ parameters }) => allOf(parameters)).filter(isOwn) : [],
    );
  });
}

function isOwn({ name }: ParameterTrace): boolean {
  return !/^(?:values\.)?kurel(?:\.|$)/.test(name);
}

function allOf(parameters: readonly ParameterTrace[]): readonly ParameterTrace[] {
  return parameters.flatMap((parameter) => [parameter, ...allOf(parameter.refersTo)]);
}

/** The number of characters that tell one word from most others. */
const longestKey = 16;

/** More words with the same start are not told apart. */
const mostAlike = 64;

/** Finds out whether a text contains one of the words. Takes as long for many words as for few. */
export function createWordFinder(words: readonly string[]): (text: string) => boolean {
  const byKey = new Map<string, string[]>();
  for (const word of words) {
    const key = word.slice(0, longestKey);
    const alike = byKey.get(key);
    if (alike === undefined) byKey.set(key, [word]);
    else alike.push(word);
  }
  const lengths = [...new Set(Array.from(byKey.keys(), ({ length }) => length))];
  const isAt = (text: string, position: number): boolean =>
    lengths.some((length) => {
      const alike = byKey.get(text.slice(position, position + length)) ?? [];
      return alike.length > mostAlike || alike.some((word) => text.startsWith(word, position));
    });
  return (text) => {
    if (byKey.size === 0) return false;
    for (let position = 0; position < text.length; position += 1) if (isAt(text, position)) return true;
    return false;
  };
}
