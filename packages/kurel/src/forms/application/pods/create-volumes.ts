import { formatQuantity, listAt, parseQuantity } from '../../../kube/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import { joinNames } from '../catalog/join-names.ts';
import type { Claim, ComponentInput, ReportAt } from '../catalog/define.ts';
import { filled } from '../catalog/filled.ts';
import { defined } from '../catalog/defined.ts';
import type { Fields } from '../documents/field.ts';
import { phraseOf } from '../documents/field-node.ts';
import type { WorkloadNames } from './names.ts';
import { podProblems } from './problems.ts';
import { volume, volumeKeys } from './volume-property.ts';
import type { Volume, VolumeType } from './volume-property.ts';

export interface PodVolumes {
  readonly volumes: readonly JsonObject[];
  /** Mounts of the main container, in the same order. */
  readonly mounts: readonly JsonObject[];
  /** PersistentVolumeClaims. */
  readonly claimObjects: readonly KubeObject[];
  readonly claims: readonly Claim[];
}

/** A volume mounted into the main container. */
export interface Mounted extends Mount {
  readonly name: string;
  readonly mounts?: readonly Mount[] | undefined;
}

interface Mount {
  readonly mountPath: string;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly mountPropagation?: string | undefined;
}

interface VolumesOptions {
  readonly names: WorkloadNames;
  /** Also volumes of the pod, mounted into the same container. */
  readonly claimTemplates: readonly Mounted[];
  readonly traitsOf: TraitsOf;
  readonly report: ReportAt;
}

type TraitsOf = ComponentInput<unknown>['traitsOf'];

/** Each entry becomes a volume of the pod and a mount of the main container; a `pvc` also becomes a claim. */
export function createVolumes(list: readonly Volume[], options: VolumesOptions): PodVolumes {
  checkVolumes(list, options);
  const pvcs = list.filter(({ type }) => type === 'pvc');
  return {
    volumes: list.map((one) => ({ name: one.name, ...sourceOf(one, options.names) })),
    mounts: list.flatMap(createMounts),
    claimObjects: pvcs.filter((one) => !isExistingClaim(one)).map((one) => createClaim(one, options.names)),
    claims: pvcs.map((one) => ({
      volume: one.name,
      claimName: () => nameClaim(one, options.names),
      isExclusive: exclusiveModeOf(one, options.traitsOf) !== undefined,
    })),
  };
}

/** The mounts of a volume in the main container. */
export function createMounts(volume: Mounted): readonly JsonObject[] {
  return [volume, ...(volume.mounts ?? [])].map((mount) => createMount(volume.name, mount));
}

function createMount(name: string, mount: Mount): JsonObject {
  const { mountPath, subPath, subPathExpr, readOnly, recursiveReadOnly, mountPropagation } = mount;
  const isReadOnly = readOnly === true ? true : undefined;
  return defined({ name, mountPath, subPath, subPathExpr, readOnly: isReadOnly, recursiveReadOnly, mountPropagation });
}

/** A claim with a name and without a size is not created here. */
function isExistingClaim({ type, claimName, size }: Volume): boolean {
  return type === 'pvc' && claimName !== undefined && size === undefined;
}

/** The access mode that limits the claim of a volume to one node or pod. That of a claim from elsewhere is unknown. */
export function exclusiveModeOf(one: Volume, traitsOf: TraitsOf): string | undefined {
  const { type, accessModes, claimName } = one;
  if (type !== 'pvc') return undefined;
  if (!isExistingClaim(one)) return exclusiveMode(accessModes);
  const trait = traitsOf('pvc').find((properties) => properties['name'] === claimName);
  if (trait === undefined) return undefined;
  const modes = listAt(trait, 'accessModes').filter((mode) => typeof mode === 'string');
  return exclusiveMode(modes.length === 0 ? undefined : modes);
}

