import { escapeControls, quote } from '../diagnostics/index.ts';
import type { PackageSettings } from '../index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { findLocal } from './find-local.ts';
import type { packageFlags } from './package-flags.ts';
import { UsageError } from './usage-error.ts';

type Settings = Pick<PackageSettings, 'local' | 'force' | 'maxDepth' | 'limits' | 'trace'>;

/** `--local`, `--no-local`, `--enable`, `--max-depth` and `KURE_DEBUG` → how a patch package is read. */
export function readPackageFlags(
  path: string,
  flags: Partial<FlagValues<typeof packageFlags>>,
  { variables, writeStderr, workingDirectory, limits }: Environment,
): Settings {
  const { local: named, 'no-local': noLocal = false, enable = [], 'max-depth': depth } = flags;
  if (named !== undefined && noLocal) {
    throw new UsageError('--local and --no-local cannot be combined', 'choose one of them');
  }
  if (named === '') throw new UsageError('--local is empty', '--local DIR');
  if (enable.includes('')) throw new UsageError('--enable is empty', '--enable features/10-tracing');
  if (depth !== undefined && !/^[1-9][0-9]{0,3}$/.test(depth)) {
    throw new UsageError(`--max-depth cannot be ${quote(depth)}`, 'it is a whole number from 1 to 9999');
  }
  const local = named ?? findLocal(path, workingDirectory);
  const trace = (line: string): void => writeStderr(`${escapeControls(line)}\n`);
  return {
    ...(noLocal ? { local: false as const } : local === undefined ? {} : { local }),
    ...(enable.length === 0 ? {} : { force: enable }),
    ...(depth === undefined ? {} : { maxDepth: Number(depth) }),
    ...(limits === undefined ? {} : { limits: limits.package }),
    ...(variables['KURE_DEBUG'] === '1' ? { trace } : {}),
  };
}
