import { quote } from '../diagnostics/index.ts';
import { checkDnsLabel } from '../index.ts';
import type { LayoutName, LayoutOptions } from '../index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import type { LayoutFlags } from './input-flags.ts';
import { isDirectory } from './open-world.ts';
import { UsageError } from './usage-error.ts';

export interface Destination {
  readonly target: 'stdout' | 'file' | 'directory';
  readonly layout: LayoutName;
  readonly layoutOptions: LayoutOptions;
  readonly format: 'yaml' | 'json';
  readonly check: boolean;
  /** As the user wrote it; absent for stdout. */
  readonly path?: string;
}

export interface DestinationFlags extends Partial<FlagValues<LayoutFlags>> {
  readonly output: string | undefined;
  readonly format: 'yaml' | 'json' | undefined;
  readonly check: boolean;
}

/** A path that ends like a manifest is a file, unless it is an existing directory. Other paths are directories. */
export function chooseDestination(
  flags: DestinationFlags,
  environment: Environment,
  usual: LayoutName = 'flat',
): Destination {
  const place = choosePlace(flags, environment);
  const hasFiles = place.target === 'directory';
  const layout = flags.layout ?? (hasFiles ? usual : 'stream');
  if (!hasFiles && layout !== 'stream' && layout !== 'argocd') {
    throw new UsageError(`--layout ${layout} makes several files`, 'give a directory for them with --output DIR');
  }
  checkLayoutFlags(flags, layout);
  checkInstance(flags, hasFiles);
  const layoutOptions = optionsOf(flags);
  // In a single stream, sync waves are all that Argo CD can use.
  if (hasFiles || layout === 'stream') return { ...place, layout, layoutOptions };
  return { ...place, layout: 'stream', layoutOptions: { ...layoutOptions, syncWaves: true } };
}

type Place = Omit<Destination, 'layout' | 'layoutOptions'>;

function choosePlace({ output, format, check }: DestinationFlags, environment: Environment): Place {
  if (output === undefined || output === '-') return { target: 'stdout', format: format ?? 'yaml', check };
  if (output === '') throw new UsageError('--output is empty', '--output FILE.yaml or --output DIR');
  const ending = /\.(ya?ml|json)$/.exec(output)?.[1];
  const isThere = isDirectory(output, environment);
  // In kubectl, -o sets the format; here it would create a directory of that name.
  if (/^(?:ya?ml|json)$/.test(output) && !isThere) {
    throw new UsageError(
      `--output ${output} would be a directory of that name`,
      `the format is given with --format; write ./${output} if the directory is meant`,
    );
  }
  if (ending === undefined || output.endsWith('/') || isThere) {
    return { target: 'directory', format: format ?? 'yaml', check, path: output };
  }
  const fitting = ending === 'json' ? 'json' : 'yaml';
  if (format !== undefined && format !== fitting) {
    throw new UsageError(`--format ${format} does not fit --output ${output}`, `name the file .${format}`);
  }
  return { target: 'file', format: fitting, check, path: output };
}

const fluxFlags = ['flux-namespace', 'flux-interval', 'flux-path', 'flux-source'] as const;

function checkLayoutFlags(flags: DestinationFlags, layout: LayoutName): void {
  const flux = fluxFlags.find((name) => flags[name] !== undefined);
  if (flux !== undefined && layout !== 'flux') {
    throw new UsageError(`--${flux} needs --layout flux`, 'no other layout has Flux objects');
  }
  const empty = fluxFlags.find((name) => flags[name] === '');
  if (empty !== undefined) throw new UsageError(`--${empty} is empty`, `leave it out, or give --${empty} a value`);
  if (flags.index === true && layout !== 'flat') {
    throw new UsageError('--index needs --layout flat', 'no other layout numbers its files');
  }
}

function checkInstance({ instance }: DestinationFlags, hasFiles: boolean): void {
  if (instance === undefined) return;
  if (!hasFiles) throw new UsageError('--instance needs --output DIR', 'only a directory has instances');
  const reason = checkDnsLabel(instance);
  if (reason !== undefined) {
    throw new UsageError(
      `--instance ${quote(instance)} is not a name: a name ${reason}`,
      'as in --instance shop-staging',
    );
  }
}

function optionsOf(flags: DestinationFlags): LayoutOptions {
  return {
    instance: flags.instance,
    syncWaves: flags['sync-waves'],
    index: flags.index,
    fluxNamespace: flags['flux-namespace'],
    fluxInterval: flags['flux-interval'],
    fluxPath: flags['flux-path'],
    fluxSource: flags['flux-source'],
  };
}
