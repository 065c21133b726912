import { defineProblems, didYouMean, quote, sentence, setting } from '../../../diagnostics/index.ts';
import type { Message } from '../../../model/index.ts';

interface Of {
  /** As named by the application. */
  readonly source: string;
}

/** Findings about files and remote sources of an application. */
export const sourceProblems = defineProblems(() => ({
  'source-file-missing': {
    summary: 'A component references a file that does not exist in the package.',
    message: ({ path }: { path: string }) => `file ${quote(path)} does not exist in the package`,
    hint: ({ near }: { near: string | undefined }) => didYouMean(near),
    fix: 'Correct the path, which is relative to the package directory, or add the file. Links that point outside the package are not followed.',
  },
  'source-unreachable': {
    summary: 'A remote source cannot be fetched, or its content is not usable.',
    message: ({ reason }: { reason: string }) => reason,
    hint: ({ hint }: { hint: Message | undefined }) => hint,
    fix: sentence`Check the URL and your network. Pass ${setting('allowPrivate')} for hosts with loopback or private addresses. \`kurel vendor\` stores the sources in the package, so that builds do not need the network.`,
  },
  'source-offline': {
    summary: 'A remote source is not in the package, and the network is disabled.',
    message: ({ source }: Of) => `cannot fetch ${source}: it is not in the package, and the network is disabled`,
    hint: ({ isLocked }: Of & { isLocked: boolean }) =>
      isLocked ? 'run kurel vendor to restore it' : 'run kurel vendor to add it to the package',
    fix: sentence`Run \`kurel vendor\` once with network access, and commit vendor/ and kurel.lock. Or build without ${setting('offline')}.`,
  },
  'lock-entry-twice': {
    summary: 'kurel.lock has two entries for the same source.',
    message: ({ source }: Of) => `duplicate entry for ${source}`,
    hint: () => 'remove one of them, or delete the file and run kurel vendor',
    fix: 'Delete kurel.lock and run `kurel vendor`, which writes it again. Or remove one of the two entries.',
  },
  'source-not-locked': {
    summary: 'A package has a kurel.lock without an entry for one of its remote sources.',
    message: ({ source }: Of) => `${source} is not in kurel.lock`,
    hint: () => 'run kurel vendor to update kurel.lock',
    fix: sentence`Run \`kurel vendor\` with the same values and profile to update kurel.lock, and commit the result. Use ${setting('keep')} to keep entries that other values need.`,
  },
  'source-changed': {
    summary: 'The content of a remote source does not match its checksum.',
    message: ({
      source,
      expected,
      found: actual,
      file,
    }: Of & { expected: string; found: string; file: string | undefined }) =>
      `the SHA-256 of ${file === undefined ? source : `${quote(file)}, the copy of ${source},`} must be ${expected}, got ${actual}`,
    hint: ({ by, file }: { by: 'sha256' | 'lock'; file: string | undefined }) => {
      if (by === 'sha256') return 'update "sha256" if the change is expected';
      if (file !== undefined) return 'run kurel vendor to restore the file locked in kurel.lock';
      return 'run kurel vendor to update kurel.lock if the change is expected';
    },
    fix: 'Find out why the content changed. If the change is expected, update sha256 in app.yaml, or run `kurel vendor` to update kurel.lock.',
  },
  'source-not-text': {
    summary: 'A source of manifests is not a UTF-8 text.',
    message: ({ source }: Of) => `${source} is not valid UTF-8`,
    fix: 'Check that the file or URL contains YAML manifests and is not an archive, and save it as UTF-8.',
  },
  'sources-nested': {
    summary: 'Sources require other sources, nested too deeply.',
    message: () => 'sources are nested too deeply: a loaded source requires more sources',
    fix: 'Reference the innermost source directly from the component.',
  },
  'source-not-pinned': {
    severity: 'warning',
    summary: 'A remote source has no checksum, so its content can change between builds.',
    message: ({ source }: Of) => `${source} is not pinned: its content can change between builds`,
    hint: () => 'add "sha256", or lock all sources with kurel vendor',
    fix: 'Run `kurel vendor` to store all remote sources in the package and lock their checksums, or set sha256 in the component.',
  },
  'source-chart-values': {
    summary: 'The values of a chart do not match its values.schema.json.',
    message: ({ chart, reason }: { chart: string; reason: string }) => `chart ${chart} rejects the values ${reason}`,
    hint: () => 'see values.schema.json of the chart',
    fix: 'Correct values of the component. `helm show values` prints the values that the chart supports.',
  },
  'source-chart-warning': {
    severity: 'warning',
    summary: 'helm warns about a chart or its values.',
    message: ({ chart, reason }: { chart: string; reason: string }) => `helm warns about chart ${chart}: ${reason}`,
    fix: 'Read the warning of helm. It usually names a value that is deprecated, misspelled or of the wrong type.',
  },
  'source-chart-failed': {
    summary: 'helm cannot render a chart.',
    message: ({ chart, reason }: { chart: string; reason: string }) => `helm cannot render chart ${chart}: ${reason}`,
    fix: 'Correct the values of the component, or use another version of the chart. `helm template` with the same values shows the same error.',
  },
}));
