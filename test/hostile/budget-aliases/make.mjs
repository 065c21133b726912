import { openDirectory, parameters } from '../make-files.mjs';
import { shapes } from '../../../fuzz/slow/shapes.mjs';

/** Every document is far below what one may copy; all of them together are not. */
export function make(directory) {
  const { put } = openDirectory(directory);
  const textOf = (name, numbers) => Object.values(shapes.find((shape) => shape.name === name).make(numbers)[1]);
  put('documents.yaml', textOf('aliases in many documents', { count: 1600, width: 20, levels: 4 })[0]);
  put('below.yaml', textOf('aliases in many documents', { count: 3, width: 4, levels: 3 })[0]);
  for (const [at, text] of textOf('aliases in many files', { count: 100, width: 200, levels: 2 }).entries()) {
    put(`many/${at}.yaml`, text);
    put(`p.kurel/resources/${at}.yaml`, text);
  }
  put('p.kurel/parameters.yaml', parameters);
  const [base, patch] = textOf('operations of JSON Patches', { patches: 20, items: 1000 });
  put('copies.yaml', base);
  put('copies-patch.yaml', patch);
}
