import { describe, expect, it } from 'vitest';

import { findSecrets } from './find-secrets.ts';

const secret = 'kind: Secret\n';

// What is between « and » is hidden.
const cases: readonly (readonly [about: string, text: string])[] = [
  ['nothing in other kinds', 'kind: ConfigMap\ndata:\n  a: b\n'],
  ['data', `${secret}data:\n  a: «Yg==»\n  c: «ZA==»\n`],
  ['data before the kind', 'data:\n  a: «Yg==»\nkind: Secret\n'],
  ['stringData', `${secret}stringData:\n  a: «b»\ntype: Opaque\n`],
  ['in braces', `${secret}data: {a:« b», c:« "d, e"»}\n`],
  ['in braces that nothing closes', `${secret}data: {a:« b\nc: d\n»`],
  ['blocks', `${secret}stringData:\n  a: «|»\n    «one»\n    «two»\ntype: Opaque\n`],
  ['JSON', '{"kind": "Secret", "data": {"a":« "Yg=="»}}\n'],
  ['only its own document', `${secret}data:\n  a: «b»\n---\nkind: ConfigMap\ndata:\n  a: b\n`],
  ['what keys are called', 'password: «hunter2»\nDB_PASSWORD=«hunter2»\napiKey: «x»\nclient_secret: «y»\nkey: z\n'],
  ['no references and no structures', 'password: ${password}\ntoken: true\ncredentials:\n  a: b\n'],
  ['sections of patches', '[secret.db]\ndata.a: «b»\n[deployment.web]\nspec.replicas: 2\n'],
  ['lines of patches that are wrong', '[secret.db]\ndata.a «"b"»\ndata.c=«d»\n# note: e\n[deployment.web]\na b\n'],
  ['texts of several lines in patches', '[secret.db]\ndata.a: |\n  «one»\n  «two: 2»\ndata.b: «c»\n'],
  ['patches for what may be called anything', '[db]\nstringData.a: «b»\ndata.c: d\n'],
  ['texts of several lines there', '[db]\nstringData.a: |\n  «one»\nspec: b\n'],
  ['operations', '- {op: add, path: /stringData/a, value: «b»}\n- {op: add, path: /spec, value: c}\n'],
  ['operations in lines', '- op: add\n  path: /stringData/a\n  value: «b»\n- op: add\n  path: /spec\n  value: c\n'],
  ['operations in another order', '- {value: «b, »path: /stringData/a}\n'],
  [
    'parts of what keys are called',
    'password.a=«b»\npasswords[0]: c\npassword[=«d»\npassword: «{a: b}»\ncredentials: {a: b}\n',
  ],
  ['what only begins like a word', 'password: «trueblue»\ntoken: «*alias»\npassword: |\n  x\n'],
  ['what only begins like a reference', '[secret.db]\ndata.a: «$b»\ndata.c: ${d}\ndata.e: «${f}g»\n'],
  ['names of entries', 'kind: ExternalSecret\nspec:\n  data:\n  - secretKey: password\n'],
  ['keys of stores', 'minio:\n  secretKey: «x»\n'],
];

describe('secrets in texts', () => {
  it.each(cases)('%s', (_about, marked) => {
    const text = marked.replaceAll(/[«»]/g, '');
    const shown = findSecrets(text).toReversed().reduce(mark, text);
    expect(shown).toBe(marked);
  });
});

function mark(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}
