import type { Budget, FileSystem, Report } from '../../model/index.ts';
import type { RuleLayer } from '../../validate/index.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Handlers } from './catalog/catalog.ts';
import { platformRules } from './compose/read-rules.ts';
import { checkHeader } from './documents/read-document.ts';
import { readPolicy } from './documents/read-policy.ts';
import { readOutside } from './load-application.ts';
import { readOneDocument } from './read-one-document.ts';

export interface PolicyRequest {
  readonly fileSystem: FileSystem;
  /** The file of the Policy. */
  readonly path: string;
  /** Traits of their own are traits that a policy may name. */
  readonly handlers?: Handlers | undefined;
  readonly budget?: Budget | undefined;
}

/** Reads the policy for something that is no application; `undefined` when it cannot be used, which is reported. */
export async function loadPolicy(
  { fileSystem, path, handlers, budget }: PolicyRequest,
  report: Report,
): Promise<RuleLayer | undefined> {
  const file = await readOutside(path, fileSystem, report);
  const source = file === undefined ? undefined : readOneDocument(file, report, budget?.memory);
  if (source === undefined || !checkHeader(source.data, 'Policy', { ...source, report })) return undefined;
  const known = { traits: createCatalog(handlers).traits.keys() };
  const document = readPolicy(source.data, { locate: source.locate, report, known });
  return document === undefined ? undefined : platformRules({ document, source });
}
