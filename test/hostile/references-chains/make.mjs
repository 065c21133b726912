import { application, manifest, parameters, putFiles } from '../make-files.mjs';

/** Parameters that refer to one another, and texts with many references: more than the stack and a call have room for. */
export function make(directory, words) {
  const [, path] = words;
  putFiles(directory, packages[path]?.() ?? {});
}

const length = 20_000;
const packages = {
  'many.kurel': () => ({
    'many.kurel/kurel.yaml': declare([
      '{name: a, type: boolean, default: false}',
      `{name: b, type: string, default: "${'${a}'.repeat(200_000)}"}`,
    ]),
    'many.kurel/app.yaml': `${application}    enabled: \${a}\n`,
  }),
  'chain.kurel': () => patchPackage('chain.kurel', (index) => (index === length ? 'end' : `\${p${index + 1}}`)),
  'cycle.kurel': () => patchPackage('cycle.kurel', (index) => `\${p${(index + 1) % length}}`),
  'later.kurel': () => chainOfDefaults('later.kurel', 1),
  'earlier.kurel': () => chainOfDefaults('earlier.kurel', -1),
};

function declare(declarations) {
  const lines = declarations.map((one) => `  - ${one}\n`).join('');
  return `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop, version: 1.0.0}\nspec:\n  parameters:\n${lines}`;
}

function patchPackage(path, valueAt) {
  const lines = Array.from({ length: length + 1 }, (_, index) => `p${index}: "${valueAt(index)}"\n`);
  return {
    [`${path}/parameters.yaml`]: `${parameters}${lines.join('')}`,
    [`${path}/resources/a.yaml`]: manifest,
    [`${path}/patches/a.kpatch`]: '[configmap.web]\ndata.a: ${p0}\n',
  };
}

function chainOfDefaults(path, step) {
  const names = Array.from({ length: 5000 }, (_, index) => index);
  const last = step === 1 ? 4999 : 0;
  const declarations = names.map(
    (index) => `{name: p${index}, type: string, default: "${index === last ? 'end' : `\${p${index + step}}`}"}`,
  );
  return {
    [`${path}/kurel.yaml`]: declare(declarations),
    [`${path}/app.yaml`]: application.replace('registry.example.com/web:1', '${p4999}'),
  };
}
