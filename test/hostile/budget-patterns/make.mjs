import { openDirectory } from '../make-files.mjs';
import { definition, shapes } from '../../../fuzz/slow/shapes.mjs';

export function make(directory) {
  const { put } = openDirectory(directory);
  const putShape = (name, numbers) => {
    const [, files] = shapes.find((shape) => shape.name === name).make(numbers);
    for (const [path, text] of Object.entries(files)) put(path, text);
  };
  putShape('patterns of definitions', { repeat: 900, length: 8000, count: 400 });
  putShape('patterns of parameters', { repeat: 900, length: 8000, count: 400 });
  // Each pattern is short and has thousands of instructions.
  const names = Array.from({ length: 5000 }, (_, index) => `f${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', pattern: '(a{90}){100}' }]));
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
  put('many-crd.yaml', JSON.stringify(definition({ type: 'object', properties })));
  put('many.yaml', JSON.stringify({ ...widget, spec: Object.fromEntries(names.map((name) => [name, 'b'])) }));
}
