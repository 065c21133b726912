// node:fs for Windows paths: drive C: is the root of this disk, case is ignored but kept, and names that Windows refuses are errors.
'use strict';
const fs = require('node:fs');
const { posix } = require('node:path');

const twoPaths = new Set(['renameSync', 'linkSync', 'copyFileSync']);
const givesPath = new Set(['realpathSync', 'mkdtempSync']);
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

for (const [name, value] of Object.entries(fs)) {
  module.exports[name] = typeof value === 'function' && name.endsWith('Sync') ? onWindows(name, value) : value;
}
module.exports.realpathSync.native = onWindows('realpathSync', fs.realpathSync.native);

function onWindows(name, act) {
  return (...args) => {
    const count = twoPaths.has(name) ? 2 : 1;
    try {
      const paths = args.slice(0, count).map((path, index) => toDisk(path, { name, isTarget: index === 1 }));
      const result = act(...paths, ...args.slice(count));
      return givesPath.has(name) ? toWindows(result) : result;
    } catch (error) {
      const isAsked = name === 'existsSync' || args.at(-1)?.throwIfNoEntry === false;
      if (isAsked && error.code === 'ENOENT') return name === 'existsSync' ? false : undefined;
      for (const key of ['path', 'dest']) if (error[key]?.startsWith('/')) error[key] = toWindows(error[key]);
      throw error;
    }
  };
}

function toWindows(path) {
  return `C:${path.replaceAll('/', '\\')}`;
}

/** A descriptor is returned as it is. */
function toDisk(path, { name, isTarget }) {
  if (typeof path !== 'string') return path;
  const [, drive = 'C', rest] = /^(?:([A-Za-z]):)?([^]*)$/.exec(path);
  const steps = rest.replaceAll('\\', '/');
  if (drive.toUpperCase() !== 'C' || !steps.startsWith('/') || steps.startsWith('//')) fail('ENOENT', name, path);
  for (const part of steps.split('/')) {
    if (device.test(part) || /[<>:"|?*]|[^.][. ]$/.test(part)) fail('ENOENT', name, path);
  }
  if (name !== 'renameSync' || !isTarget) return spell(steps);
  // A file that is renamed has the new name, also if there was another spelling of it.
  const parent = spell(posix.dirname(steps));
  const other = spell(posix.join(parent, posix.basename(steps)));
  const target = posix.join(parent, posix.basename(steps));
  if (other !== target) fs.renameSync(other, target);
  return target;
}

/** The path with the names as they are on the disk. */
function spell(path) {
  if (fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined || path === '/') return path;
  const parent = spell(posix.dirname(path));
  const wanted = posix.basename(path).toLowerCase();
  const names = fs.statSync(parent, { throwIfNoEntry: false })?.isDirectory() ? fs.readdirSync(parent) : [];
  return posix.join(parent, names.find((name) => name.toLowerCase() === wanted) ?? posix.basename(path));
}

function fail(code, syscall, path) {
  throw Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}
