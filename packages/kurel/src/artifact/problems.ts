import { DiagnosticError, defineProblems, pass, quote, sentence, setting } from '../diagnostics/index.ts';
import { FetchError } from '../model/index.ts';
import type { Diagnostic, FetchFailure, PackageOrigin } from '../model/index.ts';

interface RegistryArgs {
  readonly reason: string;
  readonly failure: FetchFailure;
  readonly status: number | undefined;
  readonly host: string;
}

/** Findings about packages and output in registries. */
export const artifactProblems = defineProblems(() => ({
  'registry-access': {
    summary: 'A registry cannot be reached or refuses a request, or its content is not usable.',
    message: ({ reason }: RegistryArgs) => reason,
    hint: ({ failure, status, host }: RegistryArgs) => {
      if (failure === 'address')
        return sentence`${pass('allowPrivate')} to use registries with loopback and private addresses`;
      if (status === 401) return `log in with kurel login ${host}`;
      return status === 403 ? `check what your user may do on ${host}` : undefined;
    },
    fix: sentence`Check the reference and your network. Log in with kurel login HOST if the registry requires it. Pass ${setting('allowPrivate')} for registries with loopback or private addresses. A package that was damaged or changed must be pushed again.`,
  },
  'registry-tag-exists': {
    summary: 'A tag to push already belongs to other content.',
    message: ({ url, tag }: { url: string; tag: string }) =>
      `tag ${quote(tag)} of ${quote(url)} already has other content`,
    hint: () => sentence`push another version, or ${pass('force')} to move the tag`,
    fix: sentence`Raise the version of the package, or push with another tag. Pass ${setting('force')} to move the tag: builds that use it without a digest get the new content.`,
  },
  'source-unpinned': {
    severity: 'warning',
    summary: 'A package in a registry is named by a tag, which can be moved to other content.',
    message: ({ reference }: { reference: string }) =>
      `${quote(reference)} is not pinned: its tag can be moved to other content`,
    hint: ({ pinned }: { pinned: string }) => `use ${pinned}`,
    fix: 'Use the reference with the digest, as the hint shows it.',
  },
}));

/** Makes failures of a registry findings. */
export async function reportRegistry<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new DiagnosticError([registryProblem(error)], { cause: error });
  }
}

/** The finding for a failed request to a registry; other errors are rethrown. */
export function registryProblem(error: unknown): Diagnostic {
  if (!(error instanceof FetchError)) throw error;
  const { message: reason, failure, status, url } = error;
  const host = /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
  return artifactProblems.create('registry-access', { reason, failure, status, host });
}

/** A finding for a package that can be another one tomorrow. */
export function reportUnpinned(origin: PackageOrigin | undefined): readonly Diagnostic[] {
  if (origin === undefined || origin.isPinned) return [];
  return [artifactProblems.create('source-unpinned', origin)];
}
