import { openDirectory } from '../make-files.mjs';
import { shapes } from '../../../fuzz/slow/shapes.mjs';

export function make(directory) {
  const { put } = openDirectory(directory);
  const textOf = (name, numbers) => Object.values(shapes.find((shape) => shape.name === name).make(numbers)[1])[0];
  put('broken.yaml', textOf('documents that cannot be read', { count: 20_000 }));
  put('fields.yaml', textOf('unknown fields', { objects: 1000, fields: 80 }));
  put('line.json', textOf('unknown fields in one line', { fields: 60_000 }));
  put('objects.yaml', textOf('documents that are not objects', { count: 20_000 }));
  put('pods.yaml', textOf('services that select every pod', { services: 2000, pods: 2000 }));
  put('volumes.yaml', textOf('volumes of a pod', { count: 9000 }));
  put('p/app.yaml', textOf('properties that are not known', { count: 30_000 }));
  // Errors that come after a warning of the same code are still reported.
  put(
    'mixed.yaml',
    [3, 'a', 'b']
      .map(
        (port, at) =>
          `apiVersion: v1\nkind: Service\nmetadata: {name: s${at}}\nspec: {ports: [{port: ${port}}], x: 1}\n`,
      )
      .join('---\n'),
  );
}
