import { formatQuantity, listAt, parseQuantity } from '../../../kube/index.ts';
import type { Diagnostic, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { Claim, ComponentInput, ReportAt } from '../catalog/define.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import type { Fields } from '../../../documents/index.ts';
import { phraseOf } from '../../../documents/index.ts';
import { joinNames, namesOf } from './names.ts';
import type { NameProperties, WorkloadNames } from './names.ts';
import { podProblems } from './problems.ts';
import { volume as volumeField, volumeKeys } from './volume-property.ts';
import type { Volume } from './volume-property.ts';

type MountKey = 'readOnly' | 'subPath' | 'subPathExpr' | 'recursiveReadOnly' | 'mountPropagation';
type Mount = Pick<Volume, 'mountPath'> & Partial<Pick<Volume, MountKey>>;

/** A volume mounted into the main container. */
export type Mounted = Mount & Pick<Volume, 'name'> & { readonly mounts?: readonly Mount[] };

type VolumeProperties = NameProperties & { readonly volumes?: readonly Volume[] | undefined };
type VolumeInput = Pick<ComponentInput<VolumeProperties>, 'name' | 'properties' | 'traitsOf' | 'report'>;

/** Each entry becomes a volume of the pod and a mount of the main container; a `pvc` also becomes a claim. */
export function createVolumes(input: VolumeInput, claimTemplates: readonly Mounted[]) {
  const names = namesOf(input);
  const { volumes = [] } = input.properties;
  checkVolumes(volumes, claimTemplates, input.report);
  const pvcs = volumes.filter(({ type }) => type === 'pvc');
  return {
    volumes: volumes.map((volume) => ({ name: volume.name, ...sourceOf(volume, names) })),
    mounts: [...claimTemplates, ...volumes].flatMap(createMounts),
    claimObjects: pvcs.filter((volume) => !isExistingClaim(volume)).map((volume) => createClaim(volume, names)),
    claims: pvcs.map((volume): Claim => ({
      volume: volume.name,
      claimName: () => nameClaim(volume, names),
      isExclusive: exclusiveModeOf(volume, input) !== undefined,
    })),
  };
}

function createMounts(volume: Mounted): readonly JsonObject[] {
  const { name, mounts = [] } = volume;
  return [volume, ...mounts].map((mount: Mount) => {
    const { mountPath, subPath, subPathExpr, recursiveReadOnly, mountPropagation } = mount;
    const readOnly = mount.readOnly || undefined;
    return defined({ name, mountPath, subPath, subPathExpr, readOnly, recursiveReadOnly, mountPropagation });
  });
}

/** A claim with a name and without a size is not created here. */
function isExistingClaim({ type, claimName, size }: Volume): boolean {
  return type === 'pvc' && claimName !== undefined && size === undefined;
}

/** The access mode that limits the claim of a volume to one node or pod. That of a claim from elsewhere is unknown. */
function exclusiveModeOf(volume: Volume, { traitsOf }: VolumeInput): string | undefined {
  const { type, accessModes, claimName } = volume;
  if (type !== 'pvc') return undefined;
  if (!isExistingClaim(volume)) return exclusiveMode(accessModes);
  const trait = traitsOf('pvc').find((properties) => properties['name'] === claimName);
  if (trait === undefined) return undefined;
  const modes = listAt(trait, 'accessModes').filter((mode) => typeof mode === 'string');
  return exclusiveMode(filled(modes));
}

/** The access mode that limits a claim to one node or pod, if it has one. */
export function exclusiveMode(modes: readonly string[] = defaultModes): string | undefined {
  return modes.find((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

const defaultModes: readonly string[] = ['ReadWriteOnce'];

interface ClaimProperties {
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

function createClaim(volume: Volume, names: WorkloadNames): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: nameClaim(volume, names), labels: names.labels },
    spec: createClaimSpec(volume),
  };
}

function sourceOf(volume: Volume, names: WorkloadNames): JsonObject {
  switch (volume.type) {
    case 'emptyDir': {
      const sizeLimit = volume.sizeLimit === undefined ? undefined : canonicalQuantity(volume.sizeLimit);
      return { emptyDir: defined({ medium: volume.medium, sizeLimit }) };
    }
    case 'configMap':
      return { configMap: defined({ name: volume.configMapName ?? '', ...keysOf(volume) }) };
    case 'secret':
      return { secret: defined({ secretName: volume.secretName ?? '', ...keysOf(volume) }) };
    case 'hostPath':
      return { hostPath: { path: volume.path ?? '', type: volume.hostPathType ?? '' } };
    case 'pvc': {
      const isReadOnly = [volume, ...(volume.mounts ?? [])].every(({ readOnly }) => readOnly);
      const claimName = nameClaim(volume, names);
      return { persistentVolumeClaim: defined({ claimName, readOnly: isReadOnly ? true : undefined }) };
    }
    default:
      return { [volume.type]: volume[volume.type] ?? {} };
  }
}

function keysOf({ items, defaultMode, optional }: Volume) {
  return { items: filled(items), defaultMode, optional };
}

/** Claim templates are volumes of the pod as well, mounted into the same container. */
function checkVolumes(volumes: readonly Volume[], claimTemplates: readonly Mounted[], report: ReportAt): void {
  const templates = new Set(claimTemplates.map(({ name }) => name));
  for (const [index, volume] of volumes.entries()) {
    const path = ['volumes', index];
    checkVolumeKeys(volume, path, report);
    if (templates.has(volume.name))
      report(podProblems.create('volume-name-taken', { volume: volume.name }), [...path, 'name']);
  }
}

const ofNewClaims: ReadonlySet<string> = new Set(['storageClass', 'accessModes']);

/** Each volume type has its own properties; those that no type has are for all. */
function checkVolumeKeys(volume: Volume, path: Path, report: ReportAt): void {
  const { name, type } = volume;
  const isExisting = isExistingClaim(volume);
  for (const key of volumeKeys[type].must) {
    if (!Object.hasOwn(volume, key) && !isExisting) report(describeKey(key, true), path);
  }
  for (const key of Object.keys(volume)) {
    if (isExisting && ofNewClaims.has(key))
      report(podProblems.create('volume-claim-key', { volume: name, key }), [...path, key], 'key');
    const owners = ownersOf(key);
    if (owners.length > 0 && !owners.includes(type)) report(describeKey(key, false), [...path, key], 'key');
  }

  function describeKey(key: string, isMissing: boolean): Diagnostic {
    const properties: Fields = volumeField.properties;
    const meaning = phraseOf(properties[key]?.description) ?? '';
    return podProblems.create('volume-key', { volume: name, type, key, isMissing, owners: ownersOf(key), meaning });
  }
}

function ownersOf(key: string): readonly string[] {
  const types = Object.entries(volumeKeys).filter(([, { must, may }]) => must.includes(key) || may.includes(key));
  return types.map(([type]) => type);
}

interface Sharing {
  /** The pods that would share the volume: `3 pods`. */
  readonly users: string;
  readonly advice: string;
}

/** Several pods cannot share a claim that only one node or pod can mount. */
export function checkShared(input: VolumeInput, sharing: Sharing): void {
  for (const [index, volume] of (input.properties.volumes ?? []).entries()) {
    const mode = exclusiveModeOf(volume, input);
    if (mode === undefined) continue;
    const diagnostic = podProblems.create('volume-not-shared', { volume: volume.name, mode, ...sharing });
    input.report(diagnostic, ['volumes', index, volume.claimName === undefined ? 'accessModes' : 'claimName']);
  }
}
