import { manifest, putFiles } from '../make-files.mjs';

/** Kustomizations that are copied, because they get values, and name files at the end of the world. */
export function make(directory) {
  const kustomizations = {
    above: `${'../'.repeat(60)}nowhere/a.yaml`,
    long: `${'../'.repeat(900)}etc/hostname`,
    absolute: '/etc/../../../etc/hostname',
    deeper: '../below/b.yaml',
  };
  const files = Object.entries(kustomizations).map(([name, path]) => [
    `${name}/kustomization.yaml`,
    `resources: [a.yaml, ${path}]\n`,
  ]);
  putFiles(directory, {
    ...Object.fromEntries(files),
    ...Object.fromEntries(Object.keys(kustomizations).map((name) => [`${name}/a.yaml`, manifest])),
    'below/b.yaml': manifest.replace('web', 'other'),
  });
}
