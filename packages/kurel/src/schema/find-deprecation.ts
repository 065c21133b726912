// Only what opens a sentence speaks of the field itself: "the deprecated field x" and a value that is called deprecated in a
// list of values do not. The names in front are those that Go comments begin with.
const mark =
  /(?:^|[.)] |\n)(?:(?:Deprecated|DEPRECATED)(?=[:.\s]|$)|(?:This (?:field|API|type)|[\w`]+) is(?: now)? deprecated(?=[:.,\s]|$)|[\w`]+ deprecated:)/;
const bareWord = /^deprecated[:.]?$/i;
const advice = /^\s*(?:Please )?(?:Use|use|Migrate|Instead)\b/;

/** The sentence in which a description says that its field is going away, with the advice behind it. */
export function findDeprecation(description: string | undefined): string | undefined {
  if (description === undefined || !/deprecated/i.test(description)) return undefined;
  // One blank or line break between words: a description is read as often as there are any more of them.
  const text = description.replaceAll(/\s+/g, (blank) =>
    /\n\s*\n/.test(blank) ? '\n\n' : blank.includes('\n') ? '\n' : ' ',
  );
  const match = mark.exec(text.replaceAll(/([.)])\n/g, '$1 '));
  if (match === null) return undefined;
  const [first, ...rest] = splitSentences(text.slice(match.index).replace(/^[.)\s]+/, ''));
  const more = rest[0] !== undefined && (bareWord.test(first!) || advice.test(rest[0]));
  return (more ? `${first!} ${rest[0]}` : first!).replaceAll(/\s+/g, ' ').trim();
}

function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=\.)\s+|\n\s*\n/);
}
