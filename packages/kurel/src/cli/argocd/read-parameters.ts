import { applyAssignment, parseAssignment } from '../../index.ts';
import { quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Values } from '../../model/index.ts';
import { readYaml, writeYaml } from '../../yaml/index.ts';
import { UsageError } from '../usage-error.ts';
import type { GivenValues } from '../value-flags.ts';

const variable = 'ARGOCD_APP_PARAMETERS';

interface PluginValues {
  /** Flags of `kurel build`. */
  readonly words: readonly string[];
  /** Lists and maps, which no flag can set. */
  readonly values: readonly GivenValues[];
}

/**
 * The parameters of an Application. Strings are values of `--set`. Lists replace those of the package, maps are merged over them; what is in
 * them stays a string, as Argo CD passes it.
 */
export function readParameters(text: string): PluginValues {
  const entries = text === '' ? [] : parse(text);
  const words = entries.flatMap(({ name, string }) => (string === undefined ? [] : [`--set=${name}=${string}`]));
  let data: Values = {};
  const assign = (path: string, value: Json): void => {
    const { path: steps } = parseAssignment({ path: variable, text: `${path}=` }, 'text');
    const source = { path: variable, text: '' };
    data = applyAssignment(data, { path: steps, value, source });
  };
  for (const { name, array, map = {} } of entries) {
    if (array !== undefined) assign(name, array);
    for (const [key, value] of Object.entries(map)) assign(`${name}.${key}`, value);
  }
  if (Object.keys(data).length === 0) return { words, values: [] };
  return { words, values: [{ source: { path: variable, text: writeYaml(data) }, data }] };
}

interface PluginParameter {
  readonly name: string;
  readonly string?: string;
  readonly array?: readonly string[];
  readonly map?: Readonly<Record<string, string>>;
}

function parse(text: string): readonly PluginParameter[] {
  const { documents, diagnostics } = readYaml({ path: variable, text }, { words: 'core' });
  const list: unknown = documents[0]?.data ?? [];
  // The message quotes nothing: values may be secret.
  if (diagnostics.length > 0 || !Array.isArray(list) || !list.every(isParameter)) {
    throw new UsageError(
      `${variable} is not a list of parameters of Argo CD`,
      'use [{"name": "replicas", "string": "3"}], with string, array or map',
    );
  }
  const unclear = list.find(({ name }) => /(?<!\\)(?:\\\\)*=/.test(name));
  if (unclear !== undefined) {
    throw new UsageError(
      `${quote(unclear.name)} in ${variable} is not a valid name of a parameter`,
      String.raw`write \= for "=" inside a key`,
    );
  }
  return list;
}

function isParameter(entry: unknown): entry is PluginParameter {
  if (!isJsonObject(entry) || typeof entry['name'] !== 'string') return false;
  const { string = '', array = [], map = {} } = entry;
  const isText = (value: Json): boolean => typeof value === 'string';
  return (
    isText(string) && isJsonArray(array) && array.every(isText) && isJsonObject(map) && Object.values(map).every(isText)
  );
}
