// Longer than most files: one table with every finding of the reader, so that all of them can be compared.
import { countNoun, defineProblems, didYouMean, listFirst, quote } from '../diagnostics/index.ts';
import { lacksColonSpace } from './char-codes.ts';

interface Word {
  readonly word: string;
}

interface Limit {
  readonly limit: number;
}

/** Two keys that are written differently but mean the same. */
export interface KeyMeaning {
  readonly key: string;
  readonly words: readonly string[];
  /** The ones that would be different keys if they were quoted. */
  readonly plain: readonly string[];
}

/** A plain scalar that kubectl and kustomize read differently. */
interface Divergence extends Word {
  /** The value that kubectl reads; a key is always a string. */
  readonly kubectl: string | boolean;
  readonly isKey: boolean;
  /** Further ones in the same text. */
  readonly others: readonly string[];
}

/** The findings of the YAML reader. `word` is always the user's own text, shortened. */
export const yamlProblems = defineProblems(() => ({
  'yaml-bad-indentation': {
    summary: 'The indentation of a line matches no object or list above it.',
    message: ({ word, column, levels }: Word & { readonly column: number; readonly levels: readonly number[] }) =>
      `${quote(word)} is indented by ${countNoun(column, 'space')}, but the lines above are indented by ${listSpaces(levels)}`,
    hint: ({ levels }) => `indent it by ${listSpaces(levels)}, or fix the lines above`,
    fix: 'Indent the line with spaces like the other keys or list items of its level. If the line is correct, fix the indentation of the lines above it.',
  },
  'yaml-tab-indentation': {
    summary: 'A line is indented with a tab.',
    message: ({ word }: Word) =>
      word === ''
        ? 'a line without content starts with a tab, which kubectl and kustomize reject'
        : `${quote(word)} is indented with a tab, which YAML does not allow`,
    hint: () => 'replace the tab with spaces',
    fix: 'Replace the tabs at the start of the line with spaces, and set your editor to indent YAML files with spaces.',
  },
  'yaml-missing-colon': {
    summary: 'A line in an object has no `: ` after its key.',
    message: ({ word }: Word) => `expected a key followed by \`: \`, got ${quote(word)}`,
    hint: ({ word }) =>
      adviseColon(word) ?? `write \`${word}: value\`, or indent the line if it continues the value above`,
    fix: 'Write `key: value` with a space after the colon. If the line continues the value above it, indent it further than the key of that value.',
  },
  'yaml-missing-comma': {
    summary: 'Two values inside brackets are not separated by a comma.',
    message: ({ word, close }: Word & { readonly close: string }) =>
      `expected \`,\` or \`${close}\`, got ${quote(word)}`,
    hint: ({ close }) => `separate the values with a comma, or close the brackets with \`${close}\``,
    fix: 'Separate the values inside the brackets with commas, or add the missing closing bracket.',
  },
  'yaml-unquoted-reference': {
    summary: 'A reference `${…}` or placeholder `{…}` inside brackets is not quoted, so its `{` starts an object.',
    message: ({ word }: Word) => `${quote(word)} is not quoted, so its \`{\` starts an object inside the brackets`,
    hint: ({ word }) => `quote it${word.endsWith('…') ? '' : `: \`${JSON.stringify(word)}\``}`,
    fix: 'Put double quotes around the value, for example `["${name}"]`, or write the list or object over several lines without brackets.',
  },
  'yaml-unquoted-in-brackets': {
    summary:
      'An unquoted string inside brackets has a character that kubectl and kustomize read differently from YAML 1.2.',
    message: ({ word, character }: Word & { readonly character: string }) =>
      `inside brackets, kubectl and kustomize read \`${character}\` in ${quote(word)} differently from YAML 1.2`,
    hint: ({ character }) =>
      character === ':' ? 'put a space after the colon, or quote the string' : 'quote the string',
    fix: 'Quote the string. If the colon separates a key from its value, put a space after it.',
  },
  'yaml-missing-value': {
    summary: 'A value is missing before a comma or bracket.',
    message: ({ word }: Word) => `expected a value, got ${quote(word)}`,
    hint: () => 'remove the extra character, or add the value before it',
    fix: 'Remove the extra comma or bracket, or write the missing value before it.',
  },
  'yaml-nested-mapping': {
    summary: 'The value of a key contains a second `: `.',
    message: ({ word }: Word) => `the value ${quote(word)} contains a second \`: \``,
    hint: ({ word }) =>
      `quote the value (\`'${word.replaceAll("'", "''")}'\`), or start the inner object on its own line`,
    fix: 'If the value is a string, put it in quotes. If it is an object, start it on the next line, indented further than its key.',
  },
  'yaml-key-in-text': {
    summary: 'A key is indented as if it continued the string above it.',
    message: ({ word, value }: Word & { readonly value: string; readonly startsLine: boolean }) =>
      `${quote(word)} looks like a key, but its indentation makes it part of the string ${quote(value)} above`,
    hint: ({ value, startsLine }) =>
      (startsLine ? adviseColon(value) : undefined) ??
      'indent it like the key above it; if the string above is a key, add `:` after it',
    fix: 'Indent the key like the other keys of its object. If the line above should be the parent key, end that line with a colon.',
  },
  'yaml-list-in-line': {
    summary: 'A list starts on the same line as its key, a document marker, an anchor or a tag.',
    message: ({ word }: Word) => `the list item ${quote(word)} cannot start in the middle of a line`,
    hint: () => 'start the list on its own line, or write it in brackets: `[a, b]`',
    fix: 'Move the first `- ` of the list to its own line below the key, or write the list in brackets: `[a, b]`.',
  },
  'yaml-list-among-keys': {
    summary: 'A list item appears among the keys of an object.',
    message: ({ word }: Word) => `expected a key, got the list item ${quote(word)}`,
    hint: () => 'add a key for the list, or indent it below the key it belongs to',
    fix: 'Indent the list item below the key that it belongs to, or add a key for the list.',
  },
  'yaml-unclosed-quote': {
    summary: 'A quoted string has no closing quote.',
    message: ({ quote }: { readonly quote: string }) => `the string has no closing \`${quote}\``,
    hint: ({ quote }) =>
      quote === "'" ? "add the closing `'`; inside the string, write a single quote as `''`" : 'add the closing `"`',
    fix: "Add the closing quote. Inside single quotes, write a single quote as `''`; inside double quotes, write a double quote as `\\\"`.",
  },
  'yaml-unclosed-bracket': {
    summary: 'A list or object in brackets is not closed.',
    message: ({ open, close }: { readonly open: string; readonly close: string }) =>
      `the \`${open}\` has no closing \`${close}\``,
    hint: ({ close }) => `add \`${close}\` at the end of the list or object`,
    fix: 'Add the closing bracket at the end of the list or object. If the bracket is part of a string, quote the string.',
  },
  'yaml-unexpected-character': {
    summary: 'An unquoted value starts with a character that has a special meaning in YAML.',
    message: ({ word, character }: Word & { readonly character: string }) =>
      `${quote(word)} starts with \`${character}\`, which cannot start an unquoted value`,
    hint: ({ word }) => `quote the value: \`'${word.replaceAll("'", "''")}'\``,
    fix: 'Put quotes around the value, or remove the first character if it is a typo.',
  },
  'yaml-unexpected-text': {
    summary: 'Further text follows a complete value on the same line.',
    message: ({ word }: Word) => `unexpected ${quote(word)} after a complete value`,
    hint: () => 'put it on its own line, remove it, or quote the whole value',
    fix: 'Quote the whole value if the text is part of it. Otherwise remove the text or move it to its own line; a comment needs a space before its `#`.',
  },
  'yaml-bad-escape': {
    summary: 'A double-quoted string contains an invalid escape sequence.',
    message: ({ word }: Word) => `${quote(word)} is not a valid escape sequence in a double-quoted string`,
    hint: () => 'write `\\\\` for a backslash, or use single quotes, where a backslash has no special meaning',
    fix: 'Write each backslash as `\\\\`, or put the string in single quotes, for example for regular expressions and Windows paths.',
  },
  'yaml-bad-block-header': {
    summary: 'The header of a block scalar has invalid characters after `|` or `>`.',
    message: ({ word }: Word) => `${quote(word)} is not a valid block scalar header`,
    hint: () => 'write only `+` or `-` and a digit from 1 to 9 after `|` or `>`, and start the text on the next line',
    fix: 'Write only `+` or `-` and a digit from 1 to 9 after `|` or `>`, and start the text on the next line. If the value is a normal string that starts with `|` or `>`, quote it.',
  },
  'yaml-bad-block-indentation': {
    summary: 'A blank line at the top of a block scalar has more spaces than the first line of text.',
    message: ({ column, expected }: { readonly column: number; readonly expected: number }) =>
      `a blank line at the top of the block scalar has ${countNoun(column, 'space')}, but its first line of text has ${countNoun(expected, 'space')}`,
    hint: () => 'remove the spaces from the blank line, or set the indentation in the header, for example `|2`',
    fix: 'Remove the spaces from the blank lines at the top of the text. If they belong to the text, set its indentation in the header, for example `|2`.',
  },
  'yaml-multi-line-key': {
    summary: 'A key spans several lines.',
    message: ({ word }: Word) => `the key ${quote(word)} spans several lines`,
    hint: () => 'write the key on one line',
    fix: 'Write the key on one line, and add the missing quote or bracket if the key was not meant to continue.',
  },
  'yaml-long-key': {
    summary: 'A key is so long that kubectl and kustomize do not find its colon.',
    message: ({ word, limit }: Word & Limit) =>
      `the key ${quote(word)} has more than ${limit} characters, so kubectl and kustomize do not find its colon`,
    hint: () => 'shorten it, or write `? ` before it and its `:` on the next line',
    fix: 'Shorten the key. To keep it, write `? ` before it and put its `:` and the value on the next line.',
  },
  'yaml-bad-anchor': {
    summary: 'An anchor, alias or tag is empty, appears twice on one value, or is not allowed at its position.',
    message: ({ word }: Word) => `${quote(word)} is not a valid anchor, alias or tag here`,
    hint: () =>
      'use at most one anchor (`&name`) and one tag per value, and none on an alias (`*name`); names consist of letters, digits, `-` and `_`',
    fix: 'Write an anchor as `&name` before a value and refer to it with `*name`; names consist of letters, digits, `-` and `_`. Quote the value if it is a string that starts with `&`, `*` or `!`.',
  },
  'yaml-unknown-anchor': {
    summary: 'An alias refers to an anchor that does not exist before it in the document.',
    message: ({ name }: { readonly name: string; readonly near: string | undefined }) =>
      `the alias ${quote(`*${name}`)} has no anchor ${quote(`&${name}`)} before it in this document`,
    hint: ({ name, near }) =>
      didYouMean(near, (anchor) => `\`*${anchor}\``) ??
      `add \`&${name}\` before the value to reuse, or quote the value if it is a string that starts with \`*\``,
    fix: 'Define the anchor with `&name` earlier in the same document; anchors do not reach across `---`. Quote the value if it is a string that starts with `*`.',
  },
  'yaml-recursive-alias': {
    summary: 'An alias is inside the value of its own anchor.',
    message: ({ name }: { readonly name: string }) =>
      `the alias ${quote(`*${name}`)} is inside the value of its own anchor ${quote(`&${name}`)}`,
    hint: () => 'remove the alias or move it out; a value cannot contain itself',
    fix: 'Remove the alias, or move the anchor to a smaller value that does not contain the alias.',
  },
  'yaml-duplicate-key': {
    summary: 'An object has the same key twice.',
    message: ({ word, meant }: Word & { readonly meant?: KeyMeaning | undefined }) =>
      meant === undefined
        ? `duplicate key ${quote(word)}`
        : `the keys ${meant.words.map(quote).join(' and ')} are duplicates: both are read as ${quote(meant.key)}`,
    hint: ({ word, meant = { plain: [] } }) => {
      if (word === '<<') return 'merge several objects with one key: `<<: [*first, *second]`';
      const otherwise = 'remove or rename one of them';
      const { plain } = meant;
      if (plain.length === 0) return otherwise;
      const pronoun = plain.length === 1 ? 'it' : 'them';
      return `quote ${plain.map(quote).join(' and ')} to keep ${pronoun} as written, or ${otherwise}`;
    },
    fix: 'Remove or rename one of the keys, or merge their values. Check the indentation: a key one level too far left or right is a common cause.',
  },
  'yaml-forbidden-key': {
    summary: 'An object has the key `__proto__`, which is not safe to process.',
    message: ({ word }: Word) => `the key ${quote(word)} is not allowed`,
    hint: () => 'use another key; Kubernetes has no field with this name',
    fix: 'Remove the key or rename it. Kubernetes has no field with this name.',
  },
  'yaml-key-not-text': {
    summary:
      'A key is a list, an object, null or the alias of a large number, but JSON and Kubernetes allow only strings.',
    message: ({ word, kind }: Word & { readonly kind: string }) =>
      `the key ${quote(word)} must be a string, got ${kind}`,
    hint: () => 'quote the key if you mean a string',
    fix: 'Quote the key to make it a string, or replace it with a name.',
  },
  'yaml-template': {
    summary: 'A Helm template expression appears where YAML is expected.',
    message: ({ word }: Word) => `${quote(word)} is a Helm template expression, not YAML`,
    hint: () =>
      'to build a chart, pass its directory to kurel; elsewhere, write the value itself, `"${name}"` for a parameter, or quotes around a string with braces',
    fix: 'To build a Helm chart, pass its directory to `kurel build`. In other files, replace the expression with its value or with a parameter such as `"${name}"`; quote a string that really contains `{{`.',
  },
  'yaml-number-not-finite': {
    summary: 'A number is infinite or not a number, which JSON and Kubernetes cannot represent.',
    message: ({ word }: Word) => `${quote(word)} is not a finite number`,
    hint: ({ word }) => `quote it if you mean a string: \`'${word}'\``,
    fix: 'Write a finite number, or quote the value if you mean a string.',
  },
  'yaml-merge-not-mapping': {
    summary: 'The value of a merge key `<<` is not an object or a list of objects.',
    message: ({ word }: Word) => `the value of \`<<\` must be an object or a list of objects, got ${quote(word)}`,
    hint: () => 'merge an alias of an object (`<<: *name`), or quote the key if you mean the string `<<`',
    fix: 'Set `<<` to an alias of an object (`<<: *name`) or to a list of such aliases. Quote the key if you mean a field with the name `<<`.',
  },
  'yaml-merge-after-key': {
    summary: 'A merge key follows a key that it also sets; kubectl and kustomize disagree about which value wins.',
    message: ({ word }: Word) =>
      `\`<<\` also sets the key ${quote(word)} above it: kubectl uses the merged value, kustomize the one above`,
    hint: () => 'move `<<` above the other keys; the explicit value then wins in both',
    fix: 'Move the merge key `<<` above all other keys of the object. Keys written in the object then override the merged ones in every tool.',
  },
  'yaml-merge-list-alias': {
    summary: 'The value of a merge key `<<` is the alias of a list, which kubectl rejects.',
    message: ({ word }: Word) =>
      `kubectl rejects ${quote(word)} as the value of \`<<\`, because it is the alias of a list`,
    hint: () => 'write the list itself: `<<: [*one, *two]`',
    fix: 'Give each object an anchor, and write the list of their aliases after `<<`: `<<: [*one, *two]`.',
  },
  'yaml-merge-unclear': {
    summary: 'A key such as `true` or `1` overrides a merged key; if only one of them is quoted, kubectl uses either.',
    message: ({ word }: Word) =>
      `kubectl uses either value of the key ${quote(word)}, which is merged and overridden, if only one of them is quoted`,
    hint: () => 'remove the key from one of the two objects',
    fix: 'Remove the key from one of the two objects, or write the object without `<<`.',
  },
  'yaml-json-number': {
    summary: 'A file that is JSON has a number that is out of range, which kubectl rejects.',
    message: ({ word }: Word) => `kubectl reads this file as JSON, where the number ${word} is out of range`,
    hint: () => 'write a smaller number, or quote it if you mean the string',
    fix: 'Write a number that a double can represent, or quote it if you mean the string.',
  },
  'yaml-unknown-tag': {
    summary: 'A value has a tag that Kubernetes manifests do not support.',
    message: ({ word }: Word) => `the tag ${quote(word)} is not supported`,
    hint: ({ word }) =>
      word === '!!binary'
        ? 'remove the tag; Kubernetes decodes base64 itself'
        : 'remove the tag, or quote the value if it starts with `!`',
    fix: 'Remove the tag. If the value is a string that starts with `!`, quote it.',
  },
  'yaml-tag-mismatch': {
    summary: 'A value does not match its tag.',
    message: ({ word, tag }: Word & { readonly tag: string }) => `${quote(word)} does not match its tag ${quote(tag)}`,
    hint: () => 'remove the tag or fix the value',
    fix: 'Remove the tag, or write a value of the type that the tag names.',
  },
  'yaml-bad-directive': {
    summary: 'A line that starts with `%` is not a valid directive, or is not at the start of a document.',
    message: ({ word }: Word) => `${quote(word)} is not a valid directive here`,
    hint: () => 'remove the line',
    fix: 'Remove the line. Kubernetes manifests need no directives; if the line is part of a string, quote or indent it.',
  },
  'yaml-directive': {
    severity: 'warning',
    summary: 'A manifest has a directive such as `%YAML 1.1`, which kubectl and kustomize reject.',
    message: ({ word }: Word) => `kubectl and kustomize reject the directive ${quote(word)}`,
    hint: () => 'remove the line',
    fix: 'Remove the directive line. kurel reads the file without it, and so do kubectl and kustomize.',
  },
  'yaml-marker-text': {
    severity: 'warning',
    summary: 'Content follows `---` on the same line of a manifest, which kubectl and kustomize reject.',
    message: ({ word }: Word) => `${quote(word)} follows \`---\` on the same line, which kubectl and kustomize reject`,
    hint: () => 'move it to the next line',
    fix: 'Move the content after `---` to the next line. Only a comment may follow `---` on its line.',
  },
  'yaml-marker-return': {
    summary:
      'A carriage return without a line feed is next to `---`, so kubectl and kustomize miss the document after it.',
    message: () =>
      'kubectl and kustomize drop the document after this `---`, because there is a carriage return without a line feed next to it',
    hint: () => 'end all lines with a line feed',
    fix: 'Convert the file to Unix line endings (LF), for example with `dos2unix`.',
  },
  'yaml-double-return': {
    summary: 'Two carriage returns precede a line feed; kubectl and kustomize read them as one line break.',
    message: () => 'kubectl and kustomize read the two carriage returns here as one line break',
    hint: () => 'end the line with one line feed',
    fix: 'Convert the file to Unix line endings (LF), and check that no tool converts the line endings twice.',
  },
  'yaml-marker-unclear': {
    summary:
      'A line of a manifest starts with `---` and continues without a space: a string in YAML, a document separator for kubectl and kustomize.',
    message: ({ word }: Word) =>
      `the line ${quote(word)} is a string in YAML, but kubectl and kustomize split the file there`,
    hint: () => 'write `---` on its own line, or quote a key that starts with it',
    fix: 'To start a new document, write `---` on its own line. To keep the line as a key or a string, quote or indent it.',
  },
  'yaml-bad-document-end': {
    summary: 'Content follows the document end marker `...` on the same line.',
    message: ({ word }: Word) => `unexpected ${quote(word)} after the document end marker \`...\``,
    hint: () => 'put it on its own line, after `---`',
    fix: 'Put the content on its own line after a `---` line, or remove the `...` marker.',
  },
  'yaml-missing-document-start': {
    summary: 'A document after `...` does not start with `---`, or `...` ends no document.',
    message: ({ word }: Word) => `expected \`---\` before ${quote(word)}`,
    hint: () => 'write `---` on the line before it, or remove `...`',
    fix: 'Write `---` on the line before the document, or remove the `...` line.',
  },
  'yaml-control-character': {
    summary: 'The text contains a character that YAML does not allow.',
    message: ({ code }: { readonly code: string }) => `the character ${code} is not allowed in YAML`,
    hint: () => 'remove it; in a double-quoted string, write it as an escape such as `\\x00`',
    fix: 'Remove the character, or write it as an escape such as `\\x00` in a double-quoted string. If the whole file is binary, keep it out of the input.',
  },
  'yaml-line-break': {
    summary: 'The text contains U+0085, U+2028 or U+2029, which kubectl and kustomize treat as a line break.',
    message: ({ code }: { readonly code: string }) =>
      `kubectl and kustomize treat the character ${code} as a line break, even in comments and strings`,
    hint: ({ code }) =>
      `remove it or use a normal line break; to keep it in a string, write \`\\u${code.slice(2).toLowerCase()}\` in double quotes`,
    fix: 'Replace the character with a normal line break or a space. To keep it in a string, put the string in double quotes and write an escape such as `\\u2028`.',
  },
  'yaml-final-break': {
    severity: 'note',
    summary:
      'A file ends in a block scalar without a final line break: kubectl adds one to the value, kustomize does not.',
    message: () => 'the file has no final line break: kubectl adds one to this value, kustomize does not',
    hint: () => 'end the file with a line break, or use `|-` or `>-` if the value has none',
    fix: 'End the file with a line break. If the value must not end in a line break, change its header to `|-` or `>-`.',
  },
  'yaml-kustomize-differs': {
    severity: 'note',
    summary: 'A file has unquoted values that kubectl and kustomize read differently: words such as `yes`, and dates.',
    message: ({ word, kubectl, isKey, others }: Divergence) => {
      const also =
        others.length === 0 ? '' : `; the same applies to ${listFirst(others.map(quote), shownWords)} in this file`;
      if (isKey)
        return `kubectl reads the key ${quote(word)} as ${quote(String(kubectl))}, kustomize as written${also}`;
      return typeof kubectl === 'string'
        ? `kubectl reads ${quote(word)} as a string, kustomize as a timestamp${also}`
        : `kubectl reads ${quote(word)} as ${String(kubectl)}, kustomize as a string${also}`;
    },
    hint: ({ kubectl, isKey }) =>
      isKey || typeof kubectl === 'string'
        ? 'quote it'
        : `write \`${String(kubectl)}\`, or quote it if you mean the string`,
    fix: 'Write `true` or `false` for a boolean, and quote strings such as "yes", "on" or "2024-01-31", so that every tool reads the same value.',
  },
  'yaml-too-deep': {
    summary: 'Objects and lists are nested too deeply.',
    message: ({ limit }: Limit) => `objects and lists are nested more than ${limit} levels deep`,
    hint: () => 'look for brackets or dashes that are repeated by mistake',
    fix: 'Look for brackets or dashes that are repeated by mistake, and nest the data less deeply.',
  },
  'yaml-too-many-levels': {
    summary: 'A document has too many deeply nested values.',
    message: ({ limit }: Limit) =>
      `the document has too many deeply nested values: the sum of their depths is more than ${limit}`,
    hint: () => 'nest large lists and objects less deeply, or split the document',
    fix: 'Nest large lists and objects less deeply, or split the document into several.',
  },
  'yaml-too-large': {
    summary: 'A text is longer than allowed.',
    message: ({ length, limit }: Limit & { readonly length: number }) =>
      `the text must have at most ${limit} characters, got ${length}`,
    hint: () => 'split it into several files',
    fix: 'Split the text into several files, or move large data out of the manifests.',
  },
  'yaml-too-many-documents': {
    summary: 'A text has more documents than allowed.',
    message: ({ limit }: Limit) => `the text has more than ${limit} documents`,
    hint: () => 'split it into several files',
    fix: 'Split the text into several files with fewer documents each.',
  },
}));

const shownWords = 4;

function adviseColon(word: string): string | undefined {
  return lacksColonSpace(word) ? `put a space after the colon: \`${word.replace(':', ': ')}\`` : undefined;
}

function listSpaces(counts: readonly number[]): string {
  return [...counts.slice(0, -1).map(String), countNoun(counts.at(-1) ?? 0, 'space')].join(' or ');
}
