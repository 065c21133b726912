// Only what opens a sentence speaks of the field itself: "the deprecated field x" and a value that is called deprecated in a
// list of values do not. The names in front are those that Go comments begin with.
const mark =
  /(?:^|[.)]\s+|\n\s*)(?:(?:Deprecated|DEPRECATED)(?=[:.\s]|$)|(?:This (?:field|API|type)|[\w`]+) is(?: now)? deprecated(?=[:.,\s]|$)|[\w`]+ deprecated:)/;
const bareWord = /^deprecated[:.]?$/i;
const advice = /^\s*(?:Please )?(?:Use|use|Migrate|Instead)\b/;

/** The sentence in which a description says that its field is going away, with the advice behind it. */
export function findDeprecation(description: string | undefined): string | undefined {
  const match = description === undefined ? null : mark.exec(description);
  if (match === null) return undefined;
  const [first, ...rest] = splitSentences(description!.slice(match.index).replace(/^[.)\s]+/, ''));
  const more = rest[0] !== undefined && (bareWord.test(first!) || advice.test(rest[0]));
  return (more ? `${first!} ${rest[0]}` : first!).replaceAll(/\s+/g, ' ').trim();
}

function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=\.)\s+|\n\s*\n/);
}
