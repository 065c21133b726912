import { posix } from 'node:path';

import { quote } from '../../diagnostics/index.ts';
import { UsageError } from '../usage-error.ts';

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
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Flags of `kurel build` for variables. Argo CD passes `KUREL_PROFILE` of an Application as `ARGOCD_ENV_KUREL_PROFILE`, so a variable without
 * that prefix is of the operator, and an Application cannot override it.
 */
export function readSettings(variables: Variables): readonly string[] {
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
    return ofAuthor === '' ? [] : wordsOf(setting, ofAuthor, (path) => checkInside(path, { name, variables }));
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

interface PathCheck {
  readonly name: string;
  readonly variables: Variables;
}

/** Other files of the sidecar must not show up in findings. */
function checkInside(path: string, { name, variables }: PathCheck): void {
  const inRepository = posix.join(variables['ARGOCD_APP_SOURCE_PATH'] ?? '.', path);
  if (!path.startsWith('/') && path !== '-' && !/^\.\.(?:\/|$)/.test(inRepository)) return;
  throw new UsageError(
    `${name} of the Application must name a file of its repository, got ${quote(path)}`,
    'use a path relative to the directory of the Application',
  );
}
