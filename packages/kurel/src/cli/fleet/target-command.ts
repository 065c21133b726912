import type { Acceptance } from '../../index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import type { SourceFile } from '../../model/index.ts';
import type { InlineInput } from '../open-world.ts';

/**
 * The words of the single command that gives the same bytes, run in the directory of the fleet file. Values and acceptances in the fleet
 * file are not among them: they have no files.
 */
export function wordsOf(target: FleetTarget): readonly string[] {
  const { instance, layout, flux = {}, output, package: input } = target.settings;
  return [
    ...inputWordsOf(target),
    ...writeWords({
      instance,
      layout,
      'flux-interval': flux.interval,
      'flux-path': flux.path,
      'flux-source': flux.source,
      'flux-decryption': flux.decryption,
    }),
    `--output=${withSlash(output)}`,
    '--',
    input,
  ];
}

type Configured = Pick<FleetTarget, 'settings'>;

/** Those that every command which builds something has, without the input itself. */
export function inputWordsOf({ settings }: Configured): readonly string[] {
  const { profile, policy, values, namespace, enable, strict, kubernetesVersion, crds } = settings;
  return writeWords({
    profile,
    'no-profile': settings.noProfile === true && profile === undefined,
    policy,
    values,
    patch: settings.patches,
    enable,
    namespace,
    'flux-namespace': settings.flux?.namespace,
    'content-hash': settings.contentHash,
    strict,
    'kubernetes-version': kubernetesVersion,
    crds,
  });
}

/** Flags and their values as words of a command line, without those that are not set. */
export function writeWords(flags: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const values: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
    return values.map((text) => `--${name}=${String(text)}`);
  });
}

/** `--output web.yaml` is a file; an output of a fleet is always a directory. */
function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** The single command for people, without what every command line leaves out. It runs in the directory of the fleet file. */
export function showCommand(target: FleetTarget, directory = ''): string {
  const words = wordsOf(target).filter((word) => word !== '--');
  const input = words.at(-1)!;
  const flags = words.slice(0, -1).flatMap((word) => {
    const equals = word.indexOf('=');
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
  });
  const command = ['kurel', 'build', input, ...flags].map(quoteWord).join(' ');
  return directory === '' ? command : `(cd ${quoteWord(directory)} && ${command})`;
}

function quoteWord(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export interface SettingsFile {
  readonly source: SourceFile;
  /** Whether several builds have settings of it in common. */
  readonly isShared?: boolean | undefined;
}

/** What is written in the file of the settings itself. */
export function inlineOf({ settings }: Configured, { source, isShared }: SettingsFile): InlineInput {
  return {
    values: settings.set.map(({ path, data }) => ({ source, data, at: path })),
    acceptances: settings.accept.map(({ path, ...acceptance }): Acceptance => ({
      ...acceptance,
      location: { file: source.path, document: 0, path },
      ofUser: true,
      isShared,
    })),
  };
}

/** For keys: JSON has no integers of any size. */
export function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
