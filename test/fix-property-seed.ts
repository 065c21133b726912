import { configureGlobal } from 'fast-check';

// The same run twice tries the same cases, so that a red build is about the change and not about luck. PROPERTY_SEED explores
// others: any number, or `random`.
const wanted = process.env['PROPERTY_SEED'] ?? '1';
if (wanted !== 'random') configureGlobal({ seed: Number(wanted) });
