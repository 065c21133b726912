import type { Transformer } from '../../model/index.ts';
import { nameOf, withName } from '../../kube/index.ts';
import { pure } from '../steps.ts';

// Only `metadata.name` changes; references keep the old name, and objects without a name are left unchanged.

function setPrefix(prefix: string): Transformer {
  return changeName((name) => prefix + name);
}

function setSuffix(suffix: string): Transformer {
  return changeName((name) => name + suffix);
}

/** Replaces all occurrences; both are plain texts, without patterns. */
function replaceInName(from: string, to: string): Transformer {
  return changeName((name) => (from === '' ? name : name.split(from).join(to)));
}

function changeName(change: (name: string) => string): Transformer {
  return pure((object) => {
    const name = nameOf(object);
    const changed = name === '' ? name : change(name);
    return changed === name ? object : withName(object, changed);
  });
}

// In the engine's design: `name.SetPrefix`, `name.SetSuffix` and `name.Replace`.
export const nameTransformers = { setPrefix, setSuffix, replace: replaceInName };
