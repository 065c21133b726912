import { posix } from 'node:path';

import type { FetchPackageOptions } from '../../artifact/index.ts';
import { DiagnosticError, quote } from '../../diagnostics/index.ts';
import { readClusterProfile, readOneDocument } from '../../index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../../model/index.ts';
import { openRepository } from '../../registry/index.ts';
import type { FetchAccess } from '../../registry/index.ts';
import { createRule, isRequired, isValid, signingProblems, verifyArtifact } from '../../signing/index.ts';
import type { CheckedSignature, SignatureRule } from '../../signing/index.ts';
import { fileProblemWithHint } from '../file-problem.ts';
import { isInlineKey, readTrust } from './read-trust.ts';

/** Rules of a profile or fleet file, and the file, in which findings show the rule. */
export interface RequiredSignatures {
  readonly rules: readonly SignatureRule[];
  readonly source: SourceFile;
}

/** The rules of a profile. Throws a `DiagnosticError` if it has errors: they may hide what it requires. */
export async function readProfileRules(path: string, fileSystem: FileSystem): Promise<RequiredSignatures> {
  const errors: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void (diagnostic.severity === 'error' && errors.push(diagnostic));
  let source: SourceFile;
  try {
    source = { path, text: await fileSystem.readText(path) };
  } catch (error) {
    throw new DiagnosticError([await fileProblemWithHint(error, fileSystem)]);
  }
  const located = readOneDocument(source, report);
  const profile = located && readClusterProfile(located.data, { ...located, report });
  if (located === undefined || profile === undefined) throw new DiagnosticError(errors, { sources: [source] });
  // Files are relative to the directory of the document that names them.
  const place = (file: string): string =>
    isInlineKey(file) || posix.isAbsolute(file) ? file : posix.join(posix.dirname(path), file);
  const rules = (profile.spec.signatures ?? []).map((rule, index) => {
    const { keys = [], trustedRoot } = rule;
    const root = trustedRoot === undefined ? {} : { trustedRoot: place(trustedRoot) };
    return createRule({ ...rule, keys: keys.map(place), ...root }, located.locate(['spec', 'signatures', index]));
  });
  return { rules, source };
}

/** The files that decide which signatures count. */
export function filesOfRules(required: readonly RequiredSignatures[]): readonly string[] {
  return required.flatMap(({ rules }) =>
    rules.flatMap(({ keys, trustedRoot }) => [
      ...keys.filter((key) => !isInlineKey(key)),
      ...(trustedRoot === undefined ? [] : [trustedRoot]),
    ]),
  );
}

interface SignatureContext {
  /** Absent with `--offline`, when nothing can be verified. */
  readonly access: FetchAccess | undefined;
  /** For keys and trusted roots. */
  readonly fileSystem: FileSystem;
}

/**
 * Refuses a package that lacks a required signature, when only its manifest is known. Throws a `DiagnosticError` that names each rule of a
 * file that is not met.
 */
export function createSignatureCheck(
  required: readonly RequiredSignatures[],
  { access, fileSystem }: SignatureContext,
): NonNullable<FetchPackageOptions['verify']> {
  return async ({ digest }, { host, path }) => {
    const name = `${host}/${path}`;

    async function findFault(rule: SignatureRule): Promise<string | undefined> {
      if (access === undefined) return 'signatures cannot be verified without the network';
      const trust = await readTrust(rule, fileSystem);
      const repository = openRepository({ host, path }, access);
      const { signatures } = await verifyArtifact({ repository, name, digest, trust });
      return signatures.some(isValid) ? undefined : reasonOf(signatures);
    }

    for (const { rules, source } of required) {
      const diagnostics: Diagnostic[] = [];
      for (const rule of rules.filter((candidate) => isRequired(candidate, name))) {
        const { match, location } = rule;
        const reason = await findFault(rule);
        if (reason === undefined) continue;
        const args = { reference: `oci://${name}@${digest}`, match, reason };
        diagnostics.push(signingProblems.create('signature-required', args, { location }));
      }
      if (diagnostics.length > 0) throw new DiagnosticError(diagnostics, { sources: [source] });
    }
  };
}

const mostReasons = 3;

function reasonOf(signatures: readonly CheckedSignature[]): string {
  if (signatures.length === 0) return 'it has no signature';
  const reasons = signatures.map(
    ({ place, verdict }) => `${quote(place)}: ${'reason' in verdict ? verdict.reason : ''}`,
  );
  const rest = reasons.length - mostReasons;
  return reasons.slice(0, mostReasons).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}
