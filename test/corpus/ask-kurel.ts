import type { KubeObject } from '../../packages/kurel/src/model/index.ts';
import type { SchemaStore } from '../../packages/kurel/src/schema/index.ts';
import { loadRulesFor, validateObjects } from '../../packages/kurel/src/validate/index.ts';
import type { CorpusObject } from './read-corpus.ts';

/** The codes of the errors that kurel reports about each object, looked at alone. */
export async function askKurel(
  objects: readonly CorpusObject[],
  store: SchemaStore,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rules = await loadRulesFor(objects.map(({ object }) => object));
  const ask = (object: KubeObject): ReadonlySet<string> => {
    const codes = new Set<string>();
    validateObjects([object], {
      store,
      rules,
      report: ({ code, severity }) => {
        // An unknown kind is only a warning where it may well exist in a cluster.
        if (severity === 'error' || code === 'kind-unknown' || code === 'kinds-not-checked') codes.add(code);
      },
    });
    return codes;
  };
  return new Map(objects.map(({ id, object }) => [id, ask(object)]));
}

const withoutSchema = ['kind-unknown', 'kinds-not-checked', 'kind-removed', 'api-version-invalid'];
const aboutFields = [
  'field-unknown',
  'field-type',
  'field-required',
  'field-enum',
  'field-format',
  'field-range',
  'field-alternatives',
];
const aboutDecoding = ['field-unknown', 'field-type', 'field-format'];

/** Whether kurel's findings come down to the verdict of kubeconform, which looks at schemas and nothing else. */
export function agreesWithKubeconform(codes: ReadonlySet<string>, verdict: string): boolean {
  const own = hasAny(codes, withoutSchema) ? 'no-schema' : hasAny(codes, aboutFields) ? 'invalid' : 'valid';
  return verdict === 'unreadable' ? own !== 'valid' : own === verdict;
}

/** Whether they come down to the verdict of Kubernetes' own code, which stops at the first sort of problem. */
export function agreesWithKubernetes(codes: ReadonlySet<string>, verdict: string): boolean {
  // Go still has types of kinds that are gone.
  if (hasAny(codes, withoutSchema)) return true;
  switch (verdict) {
    case 'valid':
      return codes.size === 0;
    case 'decoded':
      return !hasAny(codes, aboutDecoding);
    case 'refused':
      return codes.size > 0;
    case 'duplicate':
      return codes.has('list-duplicate');
    case 'rule':
      return codes.has('rule-failed');
    default:
      return verdict !== 'no-type' && hasAny(codes, aboutFields);
  }
}

function hasAny(codes: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return wanted.some((code) => codes.has(code));
}
