import type { FlagDefinition, FlagDefinitions } from './command.ts';

export type Token =
  | {
      readonly kind: 'option';
      readonly name: string;
      /** As the user wrote it. */
      readonly rawName: string;
      readonly value: string | undefined;
      /** Whether the value is part of the word: `--name=value`. */
      readonly inlineValue: boolean | undefined;
    }
  | { readonly kind: 'positional'; readonly value: string }
  | { readonly kind: 'option-terminator' };

/**
 * The words as flags and positionals, right or wrong, as `parseArgs` of Node gives them when it is not strict. That one is part of a
 * module that nothing else of a small build needs.
 */
export function tokensOf(definitions: FlagDefinitions, words: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  const rest = [...words];
  const takesValue = (name: string): boolean =>
    Object.hasOwn(definitions, name) && definitions[name]!.type !== 'switch';
  const addOption = (name: string, rawName: string): void => {
    const value = takesValue(name) ? rest.shift() : undefined;
    tokens.push({ kind: 'option', name, rawName, value, inlineValue: value === undefined ? undefined : false });
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      tokens.push({ kind: 'option-terminator' });
      for (const value of rest) tokens.push({ kind: 'positional', value });
      break;
    }
    if (word.startsWith('--')) {
      // A name has at least one character.
      const end = word.includes('=', 3) ? word.indexOf('=') : undefined;
      const name = word.slice(2, end);
      if (end === undefined) addOption(name, word);
      else tokens.push({ kind: 'option', name, rawName: `--${name}`, value: word.slice(end + 1), inlineValue: true });
    } else if (word.startsWith('-') && word.length > 1) {
      const short = word[1]!;
      const name = longNameOf(definitions, short);
      if (word.length === 2) addOption(name, word);
      else if (takesValue(name)) {
        tokens.push({ kind: 'option', name, rawName: `-${short}`, value: word.slice(2), inlineValue: true });
      } else {
        const group = splitGroup(word, (letter) => takesValue(longNameOf(definitions, letter)));
        for (const part of group.toReversed()) rest.unshift(part);
      }
    } else tokens.push({ kind: 'positional', value: word });
  }
  return tokens;
}

/** `-abc` → `-a`, `-b`, `-c`; the first flag that takes a value has the rest of the word. */
function splitGroup(word: string, takesValue: (letter: string) => boolean): readonly string[] {
  const letters = word.slice(1).split('');
  const valued = letters.findIndex((letter, index) => takesValue(letter) && index < letters.length - 1);
  if (valued === -1) return letters.map((letter) => `-${letter}`);
  return [...letters.slice(0, valued).map((letter) => `-${letter}`), `-${letters.slice(valued).join('')}`];
}

function longNameOf(definitions: FlagDefinitions, short: string): string {
  const isMeant = ([, definition]: readonly [string, FlagDefinition]): boolean => definition.short === short;
  return Object.entries(definitions).find(isMeant)?.[0] ?? short;
}
