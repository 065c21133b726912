/** YAML documents as one text. */
export function joinDocuments(texts: readonly string[]): string {
  return texts.join('---\n');
}

/** JSON as it stands inside other JSON: no text in it has a line break of its own. */
export function indentJson(text: string, indent: string): string {
  return indent + text.trimEnd().replaceAll('\n', `\n${indent}`);
}
