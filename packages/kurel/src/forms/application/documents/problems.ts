import { defineProblems, nearest, quote } from '../../../diagnostics/index.ts';
import { meantKind, placeOfDocument } from './value-at.ts';

/** What can be wrong with the documents that kurel itself defines. */
export const documentProblems = defineProblems({
  'document-empty': {
    severity: 'error',
    summary: 'A file that must hold a document of a kind holds none.',
    message: ({ kind, found }: { kind: string; found: string | undefined }) =>
      found === undefined
        ? `the document is empty, and must be of kind ${kind}`
        : `the document must be a mapping of kind ${kind}, but is ${found}`,
    hint: ({ kind, apiVersion }: { kind: string; apiVersion: string }) =>
      `it begins with apiVersion: ${apiVersion} and kind: ${kind}`,
  },
  'document-headless': {
    severity: 'error',
    summary: 'A file that must hold a document of a kind holds something else, such as values.',
    message: ({ kind }: { kind: string }) => `the file has no apiVersion and no kind, and must be of kind ${kind}`,
    hint: ({ kind, apiVersion }: { kind: string; apiVersion: string }) =>
      `give values with --values; a ${kind} begins with apiVersion: ${apiVersion} and kind: ${kind}`,
  },
  'document-kind': {
    severity: 'error',
    summary: 'A document is of another kind than the one that is read here.',
    message: ({ kind, expected }: { kind: string; expected: string }) =>
      `the document is of kind ${quote(kind)}, and must be of kind ${expected}`,
    hint: ({ kind, expected, isForeign }: { kind: string; expected: string; isForeign: boolean }) => {
      if (meantKind(kind, [expected]) !== undefined) return `did you mean ${expected}?`;
      if (expected !== 'Application' || !isForeign) return placeOfDocument(kind);
      return 'manifests are built with kurel build FILE; in an application one is a component of type passthrough, several of type manifests';
    },
  },
  'document-api-version': {
    severity: 'error',
    summary: 'A document has another apiVersion than those of kurel have.',
    message: ({ version, expected }: { version: string; expected: string }) =>
      `"apiVersion" must be ${expected}, but is ${quote(version)}`,
  },
  'capability-trait-unknown': {
    severity: 'warning',
    summary: 'A profile speaks of a trait that is not known.',
    message: ({ trait }: { trait: string }) => `no trait is called ${quote(trait)}, so this has no effect`,
    hint: ({ trait, known }: { trait: string; known: readonly string[] }) => {
      const near = nearest(trait, known);
      return near === undefined ? `traits: ${known.join(', ')}` : `did you mean ${near}?`;
    },
  },
  'policy-placement': {
    severity: 'warning',
    summary: 'A policy has rules about where pods run, which have no effect.',
    message: () => '"placement" has no effect: kurel has no rules about where pods run',
    hint: () => '"affinity" and "tolerations" of a component say where its pods run',
  },
  'policy-trait-unknown': {
    severity: 'error',
    summary: 'A rule of a policy is about a trait that is not known, so that it would hold for nothing.',
    message: ({ trait }: { trait: string }) =>
      `no trait is called ${quote(trait)}, so this rule would hold for nothing`,
    hint: ({ trait, known }: { trait: string; known: readonly string[] }) => {
      const near = nearest(trait, known);
      if (near !== undefined) return `did you mean ${near}?`;
      return `traits: ${known.join(', ')}; one of your own is known where --capability-def names its definition`;
    },
  },
  'policy-contradiction': {
    severity: 'error',
    summary: 'Two rules of a policy cannot both hold.',
    message: ({ reason }: { reason: string }) => reason,
    hint: () => 'change one of the two',
  },
});
