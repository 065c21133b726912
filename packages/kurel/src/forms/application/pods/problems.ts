import { defineProblems, quote, suggestName } from '../../../diagnostics/index.ts';

/** Findings about pods that the Kubernetes schema does not cover. */
export const podProblems = defineProblems(() => ({
  'image-not-pinned': {
    severity: 'warning',
    summary: 'An image has the tag "latest", or neither a tag nor a digest.',
    message: ({ image, tag }: { image: string; tag: string | undefined }) =>
      tag === undefined
        ? `image ${quote(image)} has neither a tag nor a digest`
        : `image ${quote(image)} has the tag "latest", which can change at any time`,
    hint: () => 'use a version tag or a digest',
    fix: 'Add a version tag or a digest to the image, such as :1.4.0 or @sha256:…, so that every pod runs the same image.',
  },
  'image-invalid': {
    summary: 'The image of an init container or sidecar is not a valid image reference.',
    message: ({ image, reason }: { image: string; reason: string }) => `image ${quote(image)} ${reason}`,
    fix: 'Write the image as REGISTRY/NAME:TAG or REGISTRY/NAME@sha256:DIGEST.',
  },
  'image-missing': {
    summary: 'An init container or sidecar has no image.',
    message: ({ container }: { container: string }) =>
      `required field "image" is missing in container ${quote(container)}`,
    hint: () => 'add "image", with a tag or digest',
    fix: 'Add image to the entry of initContainers or sidecars.',
  },
  'container-name-taken': {
    summary: 'Two containers of a pod have the same name.',
    message: ({ name }: { name: string }) => `duplicate container ${quote(name)}`,
    hint: ({ isMain }: { isMain: boolean }) =>
      isMain ? 'rename it, or the main container with "containerName"' : 'rename one of them',
    fix: 'Rename the init container or sidecar. Names are unique within a pod, and the main container has the name of the component unless containerName is set.',
  },
  'lifecycle-tcp-socket': {
    summary: 'A lifecycle hook uses tcpSocket, which Kubernetes does not support.',
    message: ({ hook }: { hook: string }) =>
      `Kubernetes does not support "tcpSocket" in ${quote(hook)}: the hook fails at runtime`,
    hint: () => 'use "exec", "httpGet" or "sleep"',
    fix: 'Replace tcpSocket with exec, httpGet or sleep. The API server still accepts the field, but the hook always fails.',
  },
  'volume-key': {
    summary: 'A volume has a property of another volume type, or lacks a property that its type requires.',
    message: ({ volume, type, key, isMissing }: VolumeKey) =>
      isMissing
        ? `required field ${quote(key)} is missing in volume ${quote(volume)} of type ${type}`
        : `volume type ${type} does not support ${quote(key)}, which is set in volume ${quote(volume)}`,
    hint: ({ key, isMissing, owners, meaning }: VolumeKey) =>
      isMissing ? `add ${quote(key)}, ${meaning}` : `remove it, or use type ${owners.join(', ')}`,
    fix: 'Set only the properties of the volume type, including the required ones. The reference page of the component lists them.',
  },
  'volume-claim-key': {
    summary: 'A volume with an existing claim has a property of a new claim.',
    message: ({ volume, key }: { volume: string; key: string }) =>
      `${quote(key)} requires "size" in volume ${quote(volume)}: without it, the claim exists`,
    hint: () => 'add "size" to create a claim, or remove it',
    fix: 'Add size so that kurel creates the claim, or remove storageClass and accessModes from the volume.',
  },
  'volume-name-taken': {
    summary: 'A volume has the same name as a volume claim template.',
    message: ({ volume }: { volume: string }) =>
      `duplicate volume ${quote(volume)}: it is also in "volumeClaimTemplates"`,
    hint: () => 'rename one of them',
    fix: 'Rename the entry of volumes or of volumeClaimTemplates. Both become volumes of the pod, whose names are unique.',
  },
  'volume-not-shared': {
    summary: 'Several pods share a volume that only one node or pod can mount.',
    message: ({ volume, mode, users }: { volume: string; mode: string; users: string }) =>
      `volume ${quote(volume)} is ${mode} and cannot be shared by ${users}`,
    hint: ({ advice }: { advice: string }) => advice,
    fix: 'Run a single replica, set accessModes to [ReadWriteMany] if the StorageClass supports it, or use a statefulset with volumeClaimTemplates to give each pod its own volume.',
  },
  'node-label-conflict': {
    summary: '"nodeSelector" and "affinity.nodeSelector" require different values of a node label.',
    message: ({ key, value, other }: { key: string; value: string; other: string }) =>
      `node label ${quote(key)} cannot be both ${quote(value)} and ${quote(other)}, which "affinity.nodeSelector" requires`,
    hint: () => 'remove one of them',
    fix: 'Require a node label only once, in nodeSelector or in affinity.nodeSelector.',
  },
  'affinity-conflict': {
    summary: 'Pods must run both near and not near the same pods.',
    message: () =>
      'the same term is required in "podAffinity" and "podAntiAffinity": the pods are never scheduled together',
    hint: () => 'remove one of them; "enablePodAntiAffinity" with type "required" adds a term to "podAntiAffinity"',
    fix: 'Remove the term from affinity.podAffinity or affinity.podAntiAffinity, or set podAntiAffinityType to preferred.',
  },
  'dns-policy-host': {
    severity: 'warning',
    summary: 'Pods on the host network have the DNS policy ClusterFirst, which Kubernetes treats as Default.',
    message: () => '"dnsPolicy" ClusterFirst is ignored on the host network: the pods use the DNS of their node',
    hint: () => 'use ClusterFirstWithHostNet, or Default',
    fix: 'Set dnsPolicy to ClusterFirstWithHostNet, or remove it. Set it to Default if the pods should use the DNS of their node.',
  },
  'token-not-mounted': {
    severity: 'warning',
    summary: 'The pods have permissions from the rbac trait, but no token to use them.',
    message: () =>
      '"automountServiceAccountToken" is false, so the pods cannot use the permissions of the "rbac" trait',
    hint: () => 'remove "automountServiceAccountToken", or mount a token in a volume with type: projected',
    fix: 'Remove automountServiceAccountToken, which is true with the rbac trait. Keep it if a projected volume mounts the token, and accept the finding.',
  },
  'strategy-volume': {
    severity: 'warning',
    summary:
      'A rolling update starts a new pod while the old one still uses a volume that only one node or pod can mount.',
    message: ({ volume }: { volume: string }) =>
      `the new pod may wait forever for volume ${quote(volume)}, which only one node or pod can mount`,
    hint: () => 'remove "strategy", which is then Recreate, or set "rollingUpdate.maxSurge" to 0',
    fix: 'Remove strategy or set its type to Recreate, set rollingUpdate.maxSurge to 0 and maxUnavailable to 1, or set accessModes of the volume to [ReadWriteMany].',
  },
  'env-file-volume': {
    summary: 'An environment variable is read from a volume that does not exist or is not an emptyDir.',
    message: ({ variable, volume, type }: { variable: string; volume: string; type: string | undefined }) =>
      type === undefined
        ? `volume ${quote(volume)} of variable ${quote(variable)} does not exist`
        : `volume ${quote(volume)} of variable ${quote(variable)} must be an emptyDir, got ${type}`,
    hint: ({ volume, names }: { volume: string; names: readonly string[] }) =>
      names.length === 0 ? 'add an emptyDir to "volumes"' : suggestName(volume, names),
    fix: 'Add a volume of type emptyDir to volumes and use its name in fileKeyRef.volumeName. An init container must write the file.',
  },
  'service-name': {
    summary: 'The name of a component, or its nameOverride, is not a valid Service name.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `${quote(name)} is not a valid Service name: it ${reason}`,
    hint: ({ advice }: { advice: string }) => advice,
    fix: 'Rename the component, or set nameOverride or service.name. The name of a Service must start with a letter.',
  },
  'workload-name': {
    summary: 'The name of a component is too long for a StatefulSet.',
    message: ({ name, longest }: { name: string; longest: number }) =>
      `the name of StatefulSet ${quote(name)} must have at most ${longest} characters, got ${name.length}`,
    hint: () => 'shorten it: Kubernetes appends a hash to it in a label of its pods',
    fix: 'Shorten the name of the component. Kubernetes appends up to 11 characters to it, and the result is limited to 63.',
  },
}));

interface VolumeKey {
  readonly volume: string;
  readonly type: string;
  readonly key: string;
  readonly isMissing: boolean;
  /** Volume types with this property. */
  readonly owners: readonly string[];
  readonly meaning: string;
}
