import { DiagnosticError } from '../../diagnostics/index.ts';
import { KeyError, readPublicKey, readSigningKey } from '../../host/index.ts';
import type { FileSystem, JsonObject } from '../../model/index.ts';
import { signingProblems } from '../../signing/index.ts';
import type { CertificateVerdict, Identity, SigningKey, Trust } from '../../signing/index.ts';
import type { Environment } from '../environment.ts';
import { fileProblemWithHint } from '../file-problem.ts';
import { openDisk } from '../open-world.ts';
import { UsageError } from '../usage-error.ts';

/** Whose signatures count, by files. */
export interface TrustFiles {
  /** Files with public keys, or the keys themselves in PEM. */
  readonly keys: readonly string[];
  readonly identities: readonly Identity[];
  readonly trustedRoot?: string | undefined;
}

/** Reads public keys and the trusted root; reports all that cannot be used. */
export async function readTrust({ keys, identities, trustedRoot }: TrustFiles, fileSystem: FileSystem): Promise<Trust> {
  const faults: DiagnosticError[] = [];
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      faults.push(error);
      return undefined;
    }
  };
  const found: Trust['keys'][number][] = [];
  for (const one of keys) {
    const isInline = one.trimStart().startsWith('-----BEGIN');
    const name = isInline ? 'inline' : one;
    const key = await attempt(() =>
      useFile(name, async () => readPublicKey(isInline ? one : await fileSystem.readText(one)), fileSystem),
    );
    if (key !== undefined) found.push({ name, key });
  }
  const verifyCertificate =
    trustedRoot === undefined
      ? undefined
      : await attempt(() =>
          useFile(trustedRoot, async () => await readTrustedRoot(await fileSystem.readText(trustedRoot)), fileSystem),
        );
  if (faults.length > 0) throw new DiagnosticError(faults.flatMap(({ diagnostics }) => diagnostics));
  return { keys: found, identities, verifyCertificate };
}

/** Reads a private key. Its password never is an argument, because other users of the machine can see those. */
export async function readKeyFile(
  { key, 'password-stdin': isOnStdin }: { readonly key: string; readonly 'password-stdin': boolean },
  environment: Environment,
): Promise<SigningKey> {
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
      const args = { path, reason: error.message, hint: error.hint };
      throw new DiagnosticError([signingProblems.create('key-unusable', args)]);
    }
    throw new DiagnosticError([await fileProblemWithHint(error, fileSystem)]);
  }
}

export type VerifyCertificate = (bundle: JsonObject) => Promise<CertificateVerdict>;

/**
 * Reads a trusted root of Sigstore: the certificate authorities, transparency logs and timestamp authorities that count. Nothing is
 * fetched, and the clock of this machine does not matter: a certificate has to be valid at the time that a log or authority confirms.
 */
export async function readTrustedRoot(text: string): Promise<VerifyCertificate> {
  // Few runs verify certificates, and the code is large.
  const { parseTrustedRoot } = await import('./verify-certificate.ts');
  return parseTrustedRoot(text);
}