/** The access mode that limits a claim to one node or pod, if it has one. */
export function exclusiveMode(modes: readonly string[] = defaultModes): string | undefined {
  return modes.find((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

const defaultModes: readonly string[] = ['ReadWriteOnce'];

export interface ClaimProperties {
  readonly size?: string | undefined;
  readonly storageClass?: string | undefined;
  readonly accessModes?: readonly string[] | undefined;
}

export function createClaimSpec({ size, storageClass, accessModes }: ClaimProperties): JsonObject {
  return defined({
    accessModes: [...(accessModes ?? defaultModes)],
    storageClassName: storageClass,
    resources: { requests: { storage: canonicalQuantity(size ?? '') } },
  });
}

/** The canonical form that Kubernetes returns; an invalid quantity is unchanged and reported by the schema check. */
export function canonicalQuantity(text: string): string {
  const quantity = parseQuantity(text);
  return quantity === undefined ? text : formatQuantity(quantity);
}

function nameClaim({ name, claimName }: Volume, { object }: WorkloadNames): string {
  return claimName ?? joinNames(object, name);
}

function createClaim(one: Volume, names: WorkloadNames): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: nameClaim(one, names), labels: names.labels },
    spec: createClaimSpec(one),
  };
}

function sourceOf(one: Volume, names: WorkloadNames): JsonObject {
  switch (one.type) {
    case 'emptyDir': {
      const sizeLimit = one.sizeLimit === undefined ? undefined : canonicalQuantity(one.sizeLimit);
      return { emptyDir: defined({ medium: one.medium, sizeLimit }) };
    }
    case 'configMap':
      return { configMap: defined({ name: one.configMapName ?? '', ...keysOf(one) }) };
    case 'secret':
      return { secret: defined({ secretName: one.secretName ?? '', ...keysOf(one) }) };
    case 'hostPath':
      return { hostPath: { path: one.path ?? '', type: one.hostPathType ?? '' } };
    case 'pvc': {
      const isReadOnly = [one, ...(one.mounts ?? [])].every(({ readOnly }) => readOnly);
      const claimName = nameClaim(one, names);
      return { persistentVolumeClaim: defined({ claimName, readOnly: isReadOnly ? true : undefined }) };
    }
    default:
      return { [one.type]: one[one.type] ?? {} };
  }
}

function keysOf({ items, defaultMode, optional }: Volume) {
  return { items: filled(items), defaultMode, optional };
}

function checkVolumes(list: readonly Volume[], { claimTemplates, report }: VolumesOptions): void {
  const templates = new Set(claimTemplates.map(({ name }) => name));
  const mounted = new Map<string, string>();
  for (const [index, one] of claimTemplates.entries()) checkMount(one, ['volumeClaimTemplates', index]);
  for (const [index, one] of list.entries()) {
    const path = ['volumes', index];
    checkVolumeKeys(one, path, report);
    checkModes(one.accessModes, [...path, 'accessModes'], report);
    if (!templates.has(one.name)) checkMount(one, path);
    else report(podProblems.create('volume-name-taken', { volume: one.name }), [...path, 'name']);
  }

  function checkMount({ name, mountPath, mounts = [] }: Mounted, path: Path): void {
    checkPath(name, mountPath, path);
    for (const [index, mount] of mounts.entries()) checkPath(name, mount.mountPath, [...path, 'mounts', index]);
  }

  function checkPath(name: string, mountPath: string, path: Path): void {
    const other = mounted.get(mountPath);
    if (other === undefined) mounted.set(mountPath, name);
    else report(podProblems.create('volume-mount-taken', { volume: name, other, mountPath }), [...path, 'mountPath']);
  }
}

export function checkModes(modes: readonly string[] | undefined, path: Path, report: ReportAt): void {
  if (modes === undefined || modes.length < 2 || !modes.includes('ReadWriteOncePod')) return;
  report(podProblems.create('access-mode-alone', {}), path);
}

const ofAll: ReadonlySet<string> = new Set([
  'name',
  'mountPath',
  'readOnly',
  'subPath',
  'subPathExpr',
  'recursiveReadOnly',
  'mountPropagation',
  'mounts',
  'type',
]);

/** Properties of a new claim. */
const ofNewClaims: ReadonlySet<string> = new Set(['storageClass', 'accessModes']);

/** Each volume type has its own properties. */
function checkVolumeKeys(one: Volume, path: Path, report: ReportAt): void {
  const { name, type } = one;
  const { must, may } = volumeKeys[type];
  const entries: Readonly<Record<string, Json | undefined>> = one;
  const isExisting = isExistingClaim(one);
  for (const key of must) if (entries[key] === undefined && !isExisting) report(describeKey(key, true), path);
  for (const key of Object.keys(entries)) {
    if (isExisting && ofNewClaims.has(key))
      report(podProblems.create('volume-claim-key', { volume: name, key }), [...path, key], 'key');
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
  return { owners, meaning: phraseOf(properties[key]?.description) ?? '' };
}
