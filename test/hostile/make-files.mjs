// What the makers of cases share: texts that are right, and how files get to where they belong.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n';
export const parameters = 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n';
export const application = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shops}
spec:
  components:
  - name: web
    type: webservice
    properties:
      image: "registry.example.com/web:1"
`;
export const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`;

/** Paths are below the directory, and whatever they lead through is made. */
export function openDirectory(directory) {
  const placeOf = (path) => {
    const place = join(directory, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  };
  return {
    put: (path, text) => writeFileSync(placeOf(path), text),
    link: (path, target) => symlinkSync(target, placeOf(path)),
    pipe: (path) => execFileSync('mkfifo', [placeOf(path)]),
  };
}

export function putFiles(directory, files) {
  const { put } = openDirectory(directory);
  for (const [path, text] of Object.entries(files)) put(path, text);
}

/** A number, for names without digits. */
export function inLetters(number) {
  return String(number).replaceAll(/\d/g, (digit) => 'ABCDEFGHIJ'[digit]);
}
