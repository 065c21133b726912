import { listAt, mappingAt, textAt } from '../kube/index.ts';
import type { ObjectReference } from '../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../model/index.ts';
import { describeTarget } from './follow-reference.ts';
import type { PackageCheck, Target } from './object-table.ts';

/** A key of a ConfigMap or Secret that something needs. */
interface KeyUse {
  readonly key: string;
  /** Where it stands beside the name. */
  readonly steps: Path;
}

interface KeyHolder {
  /** What needs the keys. */
  readonly object: KubeObject;
  readonly target: Target;
  /** The ConfigMap or Secret, or what it is made from. */
  readonly found: KubeObject;
}

/** Without the key a pod does not start. */
export function checkKeys(
  reference: Pick<ObjectReference, 'holder' | 'path'>,
  { object, target, found }: KeyHolder,
  check: PackageCheck,
): void {
  const uses = listUses(reference.holder);
  const known = uses.length === 0 ? undefined : keysOf(found);
  if (known === undefined) return;
  for (const { key, steps } of uses) {
    if (known.has(key)) continue;
    const related = [{ message: 'it is here', object: found, path: ['metadata', 'name'] }];
    check.findings.add(object, { path: [...reference.path().slice(0, -1), ...steps], related }, [
      'reference-key-missing',
      { target: describeTarget(target), key, known: [...known] },
    ]);
  }
}

/** The one that a variable is taken from, or those that a volume has as files. */
function listUses(holder: JsonObject): readonly KeyUse[] {
  const key = textAt(holder, 'key');
  const own: readonly KeyUse[] = key === undefined ? [] : [{ key, steps: ['key'] }];
  const items = listAt(holder, 'items').flatMap((item, index): KeyUse[] => {
    const name = textAt(item, 'key');
    return name === undefined ? [] : [{ key: name, steps: ['items', index, 'key'] }];
  });
  return items.length === 0 ? own : own.concat(items);
}

/** `undefined` where others may add keys: an object that has none is most likely filled by a controller. */
function keysOf(object: KubeObject): ReadonlySet<string> | undefined {
  const keys = listKeys(object);
  return keys === undefined || keys.length === 0 ? undefined : new Set(keys);
}

function listKeys(object: KubeObject): readonly string[] | undefined {
  const spec = mappingAt(object, 'spec');
  switch (object.kind) {
    case 'ConfigMap':
      return [...namesIn(object, 'data'), ...namesIn(object, 'binaryData')];
    case 'Secret':
      // A controller of the cluster fills these.
      if (object['type'] === 'kubernetes.io/service-account-token') return undefined;
      return [...namesIn(object, 'data'), ...namesIn(object, 'stringData')];
    case 'SealedSecret':
      return [...namesIn(spec, 'encryptedData'), ...namesIn(mappingAt(spec, 'template'), 'data')];
    case 'ExternalSecret':
      return externalKeys(spec);
    default:
      return undefined;
  }
}

/** What a provider gives as a whole, and what stays in a Secret that is there already, is not known here. */
function externalKeys(spec: JsonObject | undefined): readonly string[] | undefined {
  const target = mappingAt(spec, 'target');
  const template = mappingAt(target, 'template');
  const policy = textAt(target, 'creationPolicy') ?? 'Owner';
  const isOpen = listAt(spec, 'dataFrom').length > 0 || listAt(template, 'templateFrom').length > 0;
  if (isOpen || policy === 'Merge' || policy === 'None') return undefined;
  const written = namesIn(template, 'data');
  const fetched = listAt(spec, 'data').flatMap((entry) => textAt(entry, 'secretKey') ?? []);
  // A template takes the place of what was fetched, unless it is merged with it.
  if (written.length > 0 && textAt(template, 'mergePolicy') !== 'Merge') return written;
  return [...fetched, ...written];
}

function namesIn(holder: JsonObject | undefined, field: string): readonly string[] {
  return Object.keys(mappingAt(holder, field) ?? {});
}
