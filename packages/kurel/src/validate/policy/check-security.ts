import { quote } from '../../diagnostics/index.ts';
import {
  containerLists,
  fieldOf,
  has,
  hasControls,
  listAt,
  mappingAt,
  requirementControls,
  textAt,
  pathTo,
  violatedControls,
} from '../../kube/index.ts';
import type { FieldControl, Place, RequirementControl } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { JsonObject } from '../../model/index.ts';
import { checkCapability, checkListed, isDenied, refuse } from './enforcing.ts';
import type { Enforcing, Permission } from './enforcing.ts';
import { nameContainer, pathOf, subjectAt } from './workload-field.ts';
import type { Check, Field } from './workload-field.ts';

/** Whether `checkSecurity` may find something in a field of this name. */
export function isControlled(key: string): boolean {
  return hasControls(key) || securityChecks.has(key);
}

/** Checks a field for the controls of the Pod Security Standards. */
export function checkSecurity(field: Field): void {
  for (const control of violatedControls(field.key, field.value, field.place)) refuseControl(field, control);
  securityChecks.get(field.key)?.(field);
}

const securityChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['annotations', checkAnnotations],
  ['capabilities', checkCapabilities],
  ['sysctls', checkSysctls],
  ['volumes', checkVolumes],
]);

function refuseControl(field: Field, { rule, field: names }: FieldControl): void {
  const { value, key, enforcing } = field;
  const hasChoice = names.length > 1 && typeof value === 'string';
  const what = hasChoice ? `${quote(value)} in ${quote(names.join('.'))}` : quote(key);
  const path = isJsonObject(value) && has(value, 'path') ? pathOf(field, 'path') : pathOf(field);
  const isCommon = key === 'hostPort' || key === 'hostPath';
  refuse(enforcing, { what, path, rule: rule as Permission, subject: subjectAt(field), isCommon });
}

export function refuseLocalVolume(enforcing: Enforcing): void {
  if (mappingAt(mappingAt(enforcing.object, 'spec'), 'local') === undefined) return;
  refuse(enforcing, { what: '"local"', path: ['spec', 'local', 'path'], rule: 'allowHostPathVolumes', isCommon: true });
}

/** The old way to set profiles, which API servers still support. */
const profileAnnotation = /^(?:container\.)?(?:apparmor\.security\.beta|seccomp\.security\.alpha)\.kubernetes\.io\//;
const confiningProfile = /^(?:|(?:runtime|docker)\/default|localhost\/.*)$/s;

function checkAnnotations(field: Field): void {
  if (!isJsonObject(field.value)) return;
  for (const [key, value] of Object.entries(field.value)) {
    if (!profileAnnotation.test(key) || typeof value !== 'string' || confiningProfile.test(value)) continue;
    const what = `${quote(value)} in ${quote(key)}`;
    refuse(field.enforcing, { what, path: pathOf(field, key), rule: 'allowUnconfined', subject: subjectAt(field) });
  }
}

function checkSysctls(field: Field): void {
  if (!isJsonArray(field.value)) return;
  for (const [index, sysctl] of field.value.entries()) {
    const value = textAt(sysctl, 'name');
    if (value === undefined) continue;
    const place = { path: pathOf(field, index, 'name'), rule: 'allowedSysctls' } as const;
    checkListed(field.enforcing, { ...place, value, what: `sysctl ${quote(value)}`, subject: subjectAt(field) });
  }
}

/** Types of the volumes of a pod; whether it may use `hostPath` is another rule. */
function checkVolumes(field: Field): void {
  const isLimited = field.enforcing.layers.some(({ security }) => security.allowedVolumeTypes !== undefined);
  if (!isLimited || !isJsonArray(field.value)) return;
  for (const [index, volume] of field.value.entries()) {
    if (!isJsonObject(volume)) continue;
    for (const [value, source] of Object.entries(volume)) {
      if (!isJsonObject(source) || value === 'hostPath') continue;
      const place = { path: pathOf(field, index, value), rule: 'allowedVolumeTypes' } as const;
      const what = `type ${quote(value)} of volume ${quote(textAt(volume, 'name') ?? '')}`;
      checkListed(field.enforcing, { ...place, value, what, subject: field.enforcing.subject() });
    }
  }
}

function checkCapabilities(field: Field): void {
  for (const [index, capability] of listAt(field.value, 'add').entries()) {
    if (typeof capability !== 'string') continue;
    checkCapability(field.enforcing, capability, pathOf(field, 'add', index), subjectAt(field));
  }
}

type Requirement = RequirementControl & { readonly rule: Permission };

/** What the policies require of every container. */
export function requirementsOf({ layers }: Enforcing): readonly Requirement[] {
  return (requirementControls as readonly Requirement[]).filter(({ rule }) => isDenied(layers, rule));
}

/** Checks what a container must set, itself or through its pod. */
export function checkRequirements(
  enforcing: Enforcing,
  container: JsonObject,
  { place, requirements }: { readonly place: Place; readonly requirements: readonly Requirement[] },
): void {
  const pod = podAround(place);
  const own = container['securityContext'] ?? null;
  const ofPod = pod?.['securityContext'] ?? null;
  const isWindows = textAt(mappingAt(pod, 'os'), 'name') === 'windows';
  for (const { field, rule, allows, must, isInherited, isOfLinux } of requirements) {
    if (isWindows && isOfLinux) continue;
    const value = valueAt(own, field) ?? (isInherited ? valueAt(ofPod, field) : undefined) ?? undefined;
    // Another finding is about a wrong value.
    if (value !== undefined && (allows(value) || !isJsonArray(value))) continue;
    const path = [...pathTo(place), 'securityContext', ...field];
    const subject = nameContainer(container, enforcing.subject());
    refuse(enforcing, { what: quote(field.join('.')), path, rule, subject, must });
  }
}

/** The pod of a container. Kinds without a schema may have the settings of pods anywhere around the container. */
function podAround(place: Place): JsonObject | undefined {
  const isOfPod = (containerLists as readonly string[]).includes(fieldOf(place));
  for (let at = place.above; at !== undefined; at = at.above) {
    if (!isJsonObject(at.value)) continue;
    if (isOfPod || isJsonObject(at.value['securityContext'])) return at.value;
  }
  return undefined;
}
