import { isAbsolute, posix, resolve } from 'node:path';

import { quote } from '../../diagnostics/index.ts';
import { isWithin, realPathOf } from '../../host/index.ts';
import { announceParameters, readParameters } from './parameters.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { build as buildCommand } from '../commands/build.ts';
import { info } from '../commands/info.ts';
import type { Environment } from '../environment.ts';
import type { messageFormatFlag } from '../input-flags.ts';
import { openInput } from '../open-world.ts';
import { parseFlags } from '../parse-flags.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { UsageError } from '../usage-error.ts';

type Call = CommandCall<typeof messageFormatFlag>;

/** One call by Argo CD, in the directory of an Application. */
export async function runPlugin(call: Call): Promise<ExitCode> {
  const { positionals, environment } = call;
  if (positionals[0] === 'generate') return generate(call);
  return positionals[0] === 'parameters' ? announce(environment) : discover(environment);
}

/** Argo CD uses the plugin if something is printed. */
async function discover(environment: Environment): Promise<ExitCode> {
  const { as } = await openInput('.', {}, environment);
  if (as === 'application' || as === 'patch-package') environment.writeStdout(`${as}\n`);
  return 0;
}

/** The parameters are those of `kurel info`. */
async function announce(environment: Environment): Promise<ExitCode> {
  let text = '';
  const { positionals, flags } = parseFlags(info, ['.', '--format=json']);
  const exitCode = await info.run({
    positionals,
    flags,
    environment: { ...environment, writeStdout: (part) => void (text += part) },
  });
  if (exitCode === 0) environment.writeStdout(announceParameters(text));
  return exitCode;
}

async function generate({ flags: ownFlags, environment }: Call): Promise<ExitCode> {
  const { variables } = environment;
  const { words, values } = readParameters(variables['ARGOCD_APP_PARAMETERS'] ?? '');
  const { flags } = parseFlags(buildCommand, ['--layout=argocd', ...readSettings(environment), ...words, '--', '.']);
  const inline = { values, acceptances: [] };
  const built = await buildToOutput({ path: '.', flags, environment, inline });
  await printDiagnostics(built, ownFlags, environment);
  return built.exitCode;
}

/** Settings that the operator of the sidecar, or the author of an Application, can make. */
const settings = [
  { name: 'KUREL_PROFILE', flag: 'profile', type: 'path' },
  { name: 'KUREL_NO_PROFILE', flag: 'no-profile', type: 'switch' },
  { name: 'KUREL_POLICY', flag: 'policy', type: 'path' },
  { name: 'KUREL_VALUES', flag: 'values', type: 'paths' },
  { name: 'KUREL_NAMESPACE', flag: 'namespace', type: 'text' },
  { name: 'KUREL_KUBERNETES_VERSION', flag: 'kubernetes-version', type: 'text' },
  { name: 'KUREL_STRICT', flag: 'strict', type: 'switch' },
  { name: 'KUREL_OFFLINE', flag: 'offline', type: 'switch' },
] as const;

type Setting = (typeof settings)[number];
type PluginCall = Pick<Environment, 'variables' | 'workingDirectory'>;

/**
 * Flags of `kurel build` for variables. Argo CD passes `KUREL_PROFILE` of an Application as `ARGOCD_ENV_KUREL_PROFILE`, so a variable without
 * that prefix is of the operator, and an Application cannot override it.
 */
export function readSettings({ variables, workingDirectory }: PluginCall): readonly string[] {
  return settings.flatMap((setting) => {
    const { name } = setting;
    const [ofOperator, ofAuthor] = [variables[name] ?? '', variables[`ARGOCD_ENV_${name}`] ?? ''];
    if (ofOperator !== '' && ofAuthor !== '') {
      throw new UsageError(
        `the Application sets ${name}, which the sidecar sets already`,
        `remove ${name} from spec.source.plugin.env of the Application`,
      );
    }
    if (ofOperator !== '') return wordsOf(setting, ofOperator);
    return ofAuthor === ''
      ? []
      : wordsOf(setting, ofAuthor, (path) => {
          if (!isInRepository(path, { variables, workingDirectory })) throw leavesRepository(name, path);
        });
  });
}

function wordsOf({ flag, type, name }: Setting, value: string, check?: (path: string) => void): readonly string[] {
  if (type === 'switch') {
    if (value === 'true' || value === 'false') return value === 'true' ? [`--${flag}`] : [];
    throw new UsageError(`${name} must be "true" or "false", got ${quote(value)}`);
  }
  if (type === 'text') return [`--${flag}=${value}`];
  const paths = type === 'path' ? [value] : value.split(/[\s,]+/).filter((path) => path !== '');
  if (check !== undefined) paths.forEach(check);
  return paths.map((path) => `--${flag}=${path}`);
}

/** Other files of the sidecar must not show up in findings, not even through links. */
function isInRepository(path: string, { variables, workingDirectory }: PluginCall): boolean {
  const directory = variables['ARGOCD_APP_SOURCE_PATH'] ?? '.';
  if (path === '-' || isAbsolute(path) || /^\.\.(?:\/|$)/.test(posix.join(directory, path))) return false;
  const root = resolve(workingDirectory, posix.relative(directory, '.'));
  return isWithin(realPathOf(root), realPathOf(resolve(workingDirectory, path)));
}

function leavesRepository(name: string, path: string): UsageError {
  return new UsageError(
    `${name} of the Application must name a file of its repository, got ${quote(path)}`,
    'use a path relative to the directory of the Application',
  );
}
