import { checkDnsLabel } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import type { PodSite } from '../pod-site.ts';
import { has, listAt, mappingAt, textAt } from '../read-fields.ts';
import type { KindCheck } from './kind-check.ts';

/** Checks the volumes of a pod and gives the names under which containers may mount them. */
export function checkVolumes({ object, findings }: KindCheck, { spec, specPath }: PodSite): ReadonlySet<string> {
  const names = new Set<string>();
  listAt(spec, 'volumes').forEach((volume, index) => {
    if (!isJsonObject(volume)) return;
    const name = textAt(volume, 'name');
    if (name !== undefined) {
      names.add(name);
      const reason = checkDnsLabel(name);
      if (reason !== undefined) {
        findings.add(object, { path: [...specPath, 'volumes', index, 'name'] }, [
          'name-invalid',
          { what: 'volume name', text: name, reason },
        ]);
      }
    }
    const sources = Object.keys(volume).filter((field) => field !== 'name' && has(volume, field));
    if (sources.length > 1) {
      findings.add(object, { path: [...specPath, 'volumes', index, sources[1]!], at: 'key' }, [
        'fields-exclusive',
        { holder: `volume "${name ?? index}"`, fields: sources },
      ]);
    }
  });
  // A StatefulSet makes a volume of each claim template for each of its pods.
  for (const claim of listAt(mappingAt(object, 'spec'), 'volumeClaimTemplates')) {
    const name = textAt(metadataOf(claim), 'name');
    if (name !== undefined) names.add(name);
  }
  return names;
}

function metadataOf(value: Json): Json | undefined {
  return isJsonObject(value) ? value['metadata'] : undefined;
}
