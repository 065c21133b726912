import { application, manifest, putFiles } from '../make-files.mjs';

const patterns = ['^(a+)+$', '(a*)*b', '(a|a)*c', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){25}', '^(a|ab|abc|aa)+!x'];
const head =
  'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop, version: "1.0.0"}\nspec:\n  parameters:\n';

export function make(directory) {
  const declared = patterns.map(
    (pattern, index) => `  - {name: a${index}, type: string, pattern: '${pattern}', default: ""}\n`,
  );
  const files = {
    'app/app.yaml': application,
    'app/kurel.yaml': head + declared.join('').replaceAll(', default: ""', ''),
    'values.yaml': patterns.map((_, index) => `a${index}: ${'a'.repeat(50_000)}!\n`).join(''),
    'broken/app.yaml': application,
    'broken/kurel.yaml':
      head +
      ['(', '(?=a)', '(a)\\\\1', '[b-a]', 'a{9999}', '((a{1000}){1000}){1000}', '('.repeat(5000)]
        .map((pattern, index) => `  - {name: a${index}, type: string, pattern: "${pattern}"}\n`)
        .join(''),
    'shop.kurel/parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\na: b\n',
    'shop.kurel/resources/web.yaml': manifest,
    'shop.kurel/schemas/parameters.overrides.yaml':
      'properties: {a: {pattern: "^(a+)+$"}}\npatternProperties: {"(a*)*b": {type: string}}\n',
  };
  putFiles(directory, files);
}
