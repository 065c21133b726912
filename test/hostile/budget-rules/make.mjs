import { openDirectory } from '../make-files.mjs';
import { shapes } from '../../../fuzz/slow/shapes.mjs';

export function make(directory) {
  const { put } = openDirectory(directory);
  const [, files] = shapes.find(({ name }) => name === 'rules').make({ count: 100, items: 3000, objects: 4 });
  for (const [path, text] of Object.entries(files)) put(path, text);
}
