import { describe } from 'vitest';

import { testHostileCases } from './hostile-suite.ts';

describe('hostile input, part 1 of 2', () => testHostileCases(0, 2));
