import { openDirectory } from '../make-files.mjs';
import { shapes } from '../../../fuzz/slow/shapes.mjs';

const inputs = {
  wildcards: ['wildcard patches', { objects: 1000, containers: 2, patches: 3000 }],
  names: ['patches of names with wildcards', { objects: 4000, patches: 4000, stars: 5 }],
  appends: ['appends', { count: 100_000, objects: 1 }],
  targets: ['patches without a target', { count: 20_000, objects: 7000 }],
  strategic: ['strategic patches of one object', { patches: 1500, items: 1 }],
  explained: ['explained changes', { keys: 25_000 }],
};

/** The first word after the command says which of them is made. */
export function make(directory, [, path]) {
  const { put } = openDirectory(directory);
  const folder = path.split('/')[0];
  const [name, numbers] = inputs[folder];
  const [, files] = shapes.find((shape) => shape.name === name).make(numbers);
  for (const [file, text] of Object.entries(files)) put(`${folder}/${file}`, text);
}
