import { isJsonObject } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';
import { followReference } from './follow-reference.ts';
import type { PackageCheck } from './object-table.ts';
import { containerPath, containersOf, listAt, mappingAt, textAt } from '../kube/index.ts';
import type { PodSite } from '../kube/index.ts';
import type { Subject } from './subject.ts';

/** ConfigMaps, Secrets, claims and ServiceAccounts that pods need in order to start. */
export function checkPodReferences({ object, namespace }: Subject, pod: PodSite, check: PackageCheck): void {
  checkPod(pod, (kind, name, path) => {
    if (typeof name !== 'string' || isAlwaysThere(kind, name)) return;
    const target = { group: '', kind, namespace, name };
    // The path is only needed when something is missing, which is rare.
    if (check.table.find(target) === undefined) followReference({ object, path: path(), target }, check);
  });
}

type Follow = (kind: string, name: Json | undefined, path: () => Path) => void;

/** Made by every cluster for every namespace. */
function isAlwaysThere(kind: string, name: string): boolean {
  return (kind === 'ServiceAccount' && name === 'default') || (kind === 'ConfigMap' && name === 'kube-root-ca.crt');
}

function checkPod(pod: PodSite, follow: Follow): void {
  const { spec, specPath } = pod;
  follow('ServiceAccount', spec['serviceAccountName'], () => [...specPath, 'serviceAccountName']);
  listAt(spec, 'imagePullSecrets').forEach((secret, index) => {
    follow('Secret', textAt(secret, 'name'), () => [...specPath, 'imagePullSecrets', index, 'name']);
  });
  listAt(spec, 'volumes').forEach((volume, index) => {
    if (isJsonObject(volume))
      checkVolume(volume, { follow, path: (...steps) => [...specPath, 'volumes', index, ...steps] });
  });
  for (const site of containersOf(pod)) {
    listAt(site.container, 'env').forEach((entry, index) => {
      const from = mappingAt(entry, 'valueFrom');
      if (from === undefined) return;
      const path = (...steps: Path): Path => containerPath(site, 'env', index, 'valueFrom', ...steps);
      checkKey(from, 'configMapKeyRef', { follow, path });
      checkKey(from, 'secretKeyRef', { follow, path });
    });
    listAt(site.container, 'envFrom').forEach((entry, index) => {
      const path = (...steps: Path): Path => containerPath(site, 'envFrom', index, ...steps);
      checkKey(entry, 'configMapRef', { follow, path });
      checkKey(entry, 'secretRef', { follow, path });
    });
  }
}

interface Site {
  readonly follow: Follow;
  readonly path: (...steps: Path) => Path;
}

const kindOfField: Readonly<Record<string, string>> = {
  configMapKeyRef: 'ConfigMap',
  configMapRef: 'ConfigMap',
  configMap: 'ConfigMap',
  secretKeyRef: 'Secret',
  secretRef: 'Secret',
};

function checkKey(holder: Json, field: string, { follow, path }: Site): void {
  const reference = mappingAt(holder, field);
  if (reference === undefined || reference['optional'] === true) return;
  follow(kindOfField[field]!, reference['name'], () => path(field, 'name'));
}

function checkVolume(volume: Json, site: Site): void {
  const { follow, path } = site;
  checkKey(volume, 'configMap', site);
  const secret = mappingAt(volume, 'secret');
  if (secret !== undefined && secret['optional'] !== true)
    follow('Secret', secret['secretName'], () => path('secret', 'secretName'));
  const claim = mappingAt(volume, 'persistentVolumeClaim');
  if (claim !== undefined)
    follow('PersistentVolumeClaim', claim['claimName'], () => path('persistentVolumeClaim', 'claimName'));
  listAt(mappingAt(volume, 'projected'), 'sources').forEach((source, index) => {
    checkKey(source, 'configMap', { follow, path: (...steps) => path('projected', 'sources', index, ...steps) });
    const projected = mappingAt(source, 'secret');
    if (projected === undefined || projected['optional'] === true) return;
    follow('Secret', projected['name'], () => path('projected', 'sources', index, 'secret', 'name'));
  });
}
