import type { Acceptance } from '../accept/index.ts';
import type { Json } from '../model/index.ts';
import { textField, unusedMetadata } from './define-fields.ts';
import type { Field } from './field.ts';
import type { ReadingOptions } from './document-findings.ts';
import { readDocument } from './read-document.ts';

const metadata = unusedMetadata('document');

/** An entry of any list of acceptances. */
export const acceptance = {
  type: 'object',
  properties: {
    code: { ...textField('filled', 'Code of the finding, printed in brackets.'), required: true },
    object: textField('filled', 'Object that the finding is about, such as deployment/web. Defaults to all objects.'),
    reason: { ...textField('filled', 'Reason why the finding is acceptable.'), required: true },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  required: true,
  properties: {
    accept: { type: 'array', description: 'Findings to accept.', required: true, items: acceptance },
  },
} as const satisfies Field;

export const acceptanceTables = { kind: 'Acceptances', metadata, spec } as const;

/** Reads the acceptance file next to the build input. */
export function readAcceptances(data: Json | undefined, options: ReadingOptions): readonly Acceptance[] | undefined {
  const document = readDocument(data, acceptanceTables, options);
  return document?.spec.accept.map(({ code, object, reason }, index) => ({
    code,
    object,
    reason,
    location: options.locate(['spec', 'accept', index]),
  }));
}
