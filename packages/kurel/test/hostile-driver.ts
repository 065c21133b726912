// What the process that hostile-suite.ts starts runs: one command after the other, each as the program itself would.
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../src/cli/run.ts';
import { readStdin } from '../src/host/index.ts';

export interface HostileCall {
  readonly words: readonly string[];
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly toolsDirectory: string;
  /** Read as standard input; nothing when there is no such file. */
  readonly stdin: string;
}

export interface HostileAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Names that every object has got by the call, which is none unless a prototype was changed. */
  readonly pollution: readonly string[];
}

const names = new Set(Object.getOwnPropertyNames(Object.prototype));

process.on('message', (call: HostileCall) => {
  void answer(call).then((result) => process.send!(result));
});

async function answer(call: HostileCall): Promise<HostileAnswer> {
  const { words, workingDirectory, variables, toolsDirectory, stdin } = call;
  process.chdir(workingDirectory);
  const written: { stdout: string[]; stderr: string[] } = { stdout: [], stderr: [] };
  const exitCode = await run(words, {
    workingDirectory: process.cwd(),
    variables,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    toolsDirectories: [toolsDirectory],
    readStdin: async (maxBytes) => (existsSync(stdin) ? await readStdin(createReadStream(stdin), maxBytes) : ''),
    writeStdout: (text) => written.stdout.push(text),
    writeStderr: (text) => written.stderr.push(text),
  });
  process.chdir(join(import.meta.dirname, '..'));
  const pollution = Object.getOwnPropertyNames(Object.prototype).filter((name) => !names.has(name));
  return { exitCode, stdout: written.stdout.join(''), stderr: written.stderr.join(''), pollution };
}
