import { registryProblem } from '../../artifact/index.ts';
import { DiagnosticError, escapeControls } from '../../diagnostics/index.ts';
import { storeLogin } from '../../host/index.ts';
import { FetchError } from '../../model/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { checkLogin } from '../../registry/index.ts';
import type { Credentials } from '../../registry/index.ts';
import { defineCommand, switchFlag, textFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import type { Environment } from '../environment.ts';
import { messageFormatFlag } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { cliProblems } from '../problems.ts';
import { createRegistryAccess, readRegistryHost, registryFlags, registryOptions } from '../registry-access.ts';
import { UsageError } from '../usage-error.ts';
import { settingsOf } from '../setting-flags.ts';

const flags = {
  username: textFlag('NAME', 'Name of the user.', { short: 'u' }),
  'password-stdin': switchFlag('Read the password or token from standard input.'),
  ...registryFlags,
  'registry-config': {
    ...registryFlags['registry-config'],
    summary: "Store the credentials in FILE; defaults to docker's config.json.",
  },
  ...timeLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

type Call = CommandCall<typeof flags>;

async function runLogin({ positionals, flags, environment }: Call): Promise<CommandResult> {
  const host = readRegistryHost('login', positionals[0]!);
  const credentials = await readCredentials(host, flags, environment);
  const diagnostics: Diagnostic[] = [];
  if (!(await verify(host, credentials, { flags, environment }))) {
    diagnostics.push(cliProblems.create('login-not-verified', { host }));
  }
  const place = await storeLogin(host, credentials, registryOptions(settingsOf(flags), environment));
  if (place === undefined) {
    throw new UsageError('there is no home directory to store the credentials in', 'pass --registry-config FILE');
  }
  if ('file' in place) diagnostics.push(cliProblems.create('login-not-encrypted', place));
  return { stdout: `logged in to ${host} as ${escapeControls(credentials.username)}\n`, diagnostics };
}

type Password = Extract<Credentials, { readonly password: string }>;

async function readCredentials(host: string, flags: Call['flags'], environment: Environment): Promise<Password> {
  const { username, 'password-stdin': isOnStdin } = flags;
  const usual = `use kurel login ${host} --username ${username ?? 'NAME'} --password-stdin < FILE`;
  if (username === undefined || username === '') throw new UsageError('kurel login requires --username', usual);
  // With it, the password could not be separated from the name.
  if (/[:\p{Cc}]/u.test(username)) throw new UsageError('--username must not contain ":" or control characters');
  if (!isOnStdin) throw new UsageError('kurel login requires --password-stdin', usual);
  if (environment.stdinIsTerminal?.() === true) {
    throw new UsageError('standard input is a terminal, which would show the password', usual);
  }
  const password = (await environment.readStdin(largestPassword)).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('the password on standard input is empty', usual);
  return { username, password };
}

const largestPassword = 65_536;

/** Whether the registry has asked for the credentials. */
async function verify(
  host: string,
  credentials: Password,
  { flags, environment }: Omit<Call, 'positionals'>,
): Promise<boolean> {
  const access = { ...createRegistryAccess(settingsOf(flags), environment), credentialsFor: async () => credentials };
  try {
    return await checkLogin(host, access);
  } catch (error) {
    const isRefused = error instanceof FetchError && (error.status === 401 || error.status === 403);
    const problem = isRefused
      ? cliProblems.create('login-refused', { host, username: credentials.username })
      : registryProblem(error);
    throw new DiagnosticError([problem], { cause: error });
  }
}

export const login = defineCommand({
  name: 'login',
  description:
    'Verifies the password with the registry and stores it where docker stores it: with the credential helper that docker is configured to ' +
    'use, or in its config.json. kurel, docker, helm and others then use it.',
  arguments: [{ name: 'HOST', summary: 'host of the registry, with its port if it has one' }],
  flags,
  examples: [
    {
      says: 'with a token from the environment',
      line: 'echo "$TOKEN" | kurel login ghcr.io --username ann --password-stdin',
    },
  ],
  run: runLogin,
});
