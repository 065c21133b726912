// The copy of the checkout in which sources are mutated.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files under version control and new ones, as they are now. */
export function listFiles(root, ...patterns) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns];
  const paths = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\0');
  const exists = (path) => path !== '' && lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  return [...new Set(paths)].filter(exists);
}

export function copyCheckout(root, scratch) {
  rmSync(scratch, { recursive: true, force: true });
  for (const path of listFiles(root)) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    cpSync(join(root, path), join(scratch, path), { verbatimSymlinks: true });
  }
  const tools = join(root, '.tools');
  if (existsSync(tools) && !existsSync(join(scratch, '.tools'))) symlinkSync(tools, join(scratch, '.tools'));
  linkModules(join(root, 'node_modules'), join(scratch, 'node_modules'));
}

/** Links each installed package, but copies the links to our own, which must lead into the copy. */
function linkModules(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else if (entry.name.startsWith('@') || entry.name === '.bin') linkModules(source, target);
    else if (entry.isDirectory()) symlinkSync(source, target);
    else copyFileSync(source, target);
  }
}
