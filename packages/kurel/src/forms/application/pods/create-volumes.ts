import { formatQuantity, parseQuantity } from '../../../kube/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import { joinNames } from '../catalog/join-names.ts';
import type { Claim, ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { Fields } from '../documents/field.ts';
import { phraseOf } from '../documents/field-node.ts';
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
export interface Mounted {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

interface VolumesOptions {
  readonly component: string;
  /** Also volumes of the pod, mounted into the same container. */
  readonly claimTemplates: readonly Mounted[];
  readonly report: ReportAt;
}

/** Each entry becomes a volume of the pod and a mount of the main container; a `pvc` also becomes a claim. */
export function createVolumes(list: readonly Volume[], options: VolumesOptions): PodVolumes {
  checkVolumes(list, options);
  const pvcs = list.filter(({ type }) => type === 'pvc');
  return {
    volumes: list.map((one) => ({ name: one.name, ...sourceOf(one, options.component) })),
    mounts: list.map(createMount),
    claimObjects: pvcs.map((one) => createClaim(one, options.component)),
    claims: pvcs.map((one) => ({
      volume: one.name,
      claimName: () => joinNames(options.component, one.name),
      isExclusive: exclusiveMode(one.accessModes) !== undefined,
    })),
  };
}

export function createMount({ name, mountPath, subPath, readOnly }: Mounted): JsonObject {
  return given({ name, mountPath, subPath, readOnly: readOnly === true ? true : undefined });
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
  return given({
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

function createClaim(one: Volume, component: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: joinNames(component, one.name), labels: { app: component } },
    spec: createClaimSpec(one),
  };
}

function sourceOf(one: Volume, component: string): JsonObject {
  switch (one.type) {
    case 'emptyDir': {
      const sizeLimit = one.sizeLimit === undefined ? undefined : canonicalQuantity(one.sizeLimit);
      return { emptyDir: given({ medium: one.medium, sizeLimit }) };
    }
    case 'configMap':
      return { configMap: { name: one.configMapName ?? '' } };
    case 'secret':
      return { secret: { secretName: one.secretName ?? '' } };
    case 'hostPath':
      return { hostPath: { path: one.path ?? '', type: '' } };
    case 'pvc': {
      const name = joinNames(component, one.name);
      return { persistentVolumeClaim: given({ claimName: name, readOnly: one.readOnly ? true : undefined }) };
    }
    default:
      return { [one.type]: one[one.type] ?? {} };
  }
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

  function checkMount({ name, mountPath }: Mounted, path: Path): void {
    const other = mounted.get(mountPath);
    if (other === undefined) mounted.set(mountPath, name);
    else report(podProblems.create('volume-mount-taken', { volume: name, other, mountPath }), [...path, 'mountPath']);
  }
}

export function checkModes(modes: readonly string[] | undefined, path: Path, report: ReportAt): void {
  if (modes === undefined || modes.length < 2 || !modes.includes('ReadWriteOncePod')) return;
  report(podProblems.create('access-mode-alone', {}), path);
}

const ofAll: ReadonlySet<string> = new Set(['name', 'mountPath', 'readOnly', 'subPath', 'type']);

/** Each volume type has its own properties. */
function checkVolumeKeys(one: Volume, path: Path, report: ReportAt): void {
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
  return { owners, meaning: phraseOf(properties[key]?.description) ?? '' };
}
