import { describe, expect, it } from 'vitest';

import { findSecrets } from './find-secrets.ts';

const secret = 'kind: Secret\n';

// Everything between « and » is hidden.
const cases: readonly (readonly [about: string, text: string])[] = [
  ['nothing in other kinds', 'kind: ConfigMap\ndata:\n  a: b\n'],
  ['data', `${secret}data:\n  a: «Yg==»\n  c: «ZA==»\n`],
  ['data before the kind', 'data:\n  a: «Yg==»\nkind: Secret\n'],
  ['stringData', `${secret}stringData:\n  a: «b»\ntype: Opaque\n`],
  ['in braces', `${secret}data: {a:« b», c:« "d, e"»}\n`],
  ['in braces with quotes in quotes', `${secret}data: {a:« "b\\", c: d"», e:« 'f\\'», g:« h»}\n`],
  ['in unclosed braces', `${secret}data: {a:« b\nc: d\n»`],
  ['blocks', `${secret}stringData:\n  a: «|»\n    «one»\n    «two»\ntype: Opaque\n`],
  ['JSON', '{"kind": "Secret", "data": {"a":« "Yg=="»}}\n'],
  ['only its own document', `${secret}data:\n  a: «b»\n---\nkind: ConfigMap\ndata:\n  a: b\n`],
  ['names of keys', 'password: «hunter2»\nDB_PASSWORD=«hunter2»\napiKey: «x»\nclient_secret: «y»\nkey: z\n'],
  ['no references and no structures', 'password: ${password}\ntoken: true\ncredentials:\n  a: b\n'],
  ['sections of patches', '[secret.db]\ndata.a: «b»\n[deployment.web]\nspec.replicas: 2\n'],
  ['invalid lines in patches', '[secret.db]\ndata.a «"b"»\ndata.c=«d»\n# note: e\n[deployment.web]\na b\n'],
  ['block scalars in patches', '[secret.db]\ndata.a: |\n  «one»\n  «two: 2»\ndata.b: «c»\n'],
  ['patches without a kind', '[db]\nstringData.a: «b»\ndata.c: d\n'],
  ['block scalars in patches without a kind', '[db]\nstringData.a: |\n  «one»\nspec: b\n'],
  ['operations', '- {op: add, path: /stringData/a, value: «b»}\n- {op: add, path: /spec, value: c}\n'],
  ['operations in lines', '- op: add\n  path: /stringData/a\n  value: «b»\n- op: add\n  path: /spec\n  value: c\n'],
  ['both fields of a target that is a Secret', 'target: secret.db\npatch:\n  stringData.a: «b»\n  data.c: «d»\n'],
  [
    'operations on both fields of a target that is a Secret',
    'target: secret.db\npatch:\n- {op: add, path: /stringData/a, value: «b»}\n- {op: add, path: /data/c, value: «d»}\n',
  ],
  ['lines of data after blank ones', `${secret}data:\n  a: «b»\n\n  c: «d»\n`],
  ['no operations without a value', '- {op: remove, path: /stringData/a}\n- {op: add, path: /spec, value: c}\n'],
  ['operations in another order', '- {value: «b, »path: /stringData/a}\n'],
  ['parts of key names', 'password.a=«b»\npasswords[0]: c\npassword[=«d»\npassword: «{a: b}»\ncredentials: {a: b}\n'],
  ['values that start with a keyword', 'password: «trueblue»\ntoken: «*alias»\npassword: |\n  «x»\n'],
  ['values that start like a reference', '[secret.db]\ndata.a: «$b»\ndata.c: ${d}\ndata.e: «${f}g»\n'],
  ['names of entries', 'kind: ExternalSecret\nspec:\n  data:\n  - secretKey: password\n'],
  ['keys of stores', 'minio:\n  secretKey: «x»\n'],
  ['one field after another', `${secret}data:\n  a: «b»\nstringData: «c»\n`],
  ['an anchor before the data', `${secret}data: &all # both\n  a: «b»\nmetadata: {}\n`],
  ['lines after blank ones', '[db]\nstringData.a: |\n  «one»\n\n  «two»\nspec: b\n'],
  ['block scalars of named keys', '- password: >- # long\n    «one»\n\n    «two»\n  user: a\n'],
  ['patches in YAML', '- target: secret.db\n  patch:\n    data.a: «b»\n    data: {c:« d»}\n'],
  ['patches in braces', '- target: secret.db\n  patch: {"data.a": «b, "data.c": d}»\n'],
  ['patches in braces with references', '- target: secret.db\n  patch: {data.a: ${b}}\n'],
  ['patches for a namespace', '- target: ns/secret.db\n  patch:\n    data: {a:« b»}\n'],
  ['operations on data', '- target: secret.db\n  type: json\n  patch:\n  - {path: /data/a, value: «b»}\n'],
  ['no operations on the data of other kinds', '- target: configmap.a\n  patch:\n  - {path: /data/a, value: b}\n'],
  ['variables of containers', 'env:\n- name: DB_PASSWORD\n  value: «1234»\n- name: B\n  value: c\n'],
  ['variables in JSON', '[{"name": "TOKEN",\n "value": «1234}]»\n'],
  ['variables that refer to a Secret', '- name: DB_PASSWORD\n  valueFrom: {secretKeyRef: {name: a}}\n'],
  ['users in URLs', 'url: https://«deploy:hunter2»@charts.example.com/a@b\nurl: oci://«robot»@ghcr.io/a\n'],
  ['no URLs without users', 'url: https://charts.example.com/@scope?a=b@c\nimage: a@sha256:b\n'],
  ['no database users', 'DATABASE_URL: postgres://user:word@host\n'],
  ['not whether a token is mounted', 'automountServiceAccountToken: flase\n'],
];

describe('secrets in texts', () => {
  it.each(cases)('%s', (_about, marked) => {
    const text = marked.replaceAll(/[«»]/g, '');
    const shown = findSecrets(text).toReversed().reduce(mark, text);
    expect(shown).toBe(marked);
  });

  // Each would take hours if the same part were examined repeatedly.
  it.each([
    ['references in one line', 'token: ${'.repeat(100_000)],
    ['names in one line', 'token='.repeat(200_000)],
    ['addresses in one line', 'https://a:b'.repeat(200_000)],
    ['braces in braces', `${secret}${'data: {[ '.repeat(100_000)}${']}'.repeat(100_000)}`],
  ])('terminates with %s', (_about, text) => {
    expect(findSecrets(text).length).toBeLessThan(2);
  });
});

function mark(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}
