import type { Filter } from '../../model/index.ts';
import { nameOf } from '../../kube/index.ts';
import { EngineError, messageOf } from '../errors.ts';
import { pure } from '../steps.ts';

/** Keeps objects of any of the names. None given: nothing. */
function hasName(...names: readonly string[]): Filter {
  return pure((object) => names.includes(nameOf(object)));
}

function hasPrefix(prefix: string): Filter {
  return pure((object) => nameOf(object).startsWith(prefix));
}

function hasSuffix(suffix: string): Filter {
  return pure((object) => nameOf(object).endsWith(suffix));
}

/** Keeps objects whose name contains a match. Throws at once when the text is not a regular expression of JavaScript. */
function matchesName(pattern: string | RegExp): Filter {
  const search = compilePattern(pattern);
  return pure((object) => search.test(nameOf(object)));
}

function compilePattern(pattern: string | RegExp): RegExp {
  // `g` and `y` would make the result depend on the previous object.
  if (pattern instanceof RegExp) return new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
  try {
    // `u` rejects unknown escapes, such as those of another dialect, instead of reading them as letters.
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new EngineError(messageOf(error), { code: 'invalid-pattern', cause: error });
  }
}

// In the engine's design: `name.Exact`, `name.Prefix`, `name.Suffix` and `name.Regex`.
export const nameFilters = { exact: hasName, prefix: hasPrefix, suffix: hasSuffix, regex: matchesName };
