import { arrayNatives } from './arrays.ts';
import { controlNatives } from './control.ts';
import { dateNatives } from './dates.ts';
import { formatNatives } from './formats.ts';
import { generatorNatives } from './generators.ts';
import { mathNatives } from './math.ts';
import type { NativeTable } from './native.ts';
import { objectNatives } from './objects.ts';
import { orderingNatives } from './ordering.ts';
import { pathNatives } from './paths.ts';
import { regexNatives } from './regex.ts';
import { stringNatives } from './strings.ts';
import { surroundingNatives } from './surroundings.ts';
import { typeNatives } from './types.ts';

/** Every builtin written in TypeScript. */
export const natives: NativeTable = {
  ...controlNatives,
  ...generatorNatives,
  ...typeNatives,
  ...arrayNatives,
  ...orderingNatives,
  ...objectNatives,
  ...pathNatives,
  ...stringNatives,
  ...formatNatives,
  ...regexNatives,
  ...mathNatives,
  ...dateNatives,
  ...surroundingNatives,
};
