import { defineProblems, quote } from '../diagnostics/index.ts';
import { lacksColonSpace } from './char-codes.ts';

interface Word {
  readonly word: string;
}

interface Limit {
  readonly limit: number;
}

/** What two keys that are written differently both are. */
export interface KeyMeaning {
  readonly key: string;
  readonly words: readonly string[];
  /** Those that are another key in quotes. */
  readonly plain: readonly string[];
}

/** A plain scalar that two readers take for different things. */
interface Divergence extends Word {
  /** What kubectl takes it for; a key is always a string. */
  readonly kubectl: string | boolean;
  readonly isKey: boolean;
  /** Further ones in the same text. */
  readonly others: readonly string[];
}

/** What the reader refuses. `word` is always the user's own text, shortened. */
export const yamlProblems = defineProblems({
  'yaml-bad-indentation': {
    severity: 'error',
    summary: 'A line stands at a column that no mapping or list above it has.',
    message: ({ word, column, levels }: Word & { readonly column: number; readonly levels: readonly number[] }) =>
      `${quote(word)} is indented by ${countSpaces(column)}; its neighbours above are indented by ${listSpaces(levels)}`,
    hint: ({ levels }) => `indent it by ${listSpaces(levels)}, or correct the lines above`,
  },
  'yaml-tab-indentation': {
    severity: 'error',
    summary: 'A tab is used as indentation.',
    message: ({ word }: Word) =>
      word === ''
        ? 'a line without content starts with a tab, which kubectl and kustomize refuse'
        : `${quote(word)} is indented with a tab, which YAML does not allow`,
    hint: () => 'replace the tab by spaces',
  },
  'yaml-missing-colon': {
    severity: 'error',
    summary: 'A line in a mapping has no `: ` after its key.',
    message: ({ word }: Word) => `${quote(word)} stands where a key is expected, but no \`:\` and space follow it`,
    hint: ({ word }) =>
      adviseColon(word) ?? `write \`${word}: value\`, or indent the line if it continues the value above`,
  },
  'yaml-missing-comma': {
    severity: 'error',
    summary: 'Two values inside brackets have no comma between them.',
    message: ({ word, close }: Word & { readonly close: string }) =>
      `${quote(word)} stands where \`,\` or \`${close}\` is expected`,
    hint: ({ close }) => `separate the values by a comma, or close the brackets with \`${close}\``,
  },
  'yaml-unquoted-reference': {
    severity: 'error',
    summary: 'A reference `${…}` stands inside brackets without quotes, where its `{` opens a mapping.',
    message: ({ word }: Word) => `${quote(word)} has no quotes, so that inside brackets its \`{\` opens a mapping`,
    hint: ({ word }) => `write it in quotes${word.endsWith('…') ? '' : `: \`${JSON.stringify(word)}\``}`,
  },
  'yaml-unquoted-in-brackets': {
    severity: 'error',
    summary: 'Unquoted text inside brackets has a character that kubectl and kustomize read as something else.',
    message: ({ word, character }: Word & { readonly character: string }) =>
      `inside brackets, kubectl and kustomize do not read \`${character}\` in ${quote(word)} as YAML 1.2 does`,
    hint: ({ character }) =>
      character === ':' ? 'put a space after the colon, or quote the text' : 'put the text in quotes',
  },
  'yaml-missing-value': {
    severity: 'error',
    summary: 'A comma or bracket stands where a value is expected.',
    message: ({ word }: Word) => `${quote(word)} stands where a value is expected`,
    hint: () => 'remove the extra character, or write the value in front of it',
  },
  'yaml-nested-mapping': {
    severity: 'error',
    summary: 'A second `: ` stands in the value of a key.',
    message: ({ word }: Word) =>
      `the value ${quote(word)} has a second \`: \` in it, so it is not clear what the key is`,
    hint: ({ word }) =>
      `quote the value (\`'${word.replaceAll("'", "''")}'\`), or start the inner mapping on its own line`,
  },
  'yaml-key-in-text': {
    severity: 'error',
    summary: 'A key stands where a text that started above goes on.',
    message: ({ word, value }: Word & { readonly value: string; readonly startsLine: boolean }) =>
      `${quote(word)} looks like a key, but by its indentation it continues the text ${quote(value)} above`,
    hint: ({ value, startsLine }) =>
      (startsLine ? adviseColon(value) : undefined) ??
      'indent it like the key above it; if the text above is meant to be a key, put `:` after it',
  },
  'yaml-list-in-line': {
    severity: 'error',
    summary: 'A list starts on the line of its key, or on the line of a document marker, an anchor or a tag.',
    message: ({ word }: Word) => `the list item ${quote(word)} cannot start in the middle of a line`,
    hint: () => 'start the list on its own line, or write it in brackets: `[a, b]`',
  },
  'yaml-list-among-keys': {
    severity: 'error',
    summary: 'A list item stands where a key of a mapping is expected.',
    message: ({ word }: Word) => `the list item ${quote(word)} stands among the keys of a mapping`,
    hint: () => 'give the list a key of its own, or indent it below the key that it belongs to',
  },
  'yaml-unclosed-quote': {
    severity: 'error',
    summary: 'A quoted string has no closing quote.',
    message: ({ quote }: { readonly quote: string }) => `the string has no closing \`${quote}\``,
    hint: ({ quote }) =>
      quote === "'"
        ? "add the closing `'`; inside such a string a quote is written twice: `''`"
        : 'add the closing `"`',
  },
  'yaml-unclosed-bracket': {
    severity: 'error',
    summary: 'A list or mapping in brackets is not closed.',
    message: ({ open, close }: { readonly open: string; readonly close: string }) =>
      `the \`${open}\` has no closing \`${close}\``,
    hint: ({ close }) => `add \`${close}\` at the end of the list or mapping`,
  },
  'yaml-unexpected-character': {
    severity: 'error',
    summary: 'A value starts with a character that has another meaning in YAML.',
    message: ({ word, character }: Word & { readonly character: string }) =>
      `${quote(word)} starts with \`${character}\`, which cannot start an unquoted value`,
    hint: ({ word }) => `quote the value: \`'${word.replaceAll("'", "''")}'\``,
  },
  'yaml-unexpected-text': {
    severity: 'error',
    summary: 'Something follows a value that is already complete.',
    message: ({ word }: Word) => `${quote(word)} follows a value that is already complete`,
    hint: () => 'put it on its own line, remove it, or put quotes around the whole value',
  },
  'yaml-bad-escape': {
    severity: 'error',
    summary: 'A double-quoted string has a backslash sequence that YAML does not know.',
    message: ({ word }: Word) => `${quote(word)} is not an escape sequence of double-quoted strings`,
    hint: () => 'write `\\\\` for a backslash, or use single quotes, in which backslashes stand for themselves',
  },
  'yaml-bad-block-header': {
    severity: 'error',
    summary: 'The line that starts a block of text has something unknown after `|` or `>`.',
    message: ({ word }: Word) => `${quote(word)} is not a valid start of a block of text`,
    hint: () =>
      'after `|` or `>` only `+` or `-` and one digit from 1 to 9 may stand; the text starts on the next line',
  },
  'yaml-bad-block-indentation': {
    severity: 'error',
    summary: 'An empty line at the top of a block of text has more spaces than the first line of text.',
    message: ({ column, expected }: { readonly column: number; readonly expected: number }) =>
      `an empty line at the top of the text has ${countSpaces(column)}, but the first line of the text has ${countSpaces(expected)}`,
    hint: () => 'remove the spaces from the empty line, or say the indentation in the header, for example `|2`',
  },
  'yaml-multi-line-key': {
    severity: 'error',
    summary: 'A key goes over more than one line.',
    message: ({ word }: Word) => `the key ${quote(word)} goes over more than one line`,
    hint: () => 'write the key on one line',
  },
  'yaml-long-key': {
    severity: 'error',
    summary: 'A key is so long that kubectl and kustomize do not find its colon.',
    message: ({ word, limit }: Word & Limit) =>
      `the key ${quote(word)} is longer than ${limit} characters, beyond which kubectl and kustomize do not look for its colon`,
    hint: () => 'shorten it, or write `? ` in front of it and its `:` on the next line',
  },
  'yaml-bad-anchor': {
    severity: 'error',
    summary: 'An anchor, alias or tag is empty, stands twice on one value, or stands where none may stand.',
    message: ({ word }: Word) => `${quote(word)} is not a valid anchor, alias or tag here`,
    hint: () =>
      'a value may have one anchor (`&name`) and one tag, an alias (`*name`) neither; names have letters, digits, `-` and `_`',
  },
  'yaml-unknown-anchor': {
    severity: 'error',
    summary: 'An alias names an anchor that the document does not have before it.',
    message: ({ name }: { readonly name: string; readonly near: string | undefined }) =>
      `the alias ${quote(`*${name}`)} has no anchor ${quote(`&${name}`)} before it in this document`,
    hint: ({ name, near }) =>
      near === undefined
        ? `put \`&${name}\` in front of the value that is meant, or quote the value if a text that starts with \`*\` is meant`
        : `did you mean \`*${near}\`?`,
  },
  'yaml-recursive-alias': {
    severity: 'error',
    summary: 'An alias stands inside the value that its anchor names.',
    message: ({ name }: { readonly name: string }) =>
      `the alias ${quote(`*${name}`)} stands inside the value of ${quote(`&${name}`)}`,
    hint: () => 'a value cannot contain itself; remove the alias or move it out',
  },
  'yaml-duplicate-key': {
    severity: 'error',
    summary: 'A mapping has the same key twice.',
    message: ({ word, meant }: Word & { readonly meant?: KeyMeaning | undefined }) =>
      meant === undefined
        ? `the key ${quote(word)} is already in this mapping`
        : `the keys ${meant.words.map(quote).join(' and ')} are one: both are read as ${quote(meant.key)}`,
    hint: ({ word, meant = { plain: [] } }) => {
      if (word === '<<') return 'merge several mappings with one key: `<<: [*first, *second]`';
      const otherwise = 'remove or rename one of the two';
      const { plain } = meant;
      if (plain.length === 0) return otherwise;
      const pronoun = plain.length === 1 ? 'it' : 'them';
      return `put ${plain.map(quote).join(' and ')} in quotes to keep ${pronoun} as written, or ${otherwise}`;
    },
  },
  'yaml-forbidden-key': {
    severity: 'error',
    summary: 'A mapping has the key `__proto__`, which is not safe to handle as data.',
    message: ({ word }: Word) => `the key ${quote(word)} is not allowed`,
    hint: () => 'use another key; Kubernetes has no field of this name',
  },
  'yaml-key-not-text': {
    severity: 'error',
    summary: 'A key is a list, a mapping or null, which JSON and Kubernetes cannot represent.',
    message: ({ word, kind }: Word & { readonly kind: string }) =>
      `the key ${quote(word)} is ${kind}; keys must be text`,
    hint: () => 'quote the key if a text is meant',
  },
  'yaml-template': {
    severity: 'error',
    summary: 'A template, as those in Helm charts, stands where YAML is expected.',
    message: ({ word }: Word) => `${quote(word)} is a template, as in Helm charts, and not YAML`,
    hint: () =>
      'a chart is built by giving kurel its directory; elsewhere write the value itself, `"${name}"` for a parameter, or quotes around a text that keeps its braces',
  },
  'yaml-number-not-finite': {
    severity: 'error',
    summary: 'A number is infinite or not a number, which JSON and Kubernetes cannot represent.',
    message: ({ word }: Word) => `${quote(word)} is not a finite number`,
    hint: ({ word }) => `quote it if a text is meant: \`'${word}'\``,
  },
  'yaml-merge-not-mapping': {
    severity: 'error',
    summary: 'The value of a merge key `<<` is not a mapping or a list of mappings.',
    message: ({ word }: Word) => `the value ${quote(word)} of \`<<\` is not a mapping or a list of mappings`,
    hint: () => 'merge an alias of a mapping (`<<: *name`), or quote the key if a text is meant',
  },
  'yaml-merge-after-key': {
    severity: 'error',
    summary: 'A merge key stands after a key that it brings too; readers do not agree on which one counts.',
    message: ({ word }: Word) =>
      `\`<<\` brings the key ${quote(word)}, which stands above it: kubectl takes the merged value, kustomize the written one`,
    hint: () => 'put `<<` above the other keys; then the written value counts everywhere',
  },
  'yaml-unknown-tag': {
    severity: 'error',
    summary: 'A value has a tag that has no meaning in Kubernetes manifests.',
    message: ({ word }: Word) => `the tag ${quote(word)} has no meaning here`,
    hint: ({ word }) =>
      word === '!!binary'
        ? 'remove the tag; Kubernetes reads the base64 text itself'
        : 'remove the tag, or quote the value if it starts with `!`',
  },
  'yaml-tag-mismatch': {
    severity: 'error',
    summary: 'A value is not what its tag says.',
    message: ({ word, tag }: Word & { readonly tag: string }) =>
      `${quote(word)} is not what its tag ${quote(tag)} says`,
    hint: () => 'remove the tag or correct the value',
  },
  'yaml-bad-directive': {
    severity: 'error',
    summary: 'A line that starts with `%` is not a directive, or stands where none may stand.',
    message: ({ word }: Word) => `${quote(word)} is not a valid directive here`,
    hint: () => 'remove the line',
  },
  'yaml-directive': {
    severity: 'warning',
    summary: 'A manifest has a directive such as `%YAML 1.1`, which kubectl and kustomize refuse.',
    message: ({ word }: Word) => `kubectl and kustomize refuse the directive ${quote(word)}`,
    hint: () => 'remove the line',
  },
  'yaml-marker-text': {
    severity: 'warning',
    summary: 'In a manifest something follows `---` on its line, which kubectl and kustomize refuse.',
    message: ({ word }: Word) => `${quote(word)} follows \`---\` on the same line, which kubectl and kustomize refuse`,
    hint: () => 'put it on the next line',
  },
  'yaml-marker-return': {
    severity: 'error',
    summary:
      'A carriage return without a line feed is beside `---`, so that kubectl and kustomize do not see the next document.',
    message: () => 'kubectl and kustomize drop the document after this `---`: a single carriage return is beside it',
    hint: () => 'end all lines with a line feed',
  },
  'yaml-double-return': {
    severity: 'error',
    summary: 'Two carriage returns come before a line feed, which kubectl and kustomize read as one line break.',
    message: () => 'kubectl and kustomize read the two carriage returns here as one line break',
    hint: () => 'end the line with one line feed',
  },
  'yaml-marker-unclear': {
    severity: 'error',
    summary:
      'A line of a manifest begins with `---` and goes on without a space: YAML reads text, kubectl and kustomize a separator.',
    message: ({ word }: Word) =>
      `the line ${quote(word)} is text in YAML, but kubectl and kustomize cut the file there`,
    hint: () => 'write `---` on a line of its own; put a key that begins with it in quotes',
  },
  'yaml-bad-document-end': {
    severity: 'error',
    summary: 'Something follows `...` on its line.',
    message: ({ word }: Word) => `${quote(word)} follows the end of the document on the same line`,
    hint: () => 'put it on its own line, after `---`',
  },
  'yaml-missing-document-start': {
    severity: 'error',
    summary: 'A document after `...` does not start with `---`, or `...` ends no document.',
    message: ({ word }: Word) => `no \`---\` starts the document before ${quote(word)}`,
    hint: () => 'write `---` on the line before it, or remove `...`',
  },
  'yaml-control-character': {
    severity: 'error',
    summary: 'The text has a character that YAML does not allow.',
    message: ({ code }: { readonly code: string }) => `the text has the character ${code}, which YAML does not allow`,
    hint: () => 'remove it; in a double-quoted string it can be written as an escape such as `\\x00`',
  },
  'yaml-line-break': {
    severity: 'error',
    summary: 'The text has a character at which kubectl and kustomize end the line: U+0085, U+2028 or U+2029.',
    message: ({ code }: { readonly code: string }) =>
      `kubectl and kustomize end the line at the character ${code}, also inside comments and strings`,
    hint: ({ code }) =>
      `remove it or write a normal line break; to keep it in a string, write \`\\u${code.slice(2).toLowerCase()}\` in double quotes`,
  },
  'yaml-final-break': {
    severity: 'note',
    summary: 'A file ends in a block scalar without a line break: kubectl adds one to the value, kustomize does not.',
    message: () => 'the file ends without a line break: kubectl adds one to this value, kustomize does not',
    hint: () => 'end the file with a line break, or write `|-` or `>-` if the value has none',
  },
  'yaml-kustomize-differs': {
    severity: 'note',
    summary: 'A file has unquoted values that kubectl and kustomize read differently: words such as `yes`, and dates.',
    message: ({ word, kubectl, isKey, others }: Divergence) => {
      const also = others.length === 0 ? '' : `; the same is true of ${listWords(others)} in this file`;
      if (isKey)
        return `kubectl reads the key ${quote(word)} as ${quote(String(kubectl))}, kustomize as it is written${also}`;
      return typeof kubectl === 'string'
        ? `kubectl reads ${quote(word)} as a string, kustomize as a point in time${also}`
        : `kubectl reads ${quote(word)} as ${String(kubectl)}, kustomize as a string${also}`;
    },
    hint: ({ kubectl, isKey }) =>
      isKey || typeof kubectl === 'string'
        ? 'put it in quotes'
        : `write \`${String(kubectl)}\`, or put it in quotes if you mean the string`,
  },
  'yaml-too-deep': {
    severity: 'error',
    summary: 'Mappings and lists stand inside one another more deeply than allowed.',
    message: ({ limit }: Limit) => `mappings and lists are nested more than ${limit} deep`,
    hint: () => 'check for brackets or dashes that were repeated by mistake',
  },
  'yaml-too-many-levels': {
    severity: 'error',
    summary: 'A document has many values that are nested deeply.',
    message: ({ limit }: Limit) =>
      `the document has too many deeply nested values: the sum of their depths is more than ${limit}`,
    hint: () => 'nest large lists and mappings less deeply, or split the document',
  },
  'yaml-too-large': {
    severity: 'error',
    summary: 'A text is larger than allowed.',
    message: ({ length, limit }: Limit & { readonly length: number }) =>
      `the text has ${length} characters; at most ${limit} are read`,
    hint: () => 'split the text into several files',
  },
  'yaml-too-many-documents': {
    severity: 'error',
    summary: 'A text has more documents than allowed.',
    message: ({ limit }: Limit) => `the text has more than ${limit} documents`,
    hint: () => 'split the text into several files',
  },
});

const shownWords = 4;

function listWords(words: readonly string[]): string {
  const shown = words.slice(0, shownWords).map(quote).join(', ');
  return words.length > shownWords ? `${shown} and ${words.length - shownWords} more` : shown;
}

function adviseColon(word: string): string | undefined {
  return lacksColonSpace(word) ? `put a space after the colon: \`${word.replace(':', ': ')}\`` : undefined;
}

function listSpaces(counts: readonly number[]): string {
  return [...counts.slice(0, -1).map(String), countSpaces(counts.at(-1) ?? 0)].join(' or ');
}

function countSpaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}
