import { testAgreement } from './agreement/agreement-suite.ts';

testAgreement({ part: 0, parts: 2 });
