import { application, openDirectory } from '../make-files.mjs';

export function make(directory) {
  const { put, link } = openDirectory(directory);
  put('outside/app.yaml', application);
  put(
    'outside/kurel.yaml',
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop, version: "1.0.0"}\nspec: {parameters: []}\n',
  );
  put('outside/a.kpatch', '[deployment.web]\nreplicas: 2\n');
  put(
    'outside/profile.yaml',
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: prod}\nspec: {capabilities: {}}\n',
  );
  put('outside/kurel.lock', 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Lock\nspec: {sources: []}\n');
  for (const name of ['package', 'patch', 'patches', 'definition', 'lock', 'vendor', 'vendor-out', 'loop', 'good'])
    put(`${name}/app.yaml`, application);
  link('app/app.yaml', '../outside/app.yaml');
  link('package/kurel.yaml', '../outside/kurel.yaml');
  link('patch/patches/a.kpatch', '../../outside/a.kpatch');
  link('patches/patches', '../outside');
  link('definition/definitions/a.yaml', '../../outside/profile.yaml');
  link('lock/kurel.lock', '../outside/kurel.lock');
  put(
    'vendor/kurel.lock',
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Lock\nspec:\n  sources:\n  - {url: "https://example.com/a.yaml", sha256: "' +
      '0'.repeat(64) +
      '", file: "../outside/app.yaml"}\n',
  );
  link('vendor-out/vendor', '../outside');
  link('vendor-out/kurel.lock', '../outside/kurel.lock');
  link('loop/patches/self', '.');
  link('profile.yaml', 'outside/profile.yaml');
  link('device.yaml', '/dev/zero');
  link('linked', 'good');
  const component = (type, properties) =>
    application.replace('webservice', type).replace(/properties:\n.*/, `properties: ${properties}`);
  put('file/app.yaml', component('manifests', '{files: [a.yaml, ../outside/app.yaml, /etc/passwd]}'));
  link('file/a.yaml', '../outside/app.yaml');
  put('chart/app.yaml', component('helmchart', '{path: ../outside}'));
}
