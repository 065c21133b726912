import { manifest, parameters, putFiles } from '../make-files.mjs';

const fill = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const document = (kind, rest) => JSON.stringify({ apiVersion: 'launcher.gokure.dev/v1alpha1', kind, ...rest });
const application = (components) =>
  document('Application', { metadata: { name: 'shop', namespace: 'shops' }, spec: { components } });
const service = (name) => ({ name, type: 'webservice', properties: { image: 'r.io/a:1', port: 80 } });
const accept = (list) => document('Acceptances', { spec: { accept: list } });
const pod = (at) =>
  `${JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `a${at}` }, spec: { serviceAccountName: 'x', containers: [{ name: 'a', image: 'a:1' }] } })}\n`;

/** Many of something that each is compared with many others. */
const shapes = {
  acceptances: () => ({
    'a.yaml': fill(3000, pod).join('---\n'),
    'kurel.accept.yaml': accept(fill(6000, (at) => ({ code: 'reference-missing', object: `pod/b${at}`, reason: 'r' }))),
  }),
  codes: () => ({
    'a.yaml': manifest,
    'kurel.accept.yaml': accept(fill(20_000, (at) => ({ code: `reference-misin${at}`, reason: 'r' }))),
  }),
  'variables.kurel': () => ({
    'parameters.yaml': `${parameters}on: false\n${fill(15_000, (at) => `pa${at}: 1\n`).join('')}`,
    'resources/a.yaml': manifest,
    'patches/a.yaml': 'enabled: ${on}\n',
    'patches/a.kpatch': `[configmap.web]\n${fill(12_000, (at) => `data.k${at}: \${qa${at}}\n`).join('')}`,
  }),
  components: () => ({ 'app.yaml': application(fill(2500, (at) => service(`c${at}`))) }),
  traits: () => ({
    'app.yaml': application([
      {
        ...service('c'),
        traits: fill(6000, (at) => ({ type: 'configmap', properties: { name: `m${at}`, data: { a: 'b' } } })),
      },
    ]),
  }),
};

export function make(directory, [, shape]) {
  const files = Object.entries(shapes[shape]()).map(([name, text]) => [`${shape}/${name}`, text]);
  putFiles(directory, Object.fromEntries(files));
}
