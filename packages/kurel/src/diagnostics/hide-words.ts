import type { Diagnostic } from '../model/index.ts';
import { createExcerpt } from './excerpt.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hiddenText } from './find-secrets.ts';
import { quote } from './quote.ts';

type Found = NonNullable<Place['found']>;

/** Redacts secrets in findings, for callers that print messages themselves. */
export function hideSecrets(diagnostics: readonly Diagnostic[], options: PlaceOptions): readonly Diagnostic[] {
  const findPlace = createPlaceFinder(options);
  return diagnostics.map((diagnostic) => hideWords(diagnostic, findPlace));
}

/** The finding without any words it quotes from the secrets at its places. */
export function hideWords(
  diagnostic: Diagnostic,
  findPlace: (location: NonNullable<Diagnostic['location']>) => Place,
): Diagnostic {
  const locations = [diagnostic.location, ...(diagnostic.related ?? []).map(({ location }) => location)];
  const places = locations.flatMap((location) => (location === undefined ? [] : (findPlace(location).found ?? [])));
  const hidden = places.flatMap((place) => place.hidden.map(({ start, end }) => place.source.text.slice(start, end)));
  if (hidden.length === 0) return diagnostic;
  const hide = createHiding(hidden, places);
  const { parts: _, ...rest } = diagnostic;
  const { message, hint, related } = rest;
  // The parts could have the secrets, too.
  return {
    ...rest,
    message: hide(message),
    ...(hint === undefined ? {} : { hint: hide(hint) }),
    ...(related === undefined
      ? {}
      : { related: related.map(({ message: text, location }) => ({ message: hide(text), location })) }),
  };
}

// Shorter words reveal nothing and occur in ordinary sentences.
const shortest = 4;

function createHiding(hidden: readonly string[], places: readonly Found[]): (text: string) => string {
  const words = [...new Set(hidden.flatMap(wordsOf))]
    .filter(({ length }) => length >= shortest)
    .toSorted((a, b) => b.length - a.length);
  const secrets = words.map((word) => ({ word, bare: withoutReferences(word) }));
  let excerpts: readonly string[] | undefined;
  const isShown = (word: string): boolean => {
    excerpts ??= places.map((place) => createExcerpt(place).text);
    return excerpts.some((excerpt) => excerpt.includes(word));
  };
  const isSecret = (part: string): boolean =>
    secrets.some(
      ({ word, bare }) =>
        part.includes(word) ||
        // A part that the secret shares with a visible name nearby reveals nothing.
        (part.length >= shortest && bare.includes(part) && (part === bare || !isShown(part))),
    );
  return (text) =>
    words
      .reduce((rest, word) => rest.replaceAll(word, hiddenText), text)
      .replaceAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`/g, (whole, inQuotes?: string, inTicks?: string) => {
        const part = (inQuotes ?? inTicks!).replace(/…$/, '').replace(/^'(.*)'$/s, '$1');
        return isSecret(part) || isSecret(decode(part)) ? hiddenText : whole;
      });
}

/** The text as written, as decoded, and as messages quote it. */
function wordsOf(secret: string): readonly string[] {
  const written = secret.trim();
  const bare = written.replace(/^(["'])(.*)\1$/s, '$2');
  const meant = [...new Set([bare, decode(bare), bare.replaceAll("''", "'")])];
  return [
    written,
    ...meant,
    // A string that starts like an alias or a tag is reported without that first character.
    bare.replace(/^[*&!|>%@`]+/, ''),
    ...meant.map((text) => quote(text).slice(1, -1).replace(/…$/, '')),
  ];
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The decoded content of a double-quoted string, as far as its escapes are visible. */
function decode(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(0010[\da-fA-F]{4}|000[\da-fA-F]{5})|(.))/g,
    (_, two?: string, four?: string, eight?: string, character?: string) => {
      const code = two ?? four ?? eight;
      return code === undefined
        ? (controls[character!] ?? character!)
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}

/** The name of a parameter is not a secret. */
function withoutReferences(secret: string): string {
  return secret.replaceAll(/\$\{[^}]*\}/g, '\n');
}
