import system, { type PlatformPath } from 'node:path';

import { escapeControls, quote } from '../../diagnostics/index.ts';
import { writeOutputFile } from '../../host/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandResult } from '../command.ts';
import { scripts } from '../completion/scripts.ts';
import type { Shell } from '../completion/scripts.ts';
import type { Environment } from '../environment.ts';
import { openDisk } from '../open-world.ts';
import { UsageError } from '../usage-error.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const satisfies readonly Shell[];

export const completion = defineCommand({
  name: 'completion',
  description:
    'Completes commands, flags, files, and what the package on the command line has: parameters for --set, patches for --enable, kinds, ' +
    'objects and fields.',
  arguments: [
    {
      name: 'ACTION',
      summary: 'bash, zsh, fish or powershell to print the script, or install',
      choices: [...shells, 'install'],
    },
    { name: 'SHELL', summary: 'install: the shell; defaults to the one in SHELL', optional: true, choices: shells },
  ],
  flags: {},
  examples: [
    { says: 'set it up for your shell', line: 'kurel completion install' },
    { says: 'try it in this bash', line: 'source <(kurel completion bash)' },
  ],
  async run({ positionals: [action, shell], environment }) {
    if (action === 'install') return install(chooseShell(shell, environment), environment);
    if (shell !== undefined)
      throw new UsageError(`unexpected argument ${quote(shell)}`, `use kurel completion ${action}`);
    return { stdout: scripts[action as Shell] };
  },
});

function chooseShell(named: string | undefined, { variables }: Environment): Shell {
  const name = named ?? (variables['SHELL'] ?? '').replace(/^.*\//, '');
  const shell = shells.find((candidate) => candidate === name);
  if (shell !== undefined) return shell;
  throw new UsageError('cannot detect your shell from SHELL', `use kurel completion install ${shells.join('|')}`);
}

/** Writes the script where the shell loads it from, or one line into its start-up file. */
async function install(shell: Shell, environment: Environment): Promise<CommandResult> {
  const path = findScript(shell, environment.variables);
  const line = startUpLines[shell];
  if (line === undefined) writeOutputFile(path, scripts[shell]);
  else {
    const disk = openDisk(environment);
    const before = (await disk.kindOf(path)) === undefined ? Buffer.alloc(0) : Buffer.from(await disk.readBytes!(path));
    if (!before.includes(line)) writeOutputFile(path, Buffer.concat([before, Buffer.from(`\n${line}\n`)]));
  }
  return { stdout: `installed completion for ${shell} in ${escapeControls(path)}; start a new shell to use it\n` };
}

/** The file that the shell loads. */
export function findScript(shell: Shell, variables: Environment['variables'], platform: PlatformPath = system): string {
  const home = variables['HOME'] ?? variables['USERPROFILE'] ?? '';
  if (home === '') throw new UsageError('cannot find your home directory', 'set HOME');
  const data = variables['XDG_DATA_HOME'] ?? platform.join(home, '.local', 'share');
  const config = variables['XDG_CONFIG_HOME'] ?? platform.join(home, '.config');
  return {
    bash: platform.join(data, 'bash-completion', 'completions', 'kurel'),
    zsh: platform.join(variables['ZDOTDIR'] ?? home, '.zshrc'),
    fish: platform.join(config, 'fish', 'completions', 'kurel.fish'),
    powershell:
      platform.sep === '/'
        ? platform.join(config, 'powershell', 'profile.ps1')
        : platform.join(home, 'Documents', 'PowerShell', 'profile.ps1'),
  }[shell];
}

/** Shells without a directory of completions that they read by default. */
const startUpLines: Readonly<Partial<Record<Shell, string>>> = {
  zsh: 'autoload -Uz compinit && compinit && source <(kurel completion zsh)',
  powershell: 'kurel completion powershell | Out-String | Invoke-Expression',
};
