import { openDirectory } from '../make-files.mjs';

export function make(directory) {
  const { put } = openDirectory(directory);
  put('nul.yaml', Buffer.alloc(60_000_000));
  put('control.yaml', `${'\u0001'.repeat(5_000_000)}\n`);
}
