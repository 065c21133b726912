/** What names have in them whose values should not be shown, as a regular expression. Pods say whether they get a token. */
export const secretNames =
  'pass(?:word|wd|phrase)|(?<!serviceAccount)token|credentials?|(?:secret|api|access|private)[-_]?key|client[-_]?secret';

const atEnd = new RegExp(`(?:${secretNames})$`, 'i');

/** Whether a key such as `databasePassword` says that its value should not be shown. */
export function isSecretName(name: string): boolean {
  return atEnd.test(name);
}
