// `node test/api-server/refresh.mjs [--explain]` asks Kubernetes' own code again; see README.md.
import { join, resolve } from 'node:path';

import { importSource } from '../../scripts/import-source.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const { refreshVerdicts } = await importSource(join(import.meta.dirname, 'refresh-verdicts.ts'));
refreshVerdicts({ root, explain: process.argv.includes('--explain') });
