import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { downloadModule } from './go-modules.mjs';
import { metallb } from './metallb.mjs';
import { readDefinitionFiles, readDefinitions } from './read-definitions.mjs';
import { readKubernetes } from './read-kubernetes.mjs';
import { readLifecycle } from './read-lifecycle.mjs';
import { kubernetes, projects } from './sources.mjs';
import { writeStructures, writeWords } from './write-lines.mjs';

const apache = 'Apache-2.0';
const noticeHead =
  'The files beside this one are made from the following Go modules: descriptions of API fields are theirs, word for word.';

/** All files of the shipped data by name: structures as they are, descriptions to be compressed. */
export function makeData({ findDeprecation, log }) {
  const files = new Map();
  const notices = new Set();
  const manifest = { kubernetes: makeKubernetes(), projects: [] };
  for (const project of projects) manifest.projects.push(makeProject(project));
  manifest.projects.push(makeMetallb());
  files.set('manifest.json', writeManifest(manifest));
  files.set('NOTICE.txt', `${[noticeHead, ...notices].join('\n\n')}\n`);
  return files;

  function download(module, licence) {
    const directory = downloadModule(module);
    // Nothing is shipped under terms that nobody has looked at.
    const isApache = readFileSync(join(directory, 'LICENSE'), 'utf8').includes('Apache License');
    if (!isApache && licence === apache) throw new Error(`${module} is not under the ${apache} licence`);
    const notice = join(directory, 'NOTICE');
    const text = existsSync(notice) ? `\n\n${readFileSync(notice, 'utf8').trim()}` : '';
    notices.add(`${module}: ${licence}${text}`);
    return directory;
  }

  function makeKubernetes() {
    const releases = kubernetes.versions.map((version) => {
      log(`${kubernetes.name} ${version}`);
      return { version, ...readKubernetes(download(`${kubernetes.module}@v${version}`, apache), findDeprecation) };
    });
    const names = [...new Set(releases.flatMap(({ kinds }) => [...kinds.keys()]))].toSorted(compareText);
    const lifecycle = new Map(kubernetes.lifecycle.flatMap((module) => [...readLifecycle(download(module, apache))]));
    const objectMetas = releases.map(({ objectMeta }) => objectMeta);
    const roots = releases.flatMap(({ kinds }) => names.flatMap((name) => kinds.get(name) ?? []));
    const add = addFiles(kubernetes.file, [...roots, ...objectMetas]);
    const minors = releases.map(({ version }) => version.split('.')[1]);
    const kinds = names.map((name) => {
      const found = releases.flatMap(({ kinds: known }, index) => {
        const kind = known.get(name);
        return kind === undefined ? [] : [{ minor: Number(minors[index]), kind }];
      });
      const places = found.map(({ minor, kind }) => ({ minor, places: add.places(kind) }));
      noteDeprecation(lifecycle, name, findDeprecation(found[0].kind.description));
      return [name, { scope: found[0].kind.scope, places: joinRuns(places) }];
    });
    return {
      name: kubernetes.name,
      file: kubernetes.file,
      licence: apache,
      modules: kubernetes.versions.map((version) => `${kubernetes.module}@v${version}`).concat(kubernetes.lifecycle),
      versions: kubernetes.versions,
      objectMeta: joinRuns(
        objectMetas.map((meta, index) => ({ minor: Number(minors[index]), places: add.places(meta) })),
      ),
      kinds: Object.fromEntries(kinds),
      lifecycle: Object.fromEntries([...lifecycle].toSorted(([a], [b]) => compareText(a, b))),
    };
  }

  function makeProject({ name, modules, licence = apache }) {
    log(name);
    const parts = modules.map((part) => {
      const directory = download(`${part.module}@v${part.version}`, licence);
      const definitions = part.directories.flatMap((folder) => readDefinitionFiles(join(directory, folder)));
      return { ...part, kinds: readDefinitions(definitions, findDeprecation) };
    });
    return { ...describeKinds(name, parts), licence };
  }

  function makeMetallb() {
    const kinds = readDefinitions(metallb.definitions, findDeprecation);
    return { ...describeKinds(metallb.name, [{ kinds }]), licence: "kurel's own" };
  }

  function describeKinds(name, parts) {
    const file = name.toLowerCase().replaceAll(' ', '-');
    const add = addFiles(
      file,
      parts.flatMap(({ kinds }) => [...kinds.values()]),
    );
    return {
      name,
      file,
      parts: parts.map((part) => ({
        name: part.name ?? name,
        ...(part.module === undefined ? {} : { module: `${part.module}@v${part.version}`, version: part.version }),
        ...(part.channel === undefined ? {} : { channel: part.channel }),
        kinds: Object.fromEntries(
          [...part.kinds].map(([key, kind]) => [
            key,
            { scope: kind.scope, places: add.places(kind), ...kind.deprecation },
          ]),
        ),
      })),
    };
  }

  function addFiles(file, pairs) {
    const structures = writeStructures(pairs.map(({ structure }) => structure));
    const words = writeWords(pairs.map((pair) => pair.words));
    files.set(`${file}.jsonl`, structures.text);
    files.set(`${file}.words.jsonl.br`, words.text);
    return { places: (pair) => [structures.numberOf(pair.structure), words.numberOf(pair.words)] };
  }
}

function compareText(a, b) {
  return a < b ? -1 : 1;
}

/** Some kinds are only said to be deprecated in their description: `This API is deprecated in v1.33+. Use …`. */
function noteDeprecation(lifecycle, name, sentence) {
  const since = /deprecated in v?(1\.\d+)/i.exec(sentence ?? '')?.[1];
  if (since === undefined || lifecycle.has(name)) return;
  const replacement = replacements[name];
  lifecycle.set(name, { since, ...(replacement === undefined ? {} : { replacement }) });
}

/** Descriptions name Go packages; messages name kinds. */
const replacements = { '/v1/Endpoints': 'discovery.k8s.io/v1 EndpointSlice' };

/** From the places in each version, newest first, to `[newest, oldest, ...places]` for versions in which nothing changed. */
function joinRuns(releases) {
  const runs = [];
  for (const { minor, places } of releases) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === minor + 1 && last.slice(2).join() === places.join()) last[1] = minor;
    else runs.push([minor, minor, ...places]);
  }
  return runs;
}

/** One line for each kind, so that a change of the data can be read. */
function writeManifest(manifest) {
  return `${JSON.stringify(manifest)
    .replaceAll(/("[^"]+":\{"(?:scope|since|name)":)/g, '\n$1')
    .replaceAll(/(\{"name":)/g, '\n$1')}\n`;
}
