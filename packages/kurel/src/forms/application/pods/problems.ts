import { defineProblems, quote } from '../../../diagnostics/index.ts';

/** What can be wrong with the properties of pods that the schema of Kubernetes does not say. */
export const podProblems = defineProblems({
  'image-not-pinned': {
    severity: 'warning',
    summary: 'An image has no tag and no digest, or the tag "latest", so that nobody knows what will run.',
    message: ({ image, tag }: { image: string; tag: string | undefined }) =>
      tag === undefined
        ? `the image ${quote(image)} has neither a tag nor a digest`
        : `the image ${quote(image)} has the tag "latest", which can be another image tomorrow`,
    hint: () => 'give it the tag of a version, or a digest',
  },
  'image-invalid': {
    severity: 'error',
    summary: 'The image of a container beside the main one is not written as image references are.',
    message: ({ image, reason }: { image: string; reason: string }) => `image ${quote(image)} ${reason}`,
  },
  'image-missing': {
    severity: 'error',
    summary: 'A container beside the main one has no image.',
    message: ({ container }: { container: string }) => `the container ${quote(container)} has no "image"`,
    hint: () => 'add "image", with a tag or a digest',
  },
  'container-name-taken': {
    severity: 'error',
    summary: 'Two containers of a pod have the same name.',
    message: ({ name }: { name: string }) => `two containers of the pod are called ${quote(name)}`,
    hint: ({ isMain }: { isMain: boolean }) =>
      isMain ? 'the main container has the name of the component; take another one' : 'give one of them another name',
  },
  'lifecycle-tcp-socket': {
    severity: 'error',
    summary: 'A hook of a container is to connect to a port, which Kubernetes does not do.',
    message: ({ hook }: { hook: string }) => `"tcpSocket" is no handler of ${quote(hook)}: Kubernetes fails the hook`,
    hint: () => 'use "exec", "httpGet" or "sleep"',
  },
  'probe-port-unknown': {
    severity: 'error',
    summary: 'A probe or a hook names a port that its container does not have.',
    message: ({ port }: { port: string }) => `no port of the container is named ${quote(port)}`,
    hint: ({ known, near }: { known: readonly string[]; near: string | undefined }) => {
      if (near !== undefined) return `did you mean ${near}?`;
      return known.length === 0 ? 'write the number of the port' : `its ports are named ${known.join(', ')}`;
    },
  },
  'container-as-root': {
    severity: 'error',
    summary: 'A container is to run as root and not to run as root.',
    message: ({ of }: { of: string }) =>
      `"runAsUser" of ${of} cannot be 0 when "runAsNonRoot" is true: Kubernetes would not start it`,
    hint: () => 'give another user, or take one of them out',
  },
  'volume-key': {
    severity: 'error',
    summary: 'A volume has a property that belongs to another type of volume, or lacks one of its own.',
    message: ({ volume, type, key, isMissing }: VolumeKey) =>
      isMissing
        ? `the volume ${quote(volume)} of type ${type} needs ${quote(key)}`
        : `the volume ${quote(volume)} of type ${type} has no ${quote(key)}`,
    hint: ({ key, isMissing, owners, meaning }: VolumeKey) =>
      isMissing ? `add ${quote(key)}, ${meaning}` : `it belongs to volumes of type ${owners.join(', ')}`,
  },
  'volume-name-taken': {
    severity: 'error',
    summary: 'A volume has the name of a claim that each pod has its own of.',
    message: ({ volume }: { volume: string }) =>
      `${quote(volume)} is in "volumeClaimTemplates" as well, and a pod has one volume of a name`,
    hint: () => 'give one of them another name',
  },
  'volume-mount-taken': {
    severity: 'error',
    summary: 'Two volumes are mounted at the same path of a container.',
    message: ({ volume, other, mountPath }: { volume: string; other: string; mountPath: string }) =>
      `the volumes ${quote(other)} and ${quote(volume)} are both mounted at ${quote(mountPath)}`,
    hint: () => 'give one of them another mountPath',
  },
  'volume-not-shared': {
    severity: 'error',
    summary: 'A volume that one node or one pod at a time may mount is given to several pods.',
    message: ({ volume, mode, users }: { volume: string; mode: string; users: string }) =>
      `the volume ${quote(volume)} is ${mode}, and cannot be shared by ${users}`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'access-mode-alone': {
    severity: 'error',
    summary: 'ReadWriteOncePod stands beside another access mode.',
    message: () => '"ReadWriteOncePod" cannot be combined with other access modes',
    hint: () => 'take the others out',
  },
  'env-file-volume': {
    severity: 'error',
    summary:
      'A variable is read from a file of a volume that the component does not have, or that no file is read from.',
    message: ({ variable, volume, type }: { variable: string; volume: string; type: string | undefined }) =>
      type === undefined
        ? `the variable ${quote(variable)} is read from the volume ${quote(volume)}, which the component does not have`
        : `the variable ${quote(variable)} is read from the volume ${quote(volume)}, which is of type ${type} and must be an emptyDir`,
    hint: ({ near, known }: { near: string | undefined; known: readonly string[] }) => {
      if (near !== undefined) return `did you mean ${near}?`;
      return known.length === 0 ? 'add an emptyDir to "volumes"' : `volumes of type emptyDir: ${known.join(', ')}`;
    },
  },
  'service-name': {
    severity: 'error',
    summary: 'A component that makes a Service has a name that no Service can have.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `the Service of the component cannot be called ${quote(name)}: it ${reason}`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'workload-name': {
    severity: 'error',
    summary: 'A component has a name that is too long for what Kubernetes makes of it.',
    message: ({ kind, name, longest }: { kind: string; name: string; longest: number }) =>
      `a ${kind} cannot be called ${quote(name)}: it must have at most ${longest} characters, and has ${name.length}`,
    hint: ({ why }: { why: string }) => why,
  },
});

interface VolumeKey {
  readonly volume: string;
  readonly type: string;
  readonly key: string;
  readonly isMissing: boolean;
  /** Types that have the key. */
  readonly owners: readonly string[];
  readonly meaning: string;
}
