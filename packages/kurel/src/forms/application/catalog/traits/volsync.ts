import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { explainSchedule } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { storageClass } from '../../pods/volume-property.ts';
import { defineTrait } from '../define.ts';
import { defined } from '../present-fields.ts';
import { choiceField, scope, textField } from '../../../../documents/index.ts';

/** Limit of ReplicationSources per trait. */
const mostSources = 1000;

const problems = defineProblems(() => ({
  'volsync-no-replicas': {
    severity: 'warning',
    summary: 'A volume with a claim per replica is not backed up because there are no replicas.',
    message: ({ volume, component }: { volume: string; component: string }) =>
      `volume ${quote(volume)} is not backed up: ${quote(component)} has no replicas, and each replica has its own claim`,
    hint: ({ claim }: { claim: string }) => `to back up the claim of a former replica, set "sourcePVC" to ${claim}`,
    fix: 'Set replicas of the component to at least 1, or set sourcePVC to the name of an existing claim.',
  },
  'volsync-replicas': {
    summary: `A volume has more than ${mostSources} claims to back up.`,
    message: ({ volume, replicas }: { volume: string; replicas: number }) =>
      `volume ${quote(volume)} must have at most ${mostSources} claims to back up, got ${replicas}`,
    hint: () => 'back up individual claims, with one trait per claim',
    fix: 'Set sourcePVC to the name of a claim instead of the volume, in one trait per claim.',
  },
  'volsync-source-twice': {
    summary: 'sourcePVC is the name of both a volume of the component and a claim.',
    message: ({ name, claim }: { name: string; claim: string }) =>
      `${quote(name)} is ambiguous: it is a volume of the component with claim ${quote(claim)}, and the claim of a "pvc" trait`,
    hint: () => 'rename one of them',
    fix: 'Rename the volume of the component or the claim of the pvc trait.',
  },
  'volsync-schedule': {
    summary: 'VolSync does not support the backup schedule.',
    message: ({ schedule, reason }: { schedule: string; reason: string }) =>
      `VolSync does not support the schedule ${quote(schedule)}: ${reason}`,
    hint: () => 'use minute, hour, day of month, month and day of week, such as "0 3 * * *" for every night at three',
    fix: 'Write the schedule with five fields of numbers, lists, ranges, "*" or steps, such as "0 3 * * *", or use @daily and similar.',
  },
  'volsync-class': {
    summary: 'A class has no effect with the copy method.',
    message: ({ key, method }: { key: string; method: string }) =>
      `${quote(key)} has no effect with copyMethod ${method}`,
    hint: ({ methods }: { methods: string }) => `remove it, or use copyMethod ${methods}`,
    fix: 'Remove the class, or change copyMethod: storageClassName applies to Snapshot and Clone, volumeSnapshotClassName to Snapshot.',
  },
}));

const properties = {
  sourcePVC: {
    ...textField(
      'dns-subdomain',
      'Claim to back up: the name of a volume of the component, or of any other PersistentVolumeClaim. For a volume claim template, the claims of all replicas are backed up.',
    ),
    required: true,
  },
  name: textField(
    'dns-subdomain',
    'Name of the ReplicationSource. Defaults to CLAIM-backup. Further replicas have -1, -2 and so on appended to it.',
  ),
  schedule: { ...textField('filled', 'Schedule in cron format, such as 0 3 * * * or @daily.'), required: true },
  repository: textField(
    'dns-subdomain',
    'Secret with the restic repository. Defaults to COMPONENT-volsync-secret. Each further replica has its own Secret, with -1, -2 and so on appended to the name.',
  ),
  copyMethod: {
    ...choiceField(
      ['Snapshot', 'Clone', 'Direct'],
      'How the volume is copied before the backup. Direct reads the volume itself.',
    ),
    default: 'Snapshot',
  },
  pruneIntervalDays: {
    type: 'integer',
    description: 'Days between prunes of the repository.',
    minimum: 1,
    default: 14,
  },
  retain: {
    type: 'object',
    description: 'Number of backups to keep.',
    properties: {
      hourly: { type: 'integer', description: 'Number of hourly backups to keep.', minimum: 0 },
      daily: { type: 'integer', description: 'Number of daily backups to keep.', minimum: 0, default: 7 },
      weekly: { type: 'integer', description: 'Number of weekly backups to keep.', minimum: 0, default: 4 },
      monthly: { type: 'integer', description: 'Number of monthly backups to keep.', minimum: 0, default: 3 },
      yearly: { type: 'integer', description: 'Number of yearly backups to keep.', minimum: 0 },
    },
    default: {},
  },
  storageClassName: {
    ...storageClass,
    description:
      'StorageClass of the copy. Defaults to that of the platform, then of the volume. Only for copyMethod Snapshot and Clone.',
  },
  volumeSnapshotClassName: textField(
    'storage-class',
    'VolumeSnapshotClass of the copy. Defaults to that of the platform, then of the cluster. Only for copyMethod Snapshot.',
  ),
  scope,
} as const;

