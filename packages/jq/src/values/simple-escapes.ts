/** Escapes of one letter, which strings of JSON and of jq have in common. */
export const simpleEscapes: { readonly [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
