import type { Diagnostic } from '../model/index.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hiddenText } from './find-secrets.ts';
import { quote } from './quote.ts';

/** Findings without what is hidden in the texts that they are about, for those who print messages by themselves. */
export function hideSecrets(diagnostics: readonly Diagnostic[], options: PlaceOptions): readonly Diagnostic[] {
  const findPlace = createPlaceFinder(options);
  return diagnostics.map((one) => hideWords(one, findPlace));
}

/** The finding without the words that it quotes from what is hidden at its places. */
export function hideWords(
  diagnostic: Diagnostic,
  findPlace: (location: NonNullable<Diagnostic['location']>) => Place,
): Diagnostic {
  const locations = [diagnostic.location, ...(diagnostic.related ?? []).map(({ location }) => location)];
  const secrets = locations.flatMap((location) => {
    const found = location === undefined ? undefined : findPlace(location).found;
    return found === undefined ? [] : found.hidden.map(({ start, end }) => found.source.text.slice(start, end));
  });
  if (secrets.length === 0) return diagnostic;
  const { message, hint, related } = diagnostic;
  return {
    ...diagnostic,
    message: hide(message, secrets),
    ...(hint === undefined ? {} : { hint: hide(hint, secrets) }),
    ...(related === undefined
      ? {}
      : { related: related.map(({ message: text, location }) => ({ message: hide(text, secrets), location })) }),
  };
}

// Shorter words say nothing, and are those of a sentence.
const shortest = 4;

function hide(text: string, secrets: readonly string[]): string {
  const words = secrets.flatMap(wordsOf).toSorted((a, b) => b.length - a.length);
  const bare = words.reduce((rest, word) => (word.length < shortest ? rest : rest.replaceAll(word, hiddenText)), text);
  return bare.replaceAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`/g, (whole, inQuotes?: string, inTicks?: string) => {
    const word = (inQuotes ?? inTicks!).replace(/…$/, '').replace(/^'(.*)'$/s, '$1');
    const isSecret = words.some((secret) => isPartOf(word, withoutReferences(secret)) || isPartOf(secret, word));
    return isSecret ? hiddenText : whole;
  });
}

/** The text as it is written, and as messages quote it. */
function wordsOf(secret: string): readonly string[] {
  const bare = secret.trim().replace(/^(["'])(.*)\1$/s, '$2');
  // A text that begins like an alias or a tag is told without what makes it one.
  return [secret.trim(), bare, bare.replace(/^[*&!|>%@`]+/, ''), quote(bare).slice(1, -1).replace(/…$/, '')];
}

/** What a parameter is called is no secret. */
function withoutReferences(secret: string): string {
  return secret.replaceAll(/\$\{[^}]*\}/g, '\n');
}

function isPartOf(part: string, whole: string): boolean {
  return part.length >= shortest && whole.includes(part);
}
