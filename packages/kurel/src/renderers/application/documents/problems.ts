import { defineProblems, nearest, quote } from '../../../diagnostics/index.ts';
import { listWords } from './describe-value.ts';
import { meantKind, placeOfDocument } from './place-of-document.ts';

interface UnknownKey {
  readonly key: string;
  readonly holder: string;
  readonly known: readonly string[];
  /** The mapping close by that has such a key. */
  readonly elsewhere: string | undefined;
  /** The mapping below that takes any key. */
  readonly free: string | undefined;
}

interface WrongType {
  readonly field: string;
  readonly expected: string;
  readonly found: string;
  readonly advice: string | undefined;
}

interface WrongWord {
  readonly field: string;
  /** What the words are, when there are many. */
  readonly noun: string;
  readonly word: string;
  readonly known: readonly string[];
}

const fewWords = 4;

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
  'document-key-unknown': {
    severity: 'error',
    summary: 'A document has a key that means nothing at its place.',
    message: ({ key, holder }: UnknownKey) => `${quote(key)} is not known in ${holder}`,
    hint: ({ key, known, elsewhere, free }: UnknownKey) => {
      if (elsewhere !== undefined) return `${quote(key)} belongs in ${elsewhere}`;
      const near = nearest(key, known);
      if (near !== undefined) return `did you mean ${near}?`;
      if (known.length === 0) return 'nothing can be set here';
      const others = free === undefined ? '' : `; others belong in ${free}`;
      return `known here: ${known.join(', ')}${others}`;
    },
  },
  'document-key-missing': {
    severity: 'error',
    summary: 'A document lacks something that it must have.',
    message: ({ key, holder }: { key: string; holder: string }) => `${quote(key)} is missing in ${holder}`,
    hint: ({ key, expected }: { key: string; expected: string }) => `add ${quote(key)}, ${expected}`,
  },
  'document-key-invalid': {
    severity: 'error',
    summary: 'A key of the author, such as that of a label, is not written as such keys are.',
    message: ({ key, holder, reason }: { key: string; holder: string; reason: string }) =>
      `the key ${quote(key)} in ${holder} ${reason}`,
  },
  'document-type': {
    severity: 'error',
    summary: 'A value in a document is of the wrong type.',
    message: ({ field, expected, found }: WrongType) => `${field} must be ${expected}, but is ${found}`,
    hint: ({ advice }: WrongType) => advice,
  },
  'document-word': {
    severity: 'error',
    summary: 'A value in a document is none of the words that are known there, such as the types of components.',
    message: ({ field, word, known, noun }: WrongWord) =>
      known.length <= fewWords
        ? `${field} must be ${listWords(known)}, but is ${quote(word)}`
        : `${quote(word)} is no known ${noun}`,
    hint: ({ word, known }: WrongWord) => {
      if (word.startsWith('fluxcd-'))
        return 'it is for programs that write Kustomizations of Flux, and means nothing here';
      const near = nearest(word, known);
      if (near !== undefined) return `did you mean ${near}?`;
      return known.length <= fewWords ? undefined : `known: ${known.join(', ')}`;
    },
  },
  'document-format': {
    severity: 'error',
    summary: 'A text in a document is not written as it must be: a name, a version, a quantity, a registry.',
    message: ({ field, text, reason }: { field: string; text: string; reason: string }) =>
      `${field} ${quote(text)} ${reason}`,
  },
  'document-range': {
    severity: 'error',
    summary: 'A number in a document is too small or too large.',
    message: ({ field, bound, found }: { field: string; bound: string; found: string }) =>
      `${field} must be ${bound}, but is ${found}`,
  },
  'document-list-short': {
    severity: 'error',
    summary: 'A list in a document has too few items.',
    message: ({ field }: { field: string }) => `${field} has no items`,
    hint: ({ isRequired }: { isRequired: boolean }) => (isRequired ? 'add one' : 'add one, or take the list out'),
  },
  'document-item-null': {
    severity: 'error',
    summary: 'An item of a list in a document is empty.',
    message: ({ field }: { field: string }) => `${field} is empty`,
    hint: () => 'take its "-" out, or write the item behind it',
  },
  'document-duplicate': {
    severity: 'error',
    summary: 'Two items of a list in a document have the same name.',
    message: ({ field, text, list }: { field: string; text: string; list: string }) =>
      `${quote(text)} is the ${quote(field)} of two items of ${list}`,
    hint: ({ field }: { field: string }) => `each needs a ${field} of its own`,
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
