import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonObject, ProgramError } from '../model/index.ts';
import type { Credentials } from '../registry/index.ts';
import type { RegistryConfigOptions } from './docker-config.ts';
import { findProgram } from './find-program.ts';
import { hostProblems } from './problems.ts';
import { runProcess } from './run-process.ts';

/** A program that keeps credentials, such as `docker-credential-osxkeychain`. */
export interface CredentialHelper {
  /** The part of its name after `docker-credential-`. */
  readonly name: string;
  /** The file that names it. */
  readonly config: string;
}

/** What a helper is called with: the key of a registry in docker's file. */
interface HelperCall {
  readonly key: string;
  readonly options: RegistryConfigOptions;
}

// It may wait for the user to unlock a key ring, or for a cloud to issue a token.
const longestCall = 60_000;
const mostOutput = 65_536;
const absent = /credentials not found|no credentials/i;
/** Docker's user name for an identity token. */
const tokenUser = '<token>';

/** `undefined` if the helper has none. */
export async function getCredentials(helper: CredentialHelper, call: HelperCall): Promise<Credentials | undefined> {
  const { exitCode, stdout } = await runHelper(helper, 'get', { ...call, stdin: call.key });
  if (exitCode !== 0) {
    if (absent.test(stdout)) return undefined;
    throw refuse(helper, call, 'get', { reason: `exit code ${exitCode}` });
  }
  const { Username: username, Secret: secret } = parseAnswer(stdout) ?? {};
  if (typeof username !== 'string' || typeof secret !== 'string') {
    throw refuse(helper, call, 'get', { reason: 'its output has no Username and Secret' });
  }
  if (secret === '') return undefined;
  return username === tokenUser ? { identityToken: secret } : { username, password: secret };
}

export async function storeCredentials(
  helper: CredentialHelper,
  call: HelperCall & { readonly credentials: Credentials },
): Promise<void> {
  const { key, credentials } = call;
  const [username, secret] =
    'identityToken' in credentials
      ? [tokenUser, credentials.identityToken]
      : [credentials.username, credentials.password];
  const stdin = JSON.stringify({ ServerURL: key, Username: username, Secret: secret });
  const { exitCode } = await runHelper(helper, 'store', { ...call, stdin });
  if (exitCode !== 0) throw refuse(helper, call, 'store', { reason: `exit code ${exitCode}` });
}

/** Returns whether there were any. */
export async function eraseCredentials(helper: CredentialHelper, call: HelperCall): Promise<boolean> {
  const { exitCode, stdout } = await runHelper(helper, 'erase', { ...call, stdin: call.key });
  if (exitCode === 0) return true;
  if (absent.test(stdout)) return false;
  throw refuse(helper, call, 'erase', { reason: `exit code ${exitCode}` });
}

type HelperAction = 'get' | 'store' | 'erase';

async function runHelper(
  helper: CredentialHelper,
  action: HelperAction,
  call: HelperCall & { readonly stdin: string },
): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  const { environment, signal, workingDirectory } = call.options;
  const program = programOf(helper);
  const { found } = findProgram(program, { environment });
  if (found === undefined) {
    throw refuse(helper, call, action, { reason: 'it is not installed or not on PATH', isInstalled: false });
  }
  try {
    return await runProcess({
      program,
      file: found,
      args: [action],
      environment: Object.fromEntries(
        Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      stdin: call.stdin,
      timeoutMs: longestCall,
      maxOutputBytes: mostOutput,
      ...(workingDirectory === undefined ? {} : { directory: workingDirectory }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (cause) {
    if (!(cause instanceof ProgramError)) throw cause;
    throw refuse(helper, call, action, { reason: cause.message, cause });
  }
}

function programOf({ name }: CredentialHelper): string {
  return `docker-credential-${name}`;
}

function parseAnswer(stdout: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const answer: unknown = JSON.parse(stdout);
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Never quotes the output of the helper, which may contain the secret. */
function refuse(
  helper: CredentialHelper,
  { key }: HelperCall,
  action: HelperAction,
  { reason, isInstalled = true, cause }: { readonly reason: string; readonly isInstalled?: boolean; cause?: unknown },
): DiagnosticError {
  const args = { program: programOf(helper), key, action, reason, config: helper.config, isInstalled };
  return new DiagnosticError([hostProblems.create('credential-helper-failed', args)], { cause });
}
