// `node test/corpus/collect.mjs` fetches pinned Go modules and copies manifests that people wrote out of them, byte for
// byte, into an archive for each module in cases/manifests; cases/sources.json says where each came from. Nothing here depends on the order of a disk.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { importSource } from '../../scripts/import-source.mjs';
import { downloadModule } from '../../scripts/schemas/go-modules.mjs';
import { projects } from './projects.mjs';

const cases = join(import.meta.dirname, 'cases');
const { formatArchive } = await importSource(join(import.meta.dirname, '../../packages/kurel/test/case-archive.ts'));
const largestFile = 24_000;
// The files of one directory are often variants of one another; the first ones stand for the rest.
const filesOfOneDirectory = 20;

const seen = new Set();
const sources = [];
rmSync(join(cases, 'manifests'), { recursive: true, force: true });
mkdirSync(join(cases, 'manifests'));
for (const project of projects) sources.push(collectProject(project));
writeFileSync(join(cases, 'sources.json'), formatSources(sources));
const count = (key) => sources.reduce((sum, source) => sum + source.files.reduce((all, file) => all + file[key], 0), 0);
console.log(`${sources.reduce((sum, { files }) => sum + files.length, 0)} files, ${count('documents')} documents`);

function collectProject({ name, module, version, directories }) {
  const root = downloadModule(`${module}@${version}`);
  const licence = readLicence(root, module);
  const files = [];
  const texts = [];
  for (const directory of directories) {
    const perDirectory = new Map();
    for (const path of listYaml(root, directory)) {
      const parent = dirname(path);
      const taken = perDirectory.get(parent) ?? 0;
      const text = taken === filesOfOneDirectory ? undefined : readManifests(join(root, path));
      if (text === undefined) continue;
      perDirectory.set(parent, taken + 1);
      texts.push([path, text]);
      files.push({ path, documents: countManifests(text) });
    }
  }
  // The Apache licence asks to pass on a NOTICE where there is one.
  const notice = join(root, 'NOTICE');
  if (files.length > 0 && existsSync(notice)) {
    writeFileSync(join(cases, 'manifests', `${name}.NOTICE`), readFileSync(notice));
  }
  if (texts.length > 0) {
    const sorted = texts.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const archive = {
      comment: `${module} ${version}, ${licence}\n`,
      includes: [],
      files: new Map(sorted),
      cases: new Map(),
    };
    writeFileSync(join(cases, 'manifests', `${name}.case`), formatArchive(archive));
  }
  return { name, module, version, licence, files };
}

function readLicence(root, module) {
  const file = readdirSync(root).find((name) => /^LICEN[CS]E(?:\.md)?$/.test(name));
  const text = readFileSync(join(root, file ?? 'LICENSE'), 'utf8')
    .replaceAll(/\s+/g, ' ')
    .trimStart();
  if (!text.startsWith('Apache License Version 2.0')) throw new Error(`${module} is not under the Apache licence`);
  return 'Apache-2.0';
}

function listYaml(root, directory) {
  return readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name) && !/^kustomization\.ya?ml$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}

/** The text of a file worth having: manifests, no template, no generated CRD, nothing secret, not here already. */
function readManifests(file) {
  const text = readFileSync(file, 'utf8');
  if (text.length > largestFile || countManifests(text) === 0) return undefined;
  if (/\{\{|<%|__[A-Z_]+__|\$\{|PRIVATE KEY|LS0tLS1CRUdJTi|^kind: CustomResourceDefinition/m.test(text))
    return undefined;
  // Configuration that programs read from a file; no API server serves it, and no schema describes it.
  if (/^apiVersion: (?:kustomize\.config|kubeadm|kubelet\.config|kind\.x-k8s|chainsaw)/m.test(text)) return undefined;
  const hash = createHash('sha256')
    .update(text.replaceAll(/\s+|#.*/g, ''))
    .digest('hex');
  if (seen.has(hash)) return undefined;
  seen.add(hash);
  return text;
}

function countManifests(text) {
  return text.split(/^---/m).filter((document) => /^apiVersion:/m.test(document) && /^kind:/m.test(document)).length;
}

// One file a line, so that a change of one is a change of one line.
function formatSources(all) {
  const blocks = all.map(({ files, ...source }) => {
    const head = JSON.stringify(source).slice(0, -1);
    return `${head},"files":[\n${files.map((file) => `  ${JSON.stringify(file)}`).join(',\n')}\n]}`;
  });
  return `[\n${blocks.join(',\n')}\n]\n`;
}
