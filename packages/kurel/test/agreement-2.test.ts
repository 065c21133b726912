import { testAgreement } from './agreement/agreement-suite.ts';

testAgreement({ part: 1, parts: 2 });
