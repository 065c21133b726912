import type { Filter } from '../../model/index.ts';
import { nameOf } from '../../kube/index.ts';
import { EngineError, messageOf } from '../errors.ts';
import { requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

// In the engine's design: `name.Exact`, `name.Prefix`, `name.Suffix` and `name.Regex`.
export const nameFilters = {
  /** Keeps objects with any of these names. Without names it keeps nothing. */
  exact: (...names: readonly string[]): Filter => {
    requireStrings('the filter name.exact()', names);
    return pure((object) => names.includes(nameOf(object)));
  },

  /** Keeps objects whose name begins with the prefix. */
  prefix: (prefix: string): Filter => {
    requireStrings('the filter name.prefix()', [prefix]);
    return pure((object) => nameOf(object).startsWith(prefix));
  },

  /** Keeps objects whose name ends with the suffix. */
  suffix: (suffix: string): Filter => {
    requireStrings('the filter name.suffix()', [suffix]);
    return pure((object) => nameOf(object).endsWith(suffix));
  },

  /**
   * Keeps objects whose name contains a match. Throws at once when the string is not a regular expression of JavaScript.
   * @example filters.name.regex('^web-[0-9]+$')
   */
  regex: (pattern: string | RegExp): Filter => {
    const search = compilePattern(pattern);
    return pure((object) => search.test(nameOf(object)));
  },
};

function compilePattern(pattern: string | RegExp): RegExp {
  // `g` and `y` would make the result depend on the previous object.
  if (pattern instanceof RegExp) return new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
  requireStrings('the filter name.regex()', [pattern]);
  try {
    // `u` rejects unknown escapes, such as those of another dialect, instead of reading them as letters.
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new EngineError(messageOf(error), { code: 'invalid-pattern', cause: error });
  }
}
