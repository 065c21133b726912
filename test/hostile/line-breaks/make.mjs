import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Line breaks to the YAML readers of the cluster, characters like any other to an editor.
const breaks = { nel: 0x85, ls: 0x2028, ps: 0x2029 };

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  # harmless@  hostNetwork: true
  containers:
    - name: web
      image: example.com/web:1
`;
const block = `apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    note: |
      harmless@spec:@  hostNetwork: true@#
spec:
  containers:
    - name: web
      image: example.com/web:1
`;
const clean = pod.replace('  # harmless@  hostNetwork: true\n', '');

export function make(directory) {
  const write = (path, text) => writeFileSync(join(directory, path), text);
  for (const [name, code] of Object.entries(breaks)) {
    const hide = (text) => text.replaceAll('@', String.fromCodePoint(code));
    write(`comment-${name}.yaml`, hide(pod));
    write(`block-${name}.yaml`, hide(block));
    write(`quoted-${name}.json`, hide('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a@b"}}'));
  }
  const nel = (text) => text.replaceAll('@', String.fromCodePoint(breaks.nel));
  write('clean.yaml', clean);
  write('patch.kpatch', nel('# harmless@\n[pod.web]\nmetadata.labels.a: b\n'));
  write('patch.yaml', nel('# harmless@- target: pod.web\n- target: pod.web\n  patch: {metadata.labels.a: b}\n'));
  mkdirSync(join(directory, 'shop'));
  mkdirSync(join(directory, 'shop/resources'));
  write('shop/resources/pod.yaml', clean);
  write('shop/parameters.yaml', nel('name: shop # shop@hidden: true\n'));
  write('app.yaml', nel('# an app@apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: a}\n'));
}
