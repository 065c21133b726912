import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Placeholders of `KUREL_BENCH_PEERS`, with the input that replaces each. */
export const placeholders = {
  manifests: 'a directory of plain manifests',
  kustomization: 'a directory with a kustomization that renders the same objects',
  chart: 'a directory with a chart that renders the same objects',
  package: 'a patch package',
  application: 'an application package',
  profile: 'the profile for it',
  patched: 'a directory of plain manifests to patch',
  patches: 'a directory of strategic merge patches for them',
  checked: 'a directory of plain manifests to validate',
  json: 'a file with one JSON list of the objects to filter',
};

/** The programs that are compared with: those of `npm run tools` and `npm run tools -- bench`, or whatever PATH has. */
export function findPeers() {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const find = (name) => directories.map((directory) => join(directory, name)).find(existsSync);
  return {
    helm: find('helm'),
    kustomize: find('kustomize'),
    kubeconform: find('kubeconform'),
    helmfile: find('helmfile'),
  };
}

/** Reads `label=command; label=command` (line breaks do as well): words with placeholders, quoted where they have spaces. */
export function readNamedPeers(text) {
  if (/["']/.test(text.replaceAll(/"[^"]*"|'[^']*'/g, ''))) throw new Error('KUREL_BENCH_PEERS: a quote is not closed');
  const entries = text.match(/(?:[^;\n"']|"[^"]*"|'[^']*')+/g) ?? [];
  return entries.filter((entry) => entry.trim() !== '').map(readNamedPeer);
}

function readNamedPeer(entry) {
  const [, label, command] = /^\s*([^="']+?)\s*=(.*)$/s.exec(entry) ?? [];
  const words = (command?.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
  if (words.length === 0) throw new Error(`KUREL_BENCH_PEERS: "${entry.trim()}" is not label=command`);
  const names = words.flatMap((word) => Array.from(word.matchAll(placeholder), ([, name]) => name));
  const unknown = names.find((name) => !Object.hasOwn(placeholders, name));
  if (unknown !== undefined) {
    const known = Object.keys(placeholders).map((name) => `{${name}}`);
    throw new Error(`KUREL_BENCH_PEERS: ${label} says {${unknown}}; there are ${known.join(', ')}`);
  }
  return { label, words, names };
}

const placeholder = /\{([a-z]+)\}/g;

/** Those of the named peers that can run in a case with these inputs; without placeholders only where nothing is read. */
export function namedRuns({ named }, inputs) {
  const fits = ({ names }) =>
    names.every((name) => Object.hasOwn(inputs, name)) && names.length > 0 === Object.keys(inputs).length > 0;
  return named.filter(fits).map(({ label, words }) => {
    const [command, ...args] = words.map((word) => word.replaceAll(placeholder, (_, name) => inputs[name]));
    return { subject: label, role: 'peer', command, args };
  });
}
