import { listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { Json, Report } from '../../model/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { readField } from './documents/read-field.ts';
import { applicationProblems } from './problems.ts';
import type { ResolvedApplication } from './resolve-application.ts';

/** Disabled parts are not read, but an unknown type in them would still fail once they are enabled. */
export function checkPartsOff({ off, authored }: ResolvedApplication, catalog: Catalog, report: Report): void {
  for (const path of off) {
    const isTrait = path.includes('traits');
    const known = [...(isTrait ? catalog.traits : catalog.components).keys()].toSorted();
    let part: Json | undefined = authored.data;
    for (const step of path) part = (part as Readonly<Record<string | number, Json>>)[step];
    const type = textAt(part, 'type');
    if (type === undefined || type.includes('${')) continue;
    const field = { type: 'string', enum: known, noun: isTrait ? 'trait' : 'component type' } as const;
    readField(field, type, { path: [...path, 'type'], locate: authored.locate, report });
  }
}

/** Whether all components are disabled, which is valid but rarely intended. */
export function checkAnyOn({ off, authored }: ResolvedApplication, report: Report): boolean {
  const count = listAt(mappingAt(authored.data, 'spec'), 'components').length;
  const isAllOff = count > 0 && off.filter((path) => path.length === 3).length === count;
  const location = authored.locate(['spec', 'components']);
  if (isAllOff)
    report(applicationProblems.create('components-off', { count }, { location: { ...location, at: 'key' } }));
  return isAllOff;
}
