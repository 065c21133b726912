// What bin/kurel.cjs calls: everything that must happen before the program itself is loaded.
import { openCodeCache } from './code-cache.ts';
import { loadProgram } from './load-program.ts';

/** Put in by the build: a hash of the program's files, and which file holds which chunk. */
declare const PROGRAM_BUILD: string;
declare const PROGRAM_FILES: Readonly<Record<string, string>>;

/** First words of calls that are over before anything is compiled thoroughly. */
const briefWords = [undefined, 'help', '--help', '-h', 'version', '--version', '-V', 'completion'];

// Node 20 has no compiler between the quick one and the thorough one, and calls the thorough one so early that most of what it
// makes comes too late for a run of a tenth of a second, which then waits at its end for the rest. Later V8s do not know the flag.
const isPatient = process.versions.v8.startsWith('11.') && !briefWords.includes(process.argv[2]);
if (isPatient) process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=300000');

const cache = openCodeCache({
  variables: process.env,
  userId: process.getuid?.(),
  // V8 refuses code of another version and of other flags by itself; the key only keeps such code apart.
  key: [PROGRAM_BUILD, process.version, process.arch, ...(isPatient ? ['patient'] : [])].join('-'),
});
const keepCode = loadProgram({ directory: import.meta.dirname, fileOf: PROGRAM_FILES }, './main.cjs', cache);
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  keepCode((user + system) / 1000);
});
