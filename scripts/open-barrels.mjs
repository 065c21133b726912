// Code imports other modules through their index.ts. esbuild loads all that an index leads to as soon as one name of it is
// imported, so the build puts the file that a name comes from in the place of the index: a start then reads no unused code.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An esbuild plugin for the sources below a directory. */
export function openBarrels(directory) {
  const barrels = new Map();

  /** Each name that an index exports, with the file that it is from and its name there. */
  function namesOf(file) {
    const known = barrels.get(file);
    if (known !== undefined) return known;
    const names = new Map();
    barrels.set(file, names);
    const text = readFileSync(file, 'utf8');
    for (const [, list, target] of text.matchAll(/^export \{([^}]*)\} from '([^']+)';/gm)) {
      const from = join(dirname(file), target);
      for (const [name, as] of readList(list))
        names.set(as, isBarrel(from) ? namesOf(from).get(name) : { file: from, name });
    }
    for (const [, target] of text.matchAll(/^export \* from '([^']+)';/gm)) {
      for (const [name, place] of namesOf(join(dirname(file), target))) names.set(name, place);
    }
    const own = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
    for (const [, name] of text.matchAll(own)) names.set(name, { file, name });
    return names;
  }

  return {
    name: 'open-barrels',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(directory) || isBarrel(path)) return undefined;
        const contents = readFileSync(path, 'utf8').replaceAll(
          /^import \{([^}]*)\} from '(\.[^']*\/index\.ts)';$/gm,
          (statement, list, target) => {
            const names = namesOf(join(dirname(path), target));
            const imports = readList(list).map(([name, as]) => {
              const place = names.get(name);
              if (place === undefined) throw new Error(`${path}: ${target} exports no ${name}`);
              return `import { ${place.name} as ${as} } from ${JSON.stringify(place.file)};`;
            });
            // Positions in the file stay what they are.
            return imports.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
          },
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** `a, type B, c as d` → the names of values, each with its name here. */
function readList(list) {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => item.split(/\s+as\s+/))
    .map(([name, as = name]) => [name, as]);
}

function isBarrel(file) {
  return file.endsWith('/index.ts');
}
