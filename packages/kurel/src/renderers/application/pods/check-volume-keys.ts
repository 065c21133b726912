import type { Diagnostic, Json, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import { podProblems } from './problems.ts';
import { volume, volumeKeys } from './volume-property.ts';
import type { Volume, VolumeType } from './volume-property.ts';

const ofAll: ReadonlySet<string> = new Set(['name', 'mountPath', 'readOnly', 'subPath', 'type']);

/** Each type of volume has keys of its own, which mean nothing in the others. */
export function checkVolumeKeys(one: Volume, path: Path, report: ReportAt): void {
  const { name, type } = one;
  const { must, may } = volumeKeys[type];
  const entries: Readonly<Record<string, Json | undefined>> = one;
  for (const key of must) if (entries[key] === undefined) report(describeKey(key, true), path);
  for (const key of Object.keys(entries)) {
    if (ofAll.has(key) || must.includes(key) || may.includes(key)) continue;
    report(describeKey(key, false), [...path, key], 'key');
  }

  function describeKey(key: string, isMissing: boolean): Diagnostic {
    return podProblems.create('volume-key', { volume: name, type, key, isMissing, ...factsOf(key) });
  }
}

function factsOf(key: string): { readonly owners: readonly string[]; readonly meaning: string } {
  const owners = (Object.keys(volumeKeys) as VolumeType[]).filter((type) => {
    const { must, may } = volumeKeys[type];
    return must.includes(key) || may.includes(key);
  });
  const properties: Fields = volume.properties;
  // In the table each begins with the type that it is of.
  return { owners, meaning: properties[key]?.description?.replace(/^\w+: /, '') ?? '' };
}
