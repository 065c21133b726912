import { DiagnosticError } from '../../diagnostics/index.ts';
import { KeyError, readPublicKey, readSigningKey } from '../../host/index.ts';
import type { Diagnostic, FileSystem } from '../../model/index.ts';
import { signingProblems } from '../../signing/index.ts';
import type { SignatureRule, SigningKey, Trust } from '../../signing/index.ts';
import type { Environment } from '../environment.ts';
import { fileProblemWithHint } from '../file-problem.ts';
import { openDisk } from '../open-world.ts';
import { UsageError } from '../usage-error.ts';

/** Whose signatures count, by files. */
export type TrustFiles = Pick<SignatureRule, 'keys' | 'identities' | 'trustedRoot'>;

/** Reads public keys and the trusted root; reports all that cannot be used. */
export async function readTrust({ keys, identities, trustedRoot }: TrustFiles, fileSystem: FileSystem): Promise<Trust> {
  const faults: Diagnostic[] = [];
  const attempt = async <Result>(path: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await useFile(path, work, fileSystem);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      for (const fault of error.diagnostics) faults.push(fault);
      return undefined;
    }
  };
  const read: Trust['keys'][number][] = [];
  for (const file of keys) {
    const isInline = isInlineKey(file);
    const name = isInline ? 'inline' : file;
    const key = await attempt(name, async () => readPublicKey(isInline ? file : await fileSystem.readText(file)));
    if (key !== undefined) read.push({ name, key });
  }
  const verifyCertificate =
    trustedRoot === undefined
      ? undefined
      : await attempt(trustedRoot, async () => {
          // Few runs verify certificates, and the code is large.
          const { parseTrustedRoot } = await import('./verify-certificate.ts');
          return parseTrustedRoot(await fileSystem.readText(trustedRoot));
        });
  if (faults.length > 0) throw new DiagnosticError(faults);
  return { keys: read, identities, verifyCertificate };
}

/** Whether it is a key in PEM instead of a file with one. */
export function isInlineKey(key: string): boolean {
  return key.trimStart().startsWith('-----BEGIN');
}

/** Reads a private key. Its password never is an argument, because other users of the machine can see those. */
export async function readKeyFile(
  { key, 'password-stdin': isOnStdin }: { readonly key: string | undefined; readonly 'password-stdin': boolean },
  environment: Environment,
): Promise<SigningKey> {
  if (key === undefined) throw new UsageError('--key is missing', 'pass a private key with --key FILE');
  const fileSystem = openDisk(environment, { pipes: true });
  const askPassword = async (): Promise<string> => {
    if (isOnStdin) return (await environment.readStdin(largestPassword)).replace(/\r?\n$/, '');
    const password = environment.variables['COSIGN_PASSWORD'];
    if (password !== undefined) return password;
    throw new UsageError(`the key ${key} has a password`, 'set COSIGN_PASSWORD, or pass it with --password-stdin');
  };
  return await useFile(key, async () => await readSigningKey(await fileSystem.readText(key), askPassword), fileSystem);
}

const largestPassword = 4096;

async function useFile<Result>(path: string, work: () => Promise<Result>, fileSystem: FileSystem): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof KeyError) {
      throw signingProblems.error('key-unusable', { path, reason: error.message, hint: error.hint });
    }
    throw new DiagnosticError([await fileProblemWithHint(error, fileSystem)]);
  }
}
