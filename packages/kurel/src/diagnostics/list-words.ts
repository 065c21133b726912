/** `1 object`, `2 objects`. */
export function countNoun(count: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${count} ${Number(count) === 1 ? noun : plural}`;
}

/** At most so many of the words, and the number of the others: `a, b and 7 more`. */
export function listFirst(words: readonly string[], most: number): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}
