import type { Acceptance } from '../../../accept/index.ts';
import type { Json } from '../../../model/index.ts';
import type { Field } from './field.ts';
import type { ReadingOptions } from './findings.ts';
import { readDocument } from './read-document.ts';

const metadata = {
  type: 'object',
  description: 'optional; has no effect',
  default: {},
  properties: { name: { type: 'string', description: 'name of the document', format: 'dns-subdomain' } },
} as const satisfies Field;

/** An entry of a list of acceptances, wherever such a list may be. */
const acceptance = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'code of the finding, as in its brackets', required: true, format: 'filled' },
    object: {
      type: 'string',
      description: 'object that the finding is about, such as deployment/web; defaults to all objects',
      format: 'filled',
    },
    reason: { type: 'string', description: 'why the finding is acceptable', required: true, format: 'filled' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  required: true,
  properties: {
    accept: { type: 'array', description: 'findings to accept', required: true, items: acceptance },
  },
} as const satisfies Field;

export const acceptanceTables = { kind: 'Acceptances', metadata, spec } as const;

/** Reads the file with acceptances that is next to what is built. */
export function readAcceptances(data: Json | undefined, options: ReadingOptions): readonly Acceptance[] | undefined {
  const document = readDocument(data, acceptanceTables, options);
  return document?.spec.accept.map(({ code, object, reason }, index) => ({
    code,
    object,
    reason,
    location: options.locate(['spec', 'accept', index]),
  }));
}
