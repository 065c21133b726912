import { quote } from '../../diagnostics/index.ts';
import { fieldOf, isAddress, nameAddress, textAt, violatedControls } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import { isDenied, isZeroAmount, refuse, reportUnchecked } from './enforcing.ts';
import { pathOf, subjectAt } from './workload-field.ts';
import type { Check, Field } from './workload-field.ts';

/** Settings of Services, probes and volumes that most policies allow, by field. */
export const exposureChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['externalIPs', refuseExternalIPs],
  ['type', refuseExternalName],
  ['host', refuseLinkLocal],
  ['emptyDir', refuseUnlimitedMemory],
]);

/** Any of them can take over the traffic to an address (CVE-2020-8554). */
function refuseExternalIPs(field: Field): void {
  if (!isJsonArray(field.value) || field.value.length === 0) return;
  refuse(field.enforcing, { what: '"externalIPs"', path: pathOf(field), rule: 'allowExternalIPs' });
}

function refuseExternalName(field: Field): void {
  if (field.value !== 'ExternalName') return;
  refuse(field.enforcing, { what: 'type "ExternalName"', path: pathOf(field), rule: 'allowExternalNames' });
}

/** Names of the metadata services of clouds. */
const metadataName = /^(?:metadata(?:\.google\.internal|\.goog)?|instance-data(?:\..*)?)\.?$/is;

function refuseLinkLocal(field: Field): void {
  const { value, enforcing, key, place } = field;
  if (typeof value !== 'string' || !isDenied(enforcing.layers, 'allowLinkLocalProbes')) return;
  if (!violatedControls(key, value, place).some(({ rule }) => rule === 'allowProbeHosts')) return;
  const host = value.replace(/^\[(.*)\]$/s, '$1');
  const address = isAddress(host) ? nameAddress(host) : undefined;
  if (metadataName.test(host) || address === 'link-local' || address === 'metadata' || address === 'reserved') {
    const what = `${quote(value)} in ${quote(`${fieldOf(place)}.${key}`)}`;
    refuse(enforcing, { what, path: pathOf(field), rule: 'allowLinkLocalProbes', subject: subjectAt(field) });
  } else if (!isAddress(host) && host !== 'localhost') {
    reportUnchecked(enforcing, pathOf(field), 'the name may stand for a link-local address');
  }
}

/** It takes the memory of the node, which limits of containers bound only for what they wrote. */
function refuseUnlimitedMemory(field: Field): void {
  const { value, enforcing } = field;
  if (!isJsonObject(value) || textAt(value, 'medium') !== 'Memory') return;
  const isSet = (value['sizeLimit'] ?? null) !== null;
  if (isSet && !isZeroAmount(value['sizeLimit'])) return;
  refuse(enforcing, {
    what: '"sizeLimit" of "emptyDir"',
    path: isSet ? pathOf(field, 'sizeLimit') : pathOf(field),
    rule: 'allowUnlimitedMemoryVolumes',
    subject: subjectAt(field),
    must: isSet ? 'be above 0' : 'be set',
  });
}
