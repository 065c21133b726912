import { describe } from 'vitest';

import { testHostileCases } from './hostile-suite.ts';

describe('hostile input that goes up to the default limits', () => testHostileCases({ isSlow: true }));
