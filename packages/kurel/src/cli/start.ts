// Called by bin/kurel.cjs: everything that must happen before the program is loaded.
import { loadProgram, openCodeCache } from './load-program.ts';

/** Set by the bundler: a hash of the program's files, and the chunks of each file. */
declare const PROGRAM_BUILD: string;
declare const PROGRAM_FILES: Readonly<Record<string, string>>;

/** Commands that end before optimised code would pay off. */
const briefWords = [undefined, 'help', '--help', '-h', 'version', '--version', '-V', 'completion'];

// Node 20 has no mid-tier compiler, and starts the optimising one so early that most of its code comes too late for a run of a tenth of
// a second, which then waits for it at exit. Later versions of V8 do not have the flag.
const isPatient = process.versions.v8.startsWith('11.') && !briefWords.includes(process.argv[2]);
if (isPatient) process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=500000');

const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').trim();

const cache = openCodeCache({
  variables: process.env,
  userId: process.getuid?.(),
  // V8 rejects code of other versions and flags itself; the key only keeps such code in separate files, so that they do not replace
  // one another.
  key: [
    PROGRAM_BUILD,
    process.version,
    process.arch,
    ...(isPatient ? ['patient'] : []),
    ...(flags === '' ? [] : [checksum(flags)]),
  ].join('-'),
});
// `main.cjs` is made from main.ts and what every command needs.
const keepCode = loadProgram({ directory: import.meta.dirname, chunksOf: PROGRAM_FILES }, './main.cjs', cache);
process.on('exit', keepCode);

/** FNV-1a: a hash function of Node would have to be loaded. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(16);
}
