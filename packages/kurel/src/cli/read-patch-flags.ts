import { escapeControls, nearest, quote } from '../diagnostics/index.ts';
import { writtenParameters } from '../index.ts';
import type { PatchSettings } from '../index.ts';
import type { Diagnostic, Values } from '../model/index.ts';
import type { Environment } from './environment.ts';
import type { Findings } from './print-diagnostics.ts';
import { readLayers } from './read-layers.ts';
import { readPatches } from './read-patches.ts';
import type { GivenValues } from './read-value-flags.ts';
import { UsageError } from './usage-error.ts';

export interface PatchFlagValues {
  readonly patch: readonly string[];
  readonly feature: readonly string[];
  readonly strict: boolean;
}

export interface PatchFlagsReading extends Findings {
  readonly settings: PatchSettings;
}

export interface PatchSurroundings {
  /** What is patched, as the user wrote it. */
  readonly paths: readonly string[];
  readonly values: Values;
  /** What they are put together of. */
  readonly given: readonly GivenValues[];
}

/** `--patch`, `--feature` and `KURE_DEBUG` → patches and what their variables stand for. */
export async function readPatchFlags(
  { patch, feature, strict }: PatchFlagValues,
  { paths, values, given }: PatchSurroundings,
  environment: Environment,
): Promise<PatchFlagsReading> {
  const features = readFeatures(feature);
  if (patch.includes('')) throw new UsageError('--patch is empty', '--patch FILE or --patch DIR');
  if ([...patch, ...paths].filter((path) => path === '-').length > 1) {
    throw new UsageError('standard input can be read only once', 'give - once, and files otherwise');
  }
  const { files, diagnostics, sources } = await readPatches(patch, environment);
  const { layers } = await readLayers(given, async () => ({}));
  const trace = (line: string): void => environment.writeStderr(`${escapeControls(line)}\n`);
  return {
    settings: {
      files,
      layers,
      variables: { scope: 'alone', values, features, writtenAt: writtenParameters(values, layers) },
      ...(environment.variables['KURE_DEBUG'] === '1' ? { trace } : {}),
    },
    diagnostics: strict ? diagnostics.map(asError) : diagnostics,
    sources,
  };
}

function asError(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic;
}

/** `NAME`, `NAME=true` and `NAME=false`; the last word about a name counts. */
function readFeatures(words: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      const name = equals === -1 ? word : word.slice(0, equals);
      const state = equals === -1 ? 'true' : word.slice(equals + 1);
      if (name === '') {
        throw new UsageError(`--feature ${quote(word)} has no name`, '--feature NAME or --feature NAME=false');
      }
      if (state !== 'true' && state !== 'false') {
        const near = nearest(state, ['true', 'false']);
        const hint = near === undefined ? 'a feature is true or false' : `did you mean ${name}=${near}?`;
        throw new UsageError(`--feature ${quote(word)} is neither on nor off`, hint);
      }
      return [name, state === 'true'];
    }),
  );
}
