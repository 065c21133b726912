import type { Diagnostic, Report } from '../../model/index.ts';
import { dataAt } from './compose/located-data.ts';
import type { LocatedData } from './compose/located-data.ts';
import { readApplicationDocument } from './documents/read-application-document.ts';

/** What is so whatever the parameters are. */
const ofOutline: ReadonlySet<string> = new Set([
  'document-api-version',
  'document-empty',
  'document-kind',
  'field-required',
  'field-unknown',
]);

/**
 * Tells what is wrong with an application that could not be filled in, before its properties: behind a misspelt key nothing is
 * found to be switched off, and parameters are missed that nobody needs. Returns whether it is well.
 */
export function checkOutline({ data, locate }: LocatedData, report: Report): boolean {
  let isWell = true;
  const tell = (diagnostic: Diagnostic): void => {
    const isTold = ofOutline.has(diagnostic.code) || (diagnostic.code === 'field-type' && !isFilled(diagnostic));
    if (!isTold) return;
    isWell = false;
    report(diagnostic);
  };
  const isFilled = ({ location }: Diagnostic): boolean => typeof dataAt(data, location?.path ?? []) === 'string';
  readApplicationDocument(data, { locate, report: tell, known: { components: [], traits: [] } });
  return isWell;
}
