import { defineProblems, quote } from '../diagnostics/index.ts';
import type { FetchFailure } from '../model/index.ts';

const hints: Readonly<Partial<Record<FetchFailure, string>>> = {
  address: 'pass --allow-private to use registries with loopback and private addresses',
};

/** Findings about packages and output in registries. */
export const artifactProblems = defineProblems({
  'registry-access': {
    severity: 'error',
    summary: 'A registry cannot be reached or refuses a request, or its content is not usable.',
    message: ({ reason }: { reason: string }) => reason,
    hint: ({ failure }: { failure: FetchFailure }) => hints[failure],
    fix: 'Check the reference and your network. Pass --allow-private for registries with loopback or private addresses. A package that was damaged or changed must be pushed again.',
  },
  'registry-tag-exists': {
    severity: 'error',
    summary: 'A tag to push already belongs to other content.',
    message: ({ url, tag }: { url: string; tag: string }) =>
      `tag ${quote(tag)} of ${quote(url)} already has other content`,
    hint: () => 'push another version, or pass --force to move the tag',
    fix: 'Raise the version of the package, or push with another tag. Pass --force to move the tag: builds that use it without a digest get the new content.',
  },
  'source-unpinned': {
    severity: 'warning',
    summary: 'A package in a registry is named by a tag, which can be moved to other content.',
    message: ({ reference }: { reference: string }) =>
      `${quote(reference)} is not pinned: its tag can be moved to other content`,
    hint: ({ pinned }: { pinned: string }) => `use ${pinned}`,
    fix: 'Use the reference with the digest, as the hint shows it.',
  },
});
