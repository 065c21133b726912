import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const fileName = 'zz_generated.prerelease-lifecycle.go';
const version =
  /^func \(in \*(\w+)\) APILifecycle(Deprecated|Removed)\(\) \(major, minor int\) \{\n\treturn (\d+), (\d+)\n/gm;
const replacement =
  /^func \(in \*(\w+)\) APILifecycleReplacement\(\) schema\.GroupVersionKind \{\n\treturn schema\.GroupVersionKind\{Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"\}\n/gm;

/** When kinds are deprecated and removed, and what replaces them, by `group/version/Kind`. */
export function readLifecycle(directory) {
  const kinds = new Map();
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => path.endsWith(fileName)).toSorted()) {
    const folder = join(directory, dirname(file));
    if (!existsSync(join(folder, 'register.go'))) continue;
    const group = /\bGroupName = "([^"]*)"/.exec(readFileSync(join(folder, 'register.go'), 'utf8'))[1];
    const prefix = `${group}/${basename(folder)}`;
    const text = readFileSync(join(directory, file), 'utf8');
    const entry = (kind) => {
      const key = `${prefix}/${kind}`;
      if (!kinds.has(key)) kinds.set(key, {});
      return kinds.get(key);
    };
    for (const [, kind, what, major, minor] of text.matchAll(version)) {
      entry(kind)[what === 'Deprecated' ? 'since' : 'removedIn'] = `${major}.${minor}`;
    }
    for (const [, kind, toGroup, toVersion, toKind] of text.matchAll(replacement)) {
      entry(kind).replacement = `${toGroup === '' ? '' : `${toGroup}/`}${toVersion} ${toKind}`;
    }
  }
  return new Map([...kinds].filter(([key, { since }]) => since !== undefined && !key.endsWith('List')));
}
