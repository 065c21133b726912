import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { manifest, openDirectory } from '../make-files.mjs';

const text = 'victim\n';
const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
const inventory = (owners, version = 3) => JSON.stringify({ version, owners });
const owner = (files, instance = '../a.yaml', layout = 'flat') => ({ instance, layout, files });

/** An output directory for each thing that somebody may have written into its inventory or lock. */
export function make(directory, words) {
  const { put, link } = openDirectory(directory);
  put('a.yaml', manifest);
  put('victim.yaml', text);
  put('outside/v.yaml', text);
  const out = words[words.indexOf('-o') + 1];
  const inventories = {
    'out-above': inventory([owner({ '../victim.yaml': digest })]),
    'out-absolute': inventory([owner({ [join(directory, 'victim.yaml').replace(directory, '/somewhere')]: digest })]),
    'out-link': inventory([owner({ 'link/v.yaml': digest })]),
    'out-dot': inventory([owner({ './configmap-web.yaml': digest })]),
    'out-backslash': inventory([owner({ String: digest, [String.raw`..\victim.yaml`]: digest })]),
    'out-hidden': inventory([owner({ '.git/config': digest })]),
    'out-itself': inventory([owner({ '.kurel-inventory': digest })]),
    'out-lock': inventory([owner({ '.kurel-lock': digest })]),
    'out-proto': `{"version":3,"owners":[{"instance":"../a.yaml","layout":"flat","files":{"__proto__":"${digest}"}}]}`,
    'out-version': inventory([], 4),
    'out-twice': inventory([owner({}), owner({ 'link/v.yaml': digest }, '../a.yaml', 'flux')]),
    'out-case': inventory([owner({ 'ConfigMap-Web.yaml': digest }, 'other')]),
    'out-unicode': inventory([
      owner({ 'configmap-we\u0301b.yaml': digest, 'configmap-w\u00e9b.yaml': digest }, 'other'),
    ]),
    'out-owned': inventory([owner({ 'configmap-web.yaml': digest }, 'other')]),
    'out-edited': inventory([owner({ 'configmap-old.yaml': digest })]),
    'out-left': inventory([owner({ 'configmap-old.yaml': digest })]),
    'out-deep': '['.repeat(100_000),
    'out-instance': inventory([owner({}, 'first', 'flux')]),
    'out-layout': inventory([owner({ 'kustomization.yaml': digest }, '../a.yaml', 'constructor')]),
  };
  if (Object.hasOwn(inventories, out)) put(`${out}/.kurel-inventory`, inventories[out]);
  if (out === 'out-edited') put(`${out}/configmap-old.yaml`, 'edited by hand\n');
  if (out === 'out-left') put(`${out}/configmap-old.yaml`, text);
  if (out === 'out-hidden') put(`${out}/.git/config`, text);
  if (out === 'out-case') put(`${out}/ConfigMap-Web.yaml`, text);
  if (out === 'out-link' || out === 'out-twice') link(`${out}/link`, '../outside');
}
