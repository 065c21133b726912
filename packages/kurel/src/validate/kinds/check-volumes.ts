import { checkDnsLabel, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { checkClaimSpec } from './check-claims.ts';
import { checkTiny } from './check-tiny.ts';
import type { KindCheck } from './kind-check.ts';
import { readAmount, showAmount } from './read-amount.ts';

/** Checks the volumes of a pod and gives the names under which containers may mount them. */
export function checkVolumes(check: KindCheck, { spec, specPath }: PodSite): ReadonlySet<string> {
  const { object, findings } = check;
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
          { what: 'volume name', text: name, reason, rule: checkDnsLabel },
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
    const path = [...specPath, 'volumes', index];
    checkSizeLimit(check, mappingAt(volume, 'emptyDir'), [...path, 'emptyDir', 'sizeLimit']);
    const template = mappingAt(mappingAt(volume, 'ephemeral'), 'volumeClaimTemplate');
    checkClaimSpec(check, template?.['spec'], [...path, 'ephemeral', 'volumeClaimTemplate', 'spec']);
  });
  // A StatefulSet makes a volume of each claim template for each of its pods.
  for (const claim of listAt(mappingAt(object, 'spec'), 'volumeClaimTemplates')) {
    const name = textAt(metadataOf(claim), 'name');
    if (name !== undefined) names.add(name);
  }
  return names;
}

function checkSizeLimit({ object, findings }: KindCheck, directory: JsonObject | undefined, path: Path): void {
  const size = directory?.['sizeLimit'];
  checkTiny({ object, findings }, { of: directory?.['medium'] === 'Memory' ? 'memory' : 'storage', value: size, path });
  const amount = size === undefined ? undefined : readAmount(size);
  if (amount === undefined || amount.nanos >= 0n) return;
  findings.add(object, { path }, [
    'field-range',
    { field: 'sizeLimit', demand: 'must be at least 0', found: showAmount(size!) },
  ]);
}

function metadataOf(value: Json): Json | undefined {
  return isJsonObject(value) ? value['metadata'] : undefined;
}
