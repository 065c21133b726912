import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { explainSchedule } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { storageClass } from '../../pods/volume-property.ts';
import { defineTrait } from '../define.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

/** ReplicationSources of one trait. */
const mostSources = 1000;

const problems = defineProblems({
  'volsync-no-replicas': {
    severity: 'warning',
    summary: 'A volume is to be backed up of which each replica has its own claim, and there are no replicas.',
    message: ({ volume, component }: { volume: string; component: string }) =>
      `nothing backs up ${quote(volume)}: ${quote(component)} has no replicas, and each replica has its own claim`,
    hint: ({ claim }: { claim: string }) => `to back up a claim of an earlier replica, set "sourcePVC" to ${claim}`,
  },
  'volsync-replicas': {
    severity: 'error',
    summary: `A volume is to be backed up of which more than ${mostSources} replicas have their own claim.`,
    message: ({ volume, replicas }: { volume: string; replicas: number }) =>
      `${quote(volume)} has ${replicas} claims, one for each replica, and at most ${mostSources} are backed up`,
    hint: () => 'name the claims that matter, in a trait for each',
  },
  'volsync-source-twice': {
    severity: 'error',
    summary: 'What is to be backed up is the name of a volume of the component and of a claim.',
    message: ({ name, claim }: { name: string; claim: string }) =>
      `${quote(name)} is a volume of the component, whose claim is ${quote(claim)}, and the claim of a trait "pvc"`,
    hint: () => 'give one of them another name',
  },
  'volsync-schedule': {
    severity: 'error',
    summary: 'The schedule of backups is not one that VolSync takes.',
    message: ({ schedule, reason }: { schedule: string; reason: string }) =>
      `VolSync does not take the schedule ${quote(schedule)}: ${reason}`,
    hint: () => 'minute, hour, day of month, month, day of week: "0 3 * * *" is each night at three',
  },
  'volsync-class': {
    severity: 'error',
    summary: 'A class is given for copies that the method of copying does not make.',
    message: ({ key, method }: { key: string; method: string }) =>
      `${quote(key)} has no effect with the copyMethod ${method}`,
    hint: ({ methods }: { methods: string }) => `it is for ${methods}; take it out, or choose another copyMethod`,
  },
});

const properties = {
  sourcePVC: {
    type: 'string',
    description:
      'what is backed up: a volume of the component by its name (of a volumeClaimTemplate, the claim of each replica), or the name of any other PersistentVolumeClaim',
    required: true,
    format: 'dns-subdomain',
  },
  schedule: { type: 'string', description: 'when, as cron has it', required: true, format: 'filled' },
  repository: {
    type: 'string',
    description:
      'Secret that says where backups go; defaults to the name of the component with "-volsync-secret". Each replica needs a repository of its own: that of the second has "-1" at the end of its name, that of the third "-2"',
    format: 'dns-subdomain',
  },
  copyMethod: {
    type: 'string',
    description: 'what is read while the component runs: a snapshot, a clone, or the volume itself',
    enum: ['Snapshot', 'Clone', 'Direct'],
    default: 'Snapshot',
  },
  pruneIntervalDays: {
    type: 'integer',
    description: 'days between removals of what no backup needs any more',
    minimum: 1,
    default: 14,
  },
  retain: {
    type: 'object',
    description: 'how many backups are kept',
    properties: {
      hourly: { type: 'integer', description: 'one for each of so many hours', minimum: 0 },
      daily: { type: 'integer', description: 'one for each of so many days', minimum: 0, default: 7 },
      weekly: { type: 'integer', description: 'one for each of so many weeks', minimum: 0, default: 4 },
      monthly: { type: 'integer', description: 'one for each of so many months', minimum: 0, default: 3 },
      yearly: { type: 'integer', description: 'one for each of so many years', minimum: 0 },
    },
    default: {},
  },
  storageClassName: {
    ...storageClass,
    description: 'StorageClass of the copy; that of the platform or of the volume unless given',
  },
  volumeSnapshotClassName: {
    type: 'string',
    description: 'VolumeSnapshotClass of the copy; that of the platform or of the cluster unless given',
    format: 'storage-class',
  },
  scope,
} as const;

export const volsync = defineTrait({
  type: 'volsync',
  summary: 'Backs a volume up with VolSync and restic: a ReplicationSource.',
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
    const found = component.claims?.find(({ volume }) => volume === asked.sourcePVC);
    const claimName = found?.claimName ?? (() => asked.sourcePVC);
    const replicas = found?.replicas ?? 1;
    if (found !== undefined && namesOf('pvc').includes(asked.sourcePVC)) {
      report(problems.create('volsync-source-twice', { name: asked.sourcePVC, claim: claimName(0) }), ['sourcePVC']);
    }
    const volume = asked.sourcePVC;
    if (replicas === 0) {
      const args = { volume, component: component.name, claim: claimName(0) };
      report(problems.create('volsync-no-replicas', args), ['sourcePVC']);
    }
    if (replicas > mostSources) report(problems.create('volsync-replicas', { volume, replicas }), ['sourcePVC']);
    const repository = asked.repository ?? `${component.name}-volsync-secret`;
    const restic = given({
      pruneIntervalDays: asked.pruneIntervalDays,
      retain: asked.retain,
      copyMethod,
      storageClassName: classOf('storageClassName', ['Snapshot', 'Clone']),
      volumeSnapshotClassName: classOf('volumeSnapshotClassName', ['Snapshot']),
    });
    const count = Math.min(replicas, mostSources);
    return { objects: Array.from({ length: count }, (_, replica) => createSource(claimName(replica), replica)) };

    // All sources call themselves by the same host and path in a repository, so that two of them in one would
    // remove each other's backups. The first keeps its name when others are added.
    function createSource(claim: string, replica: number): KubeObject {
      return {
        apiVersion: 'volsync.backube/v1alpha1',
        kind: 'ReplicationSource',
        metadata: { name: `${claim}-backup` },
        spec: {
          sourcePVC: claim,
          trigger: { schedule },
          restic: { repository: replica === 0 ? repository : `${repository}-${replica}`, ...restic },
        },
      };
    }

    /** What the platform says is for when it is of use; what the author says must be of use. */
    function classOf(key: 'storageClassName' | 'volumeSnapshotClassName', methods: readonly string[]) {
      if (methods.includes(copyMethod)) return asked[key] || undefined;
      const isVain = Object.hasOwn(authored, key) && Boolean(authored[key]);
      const args = { key, method: copyMethod, methods: methods.join(' and ') };
      if (isVain) report(problems.create('volsync-class', args), [key], 'key');
      return undefined;
    }
  },
});

const descriptors = ['@hourly', '@daily', '@weekly', '@monthly', '@yearly', '@annually'];
const field = /^(?:\d+(?:,\d+)*|\d+[-/]\d+|\*(?:\/\d+)?)$/;

/** VolSync takes a part of what cron takes. */
function explainTrigger(schedule: string): string | undefined {
  if (schedule.includes('TZ=')) return 'it has no time zones';
  if (schedule.startsWith('@')) {
    return descriptors.includes(schedule) ? undefined : `of such words it has ${descriptors.join(', ')}`;
  }
  const reason = explainSchedule(schedule);
  if (reason !== undefined) return reason;
  const other = schedule
    .trim()
    .split(/\s+/)
    .find((part) => !field.test(part));
  return other === undefined
    ? undefined
    : `${quote(other)} is not a number, a list of numbers, a range of two, "*" or a step of it`;
}
