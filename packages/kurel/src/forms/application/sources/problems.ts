import { defineProblems, quote } from '../../../diagnostics/index.ts';

interface Of {
  /** As the application names it. */
  readonly source: string;
}

/** What can be wrong with what stands elsewhere. */
export const sourceProblems = defineProblems({
  'source-file-missing': {
    severity: 'error',
    summary: 'A component names a file that the package does not have.',
    message: ({ path }: { path: string }) => `the package has no file ${quote(path)}`,
    hint: ({ near }: { near: string | undefined }) => (near === undefined ? undefined : `did you mean ${near}?`),
  },
  'source-unreachable': {
    severity: 'error',
    summary: 'Something that stands elsewhere cannot be had, or may not be taken.',
    message: ({ reason }: { reason: string }) => reason,
    hint: ({ hint }: { hint: string | undefined }) => hint,
  },
  'source-offline': {
    severity: 'error',
    summary: 'Something that stands elsewhere is needed, and the network is not used.',
    message: ({ source }: Of) => `${source} is not in the package, and the network is not used`,
    hint: ({ isLocked }: Of & { isLocked: boolean }) =>
      isLocked ? 'kurel vendor puts it into the package again' : 'kurel vendor puts it into the package',
  },
  'lock-entry-twice': {
    severity: 'error',
    summary: 'A kurel.lock names the same source twice.',
    message: ({ source }: Of) => `${source} is named twice`,
    hint: () => 'take one of them out, or take out the file and write it anew with kurel vendor',
  },
  'source-not-locked': {
    severity: 'error',
    summary: 'A package has a kurel.lock that does not name something that it takes from elsewhere.',
    message: ({ source }: Of) => `${source} is not in kurel.lock`,
    hint: () => 'kurel vendor brings kurel.lock up to date',
  },
  'source-changed': {
    severity: 'error',
    summary: 'Something that stands elsewhere does not have the bytes that it must have.',
    message: ({ source, expected, found, file }: Of & { expected: string; found: string; file: string | undefined }) =>
      `${file === undefined ? source : `${quote(file)}, which stands for ${source},`} has the SHA-256 ${found}, and must have ${expected}`,
    hint: ({ by, file }: { by: 'sha256' | 'lock'; file: string | undefined }) => {
      if (by === 'sha256') return 'its "sha256" says so; if the change is meant, write the new one';
      if (file !== undefined) return 'kurel.lock says so; kurel vendor puts it into the package again';
      return 'kurel.lock says so; if the change is meant, kurel vendor locks it anew';
    },
  },
  'source-not-text': {
    severity: 'error',
    summary: 'Something that should hold manifests is no text.',
    message: ({ source }: Of) => `${source} is no UTF-8 text`,
  },
  'sources-nested': {
    severity: 'error',
    summary: 'What is loaded for a component asks for more, and that again for more.',
    message: () => 'what this leads to asks for more sources, and those for more; that is too deep',
  },
  'source-not-pinned': {
    severity: 'warning',
    summary:
      'Something is taken from elsewhere as it is today, so that the same package may give something else tomorrow.',
    message: ({ source }: Of) => `${source} is taken as it is today, and may be another tomorrow`,
    hint: () => 'pin it with "sha256", or lock all sources with kurel vendor',
  },
  'source-chart-values': {
    severity: 'error',
    summary: 'The values of a chart of an application do not fit the schema that the chart has for them.',
    message: ({ chart, reason }: { chart: string; reason: string }) =>
      `the chart ${chart} refuses the values ${reason}`,
    hint: () => 'the values.schema.json of the chart says what it takes',
  },
  'source-chart-warning': {
    severity: 'warning',
    summary: 'Helm warns about a chart of an application, or about its values.',
    message: ({ chart, reason }: { chart: string; reason: string }) => `helm warns about the chart ${chart}: ${reason}`,
  },
  'source-chart-failed': {
    severity: 'error',
    summary: 'helm cannot render a chart of an application.',
    message: ({ chart, reason }: { chart: string; reason: string }) =>
      `helm cannot render the chart ${chart}: ${reason}`,
  },
});
