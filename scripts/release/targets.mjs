/** The runtime of the executables. */
export const bunVersion = '1.4.4';

/** The machines that there are executables for, and the names that bun's packages have for them. */
export const targets = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-aarch64',
  'linux-x64-musl': 'linux-x64-musl',
  'linux-arm64-musl': 'linux-aarch64-musl',
  'macos-x64': 'darwin-x64',
  'macos-arm64': 'darwin-aarch64',
  'windows-x64': 'windows-x64',
};

const platforms = { win32: 'windows', darwin: 'macos' };

/** The target of this machine. */
export const ownTarget = `${platforms[process.platform] ?? process.platform}-${process.arch}`;

/** The words of a command line, with `all` for every target; ends the process if there is another word. */
export function readTargets(words) {
  const unknown = words.filter((word) => word !== 'all' && !(word in targets));
  if (unknown.length > 0) {
    console.error(`unknown target ${unknown.join(', ')}; the targets are ${Object.keys(targets).join(', ')} and all`);
    process.exit(2);
  }
  return words.includes('all') ? Object.keys(targets) : words;
}

/** The name of the executable in `dist`; without a target, of the one for this machine. */
export function executableName(target) {
  return `kurel${target === undefined ? '' : `-${target}`}${executableEnding(target ?? ownTarget)}`;
}

export function executableEnding(target) {
  return target.startsWith('windows') ? '.exe' : '';
}