export const volsync = defineTrait({
  type: 'volsync',
  summary: 'VolSync ReplicationSource that backs up a volume with restic.',
  capability: {
    isNeeded: () => false,
    rendering: {
      storageClassName: properties.storageClassName,
      volumeSnapshotClassName: properties.volumeSnapshotClassName,
    },
    example: 'volsync:\n  rendering:\n    volumeSnapshotClassName: snapshots',
  },
  properties,
  problems,
  render({ component, properties: asked, authored, namesOf, report }) {
    const { schedule, copyMethod } = asked;
    const reason = explainTrigger(schedule);
    if (reason !== undefined) report(problems.create('volsync-schedule', { schedule, reason }), ['schedule']);
    const claim = component.claims?.find(({ volume }) => volume === asked.sourcePVC);
    const claimName = claim?.claimName ?? (() => asked.sourcePVC);
    const replicas = claim?.replicas ?? 1;
    if (claim !== undefined && claimName(0) !== asked.sourcePVC && namesOf('pvc').includes(asked.sourcePVC)) {
      report(problems.create('volsync-source-twice', { name: asked.sourcePVC, claim: claimName(0) }), ['sourcePVC']);
    }
    const volume = asked.sourcePVC;
    if (replicas === 0) {
      const args = { volume, component: component.name, claim: claimName(0) };
      report(problems.create('volsync-no-replicas', args), ['sourcePVC']);
    }
    if (replicas > mostSources) report(problems.create('volsync-replicas', { volume, replicas }), ['sourcePVC']);
    const repository = asked.repository ?? `${component.name}-volsync-secret`;
    const restic = defined({
      pruneIntervalDays: asked.pruneIntervalDays,
      retain: asked.retain,
      copyMethod,
      storageClassName: classOf('storageClassName', ['Snapshot', 'Clone']),
      volumeSnapshotClassName: classOf('volumeSnapshotClassName', ['Snapshot']),
    });
    const count = Math.min(replicas, mostSources);
    return { objects: Array.from({ length: count }, (_, replica) => createSource(claimName(replica), replica)) };

    // restic sees the same host and path for all sources, so two sources in one repository would prune each other's backups.
    // The first keeps its repository when replicas are added.
    function createSource(claim: string, replica: number): KubeObject {
      return {
        apiVersion: 'volsync.backube/v1alpha1',
        kind: 'ReplicationSource',
        metadata: { name: asked.name === undefined ? `${claim}-backup` : nameReplica(asked.name, replica) },
        spec: {
          sourcePVC: claim,
          trigger: { schedule },
          restic: { repository: nameReplica(repository, replica), ...restic },
        },
      };
    }

    /** A class of the platform is ignored if it does not apply; one of the author is reported. */
    function classOf(key: 'storageClassName' | 'volumeSnapshotClassName', methods: readonly string[]) {
      if (methods.includes(copyMethod)) return asked[key] || undefined;
      const isIgnored = Object.hasOwn(authored, key) && Boolean(authored[key]);
      const args = { key, method: copyMethod, methods: methods.join(' or ') };
      if (isIgnored) report(problems.create('volsync-class', args), [key], 'key');
      return undefined;
    }
  },
});

function nameReplica(name: string, replica: number): string {
  return replica === 0 ? name : `${name}-${replica}`;
}

const descriptors = ['@hourly', '@daily', '@weekly', '@monthly', '@yearly', '@annually'];
const field = /^(?:\d+(?:,\d+)*|\d+[-/]\d+|\*(?:\/\d+)?)$/;

/** VolSync supports only a part of the cron syntax. */
function explainTrigger(schedule: string): string | undefined {
  if (schedule.includes('TZ=')) return 'time zones are not supported';
  if (schedule.startsWith('@')) {
    return descriptors.includes(schedule) ? undefined : `use one of ${descriptors.join(', ')}`;
  }
  const reason = explainSchedule(schedule);
  if (reason !== undefined) return reason;
  const other = schedule
    .trim()
    .split(/\s+/)
    .find((part) => !field.test(part));
  return other === undefined ? undefined : `${quote(other)} is not a number, a list, a range, "*" or a step`;
}
