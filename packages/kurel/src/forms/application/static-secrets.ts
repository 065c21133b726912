import { getOrAdd } from '../../budget/index.ts';
import { readOneDocument } from '../../documents/index.ts';
import { mappingAt, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, SourceFile } from '../../model/index.ts';
import { parametersIn } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { wordsOfValue } from '../../provenance/index.ts';
import type { ApplicationPackage } from './load-application.ts';

const secretManifest = /\bkind["']?\s*:\s*["']?Secret\b/;
const secretSection = /^\s*\[(?:[^\]./\n]*\/)?secrets?\./im;

/**
 * Values of parameters in the manifests and patches of Secrets, for an application that cannot be rendered, so that nothing is known
 * about its objects.
 */
export function listSecretWords(
  { application, declaration, patches }: ApplicationPackage,
  layers: readonly ParameterLayer[],
): readonly string[] {
  const manifests = secretManifest.test(application.text) ? stringsIn(read(application)).filter(isSecretManifest) : [];
  const sections = patches.map(({ source }) => source.text).filter((text) => secretSection.test(text));
  const names = new Set([...manifests, ...sections].flatMap(parametersIn).map(([name]) => String(name)));
  if (names.size === 0) return [];
  const values = new Map<string, Json[]>();
  const noValues = (): Json[] => [];
  for (const { data, kind, source } of layers) {
    for (const [name, value] of Object.entries(data)) getOrAdd(values, name, noValues).push(value);
    // An assignment is read with the declaration of its parameter, and may not fit it.
    const [, assigned, text] = kind === 'set' ? (/^([^=.[]+)[^=]*=(.*)$/s.exec(source.text) ?? []) : [];
    if (assigned !== undefined && text !== undefined) getOrAdd(values, assigned, noValues).push(text);
  }
  const declared = declaration === undefined ? undefined : valueAt(read(declaration), ['spec', 'parameters']);
  for (const parameter of isJsonArray(declared) ? declared : []) {
    const value = mappingAt({ parameter }, 'parameter')?.['default'];
    if (value !== undefined) getOrAdd(values, textAt(parameter, 'name') ?? '', noValues).push(value);
  }
  return [...names].flatMap((name) => wordsOfValue(values.get(name)));
}

function isSecretManifest(text: string): boolean {
  return secretManifest.test(text);
}

function read(source: SourceFile): Json {
  return readOneDocument(source, () => {})?.data ?? null;
}

function stringsIn(data: Json): readonly string[] {
  if (typeof data === 'string') return [data];
  const inner = isJsonArray(data) ? data : isJsonObject(data) ? Object.values(data) : [];
  return inner.flatMap(stringsIn);
}
