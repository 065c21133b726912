import { listAt, mappingAt, textAt } from '../kube/index.ts';
import type { ObjectReference } from '../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../model/index.ts';
import { describeTarget } from './follow-reference.ts';
import type { PackageCheck, Target } from './object-table.ts';

/** A reference to a key of a ConfigMap or Secret. */
interface KeyUse {
  readonly key: string;
  /** Path of the key, from the parent of the name. */
  readonly steps: Path;
}

interface KeyHolder {
  /** The object with the reference. */
  readonly object: KubeObject;
  readonly target: Target;
  /** The ConfigMap or Secret, or the object from which a controller creates it. */
  readonly found: KubeObject;
}

/** Checks the keys of a reference: without them a pod does not start. */
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

/** The key of a variable, or the keys that become files of a volume. */
function listUses(holder: JsonObject): readonly KeyUse[] {
  const key = textAt(holder, 'key');
  const own: readonly KeyUse[] = key === undefined ? [] : [{ key, steps: ['key'] }];
  const items = listAt(holder, 'items').flatMap((item, index): KeyUse[] => {
    const name = textAt(item, 'key');
    return name === undefined ? [] : [{ key: name, steps: ['items', index, 'key'] }];
  });
  return items.length === 0 ? own : own.concat(items);
}

/** `undefined` if the keys are not known: a controller most likely fills an object without keys. */
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
      // The token controller of the cluster fills these.
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

/** The keys that an ExternalSecret writes; `undefined` if they depend on the provider or on an existing Secret. */
function externalKeys(spec: JsonObject | undefined): readonly string[] | undefined {
  const target = mappingAt(spec, 'target');
  const template = mappingAt(target, 'template');
  const policy = textAt(target, 'creationPolicy') ?? 'Owner';
  const isOpen = listAt(spec, 'dataFrom').length > 0 || listAt(template, 'templateFrom').length > 0;
  if (isOpen || policy === 'Merge' || policy === 'None') return undefined;
  const written = namesIn(template, 'data');
  const fetched = listAt(spec, 'data').flatMap((entry) => textAt(entry, 'secretKey') ?? []);
  // A template replaces the fetched keys, unless the policy merges both.
  if (written.length > 0 && textAt(template, 'mergePolicy') !== 'Merge') return written;
  return [...fetched, ...written];
}

function namesIn(holder: JsonObject | undefined, field: string): readonly string[] {
  return Object.keys(mappingAt(holder, field) ?? {});
}
