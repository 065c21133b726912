import { describe } from 'vitest';

import { testHostileCases } from './hostile-suite.ts';

describe('hostile input, part 2 of 2', () => testHostileCases({ isSlow: false, part: 1, parts: 2 }));
