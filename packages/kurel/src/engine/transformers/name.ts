import type { Transformer } from '../../model/index.ts';
import { nameOf, withName } from '../../kube/index.ts';
import { requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

// In the engine's design: `name.SetPrefix`, `name.SetSuffix` and `name.Replace`.
export const nameTransformers = {
  /**
   * Puts a prefix before the name. References in other objects keep the old name, and objects without a name have none afterwards.
   * @example transformers.name.setPrefix('shop-')
   */
  setPrefix: (prefix: string): Transformer => {
    requireStrings('the transformer name.setPrefix()', [prefix]);
    return changeName((name) => prefix + name);
  },

  /** Puts a suffix after the name. References in other objects keep the old name, and objects without a name have none afterwards. */
  setSuffix: (suffix: string): Transformer => {
    requireStrings('the transformer name.setSuffix()', [suffix]);
    return changeName((name) => name + suffix);
  },

  /**
   * Replaces every occurrence of a string in the name; there are no patterns. References in other objects keep the old name.
   * @example transformers.name.replace('staging', 'prod')
   */
  replace: (from: string, to: string): Transformer => {
    requireStrings('the transformer name.replace()', [from, to]);
    return changeName((name) => (from === '' ? name : name.split(from).join(to)));
  },
};

function changeName(change: (name: string) => string): Transformer {
  return pure((object) => {
    const name = nameOf(object);
    const changed = name === '' ? name : change(name);
    return changed === name ? object : withName(object, changed);
  });
}
