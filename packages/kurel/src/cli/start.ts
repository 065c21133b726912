// Called by bin/kurel.cjs: everything that must happen before the program is loaded.
import { loadProgram, openCodeCache } from './load-program.ts';

/** Set by the bundler: a hash of the program's files, and the file of each chunk. */
declare const PROGRAM_BUILD: string;
declare const PROGRAM_FILES: Readonly<Record<string, string>>;

/** Commands that end before optimised code would pay off. */
const briefWords = [undefined, 'help', '--help', '-h', 'version', '--version', '-V', 'completion'];

// Node 20 has no mid-tier compiler, and starts the optimising one so early that most of its code comes too late for a run of a tenth of
// a second, which then waits for it at exit. Later versions of V8 do not have the flag.
const isPatient = process.versions.v8.startsWith('11.') && !briefWords.includes(process.argv[2]);
if (isPatient) process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=500000');

const cache = openCodeCache({
  variables: process.env,
  userId: process.getuid?.(),
  // V8 rejects code of other versions and flags itself; the key only keeps such code in separate files.
  key: [PROGRAM_BUILD, process.version, process.arch, ...(isPatient ? ['patient'] : [])].join('-'),
});
// `main.cjs` is made from main.ts and what every command needs.
const keepCode = loadProgram({ directory: import.meta.dirname, fileOf: PROGRAM_FILES }, './main.cjs', cache);
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  keepCode((user + system) / 1000);
});
