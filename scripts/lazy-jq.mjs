// jq is a third of the code and most runs have no jq program, so it is loaded only when one of its functions is called.
import { join } from 'node:path';

import { build, transform } from 'esbuild';

/** The library in one ES module, and a CommonJS module with the same exports, which requires the other as `./jq.cjs` on first use. */
export async function bundleJq(directory) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(directory, 'src', 'index.ts')],
    bundle: true,
    target: 'node20.19',
    legalComments: 'none',
    logLevel: 'warning',
    format: 'esm',
    platform: 'node',
    metafile: true,
    write: false,
  });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  const getters = names.map((name) => `get ${name}(){return require("./jq.cjs").${name}}`);
  return { text: outputFiles[0].text, lazy: `module.exports={${getters.join(',')}};` };
}

/** An esbuild plugin for programs in one piece: the library is a function in them that is called on first use. */
export function lazyJq(directory) {
  return {
    name: 'lazy-jq',
    setup(setting) {
      setting.onResolve({ filter: /^(?:@kurel\/jq|\.\/jq\.cjs)$/ }, ({ path, namespace }) =>
        path === '@kurel/jq' || namespace === 'jq' ? { path, namespace: 'jq' } : undefined,
      );
      setting.onLoad({ filter: /.*/, namespace: 'jq' }, async ({ path }) => {
        const { text, lazy } = await bundleJq(directory);
        if (path === '@kurel/jq') return { contents: lazy };
        return { contents: (await transform(text, { format: 'cjs' })).code };
      });
    },
  };
}
