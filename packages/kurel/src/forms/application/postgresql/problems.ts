import { defineProblems, quote } from '../../../diagnostics/index.ts';

interface Source {
  readonly source: string;
  readonly near: string | undefined;
  readonly known: readonly string[];
}

interface Replicas {
  readonly number: number;
  readonly replicas: number;
}

/** What can be wrong with a database that the schemas of CloudNativePG do not say. */
export const postgresqlProblems = defineProblems({
  'postgresql-name': {
    severity: 'error',
    summary: 'A component has a name that CloudNativePG refuses for a Cluster.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `a Cluster of PostgreSQL cannot be called ${quote(name)}: it ${reason}`,
    hint: () => 'its Services and pods are named after it',
  },
  'postgresql-version': {
    severity: 'error',
    summary: 'The version of PostgreSQL is not written as the tag of an image is.',
    message: ({ version }: { version: string }) => `version ${quote(version)} is no tag of an image`,
    hint: () => 'write a version such as "16" or "16.4", or name the whole image with "imageName"',
  },
  'postgresql-version-unused': {
    severity: 'warning',
    summary: 'A version is given beside an image, which says by itself which version runs.',
    message: ({ version, image }: { version: string; image: string }) =>
      `version ${quote(version)} has no effect: the image is ${quote(image)}`,
    hint: () => 'take "version" or "imageName" out',
  },
  'postgresql-image-tag': {
    severity: 'warning',
    summary: 'CloudNativePG cannot tell the version of PostgreSQL from the tag of the image, and refuses it.',
    message: ({ image, tag }: { image: string; tag: string | undefined }) =>
      `CloudNativePG reads the version of PostgreSQL from the tag of the image, and ${quote(image)} has ${tag === undefined ? 'none' : `the tag ${quote(tag)}, which does not begin with one`}`,
    hint: () => 'give it a tag that begins with the version, such as 16.4',
  },
  'postgresql-request-above-limit': {
    severity: 'error',
    summary: 'An instance asks for more than it may have.',
    message: ({ name, request, limit }: { name: string; request: string; limit: string }) =>
      `the ${name} request ${request} is more than the limit ${limit}`,
    hint: () => 'a request is at most its limit',
  },
  'postgresql-not-enabled': {
    severity: 'warning',
    summary: 'A pooler or the monitoring of a database is described, and not switched on.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} does not say that it is "enabled", so that there is none`,
    hint: ({ property }: { property: string }) => `add enabled: true, or take ${quote(property)} out`,
  },
  'postgresql-backup-nowhere': {
    severity: 'warning',
    summary: 'It is said how long backups are kept, but not where.',
    message: () => 'no backup is made: "backup" says how long backups are kept, and not where',
    hint: () => 'add "destinationPath", such as s3://bucket/path',
  },
  'postgresql-destination-missing': {
    severity: 'error',
    summary: 'The store of backups is described without saying where in it they are kept.',
    message: ({ property }: { property: string }) => `"backup" has ${quote(property)}, and no "destinationPath"`,
    hint: () => 'add "destinationPath", where backups are kept, such as s3://bucket/path',
  },
  'postgresql-credentials-missing': {
    severity: 'warning',
    summary: 'Nothing says how to sign in where backups are kept.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} has no credentials, without which CloudNativePG keeps no backups`,
    hint: () =>
      'name a Secret with the keys ACCESS_KEY_ID and SECRET_ACCESS_KEY in "secretName", or give "s3Credentials", "azureCredentials" or "googleCredentials"',
  },
  'postgresql-credentials-several': {
    severity: 'error',
    summary: 'There are two ways to sign in where backups are kept.',
    message: ({ first, second }: { first: string; second: string }) =>
      `${quote(second)} cannot stand beside ${quote(first)}: there is one way to sign in`,
    hint: () => 'take one of them out',
  },
  'postgresql-archive-twice': {
    severity: 'error',
    summary: 'Backups are kept by CloudNativePG itself and by its plugin, which it refuses.',
    message: () => '"backup" cannot stand beside "objectStore": a Cluster is archived in one place',
    hint: () => 'take one of them out; "objectStore" is the newer way, and needs the Barman Cloud plugin',
  },
  'postgresql-plugin-name': {
    severity: 'warning',
    summary: 'A Cluster is archived by a plugin that no release of the Barman Cloud plugin is called.',
    message: ({ name, released }: { name: string; released: string }) =>
      `the Cluster is archived by the plugin ${quote(name)}, and the releases of the Barman Cloud plugin are called ${quote(released)}`,
    hint: ({ released }: { released: string }) =>
      `remove "pluginName", which defaults to ${released}, unless yours is installed under the other name`,
  },
  'postgresql-bootstrap-several': {
    severity: 'error',
    summary: 'A Cluster is to begin in more than one way.',
    message: ({ methods }: { methods: readonly string[] }) =>
      `"bootstrap" has ${methods.slice(0, -1).map(quote).join(', ')} and ${quote(methods.at(-1) ?? '')}, and a Cluster begins in one way`,
    hint: () => 'keep one of them',
  },
  'postgresql-source-unknown': {
    severity: 'error',
    summary: 'A Cluster is to begin with the data of an external cluster that is not there.',
    message: ({ source }: Source) => `${quote(source)} is not in "externalClusters"`,
    hint: ({ near, known }: Source) => {
      if (near !== undefined) return `did you mean ${near}?`;
      return known.length === 0 ? 'describe it there' : `external clusters: ${known.join(', ')}`;
    },
  },
  'postgresql-source-unfit': {
    severity: 'warning',
    summary: 'An external cluster does not say what is needed to begin with its data.',
    message: ({ source, method, needed }: { source: string; method: string; needed: string }) =>
      `${quote(method)} needs ${needed} of the external cluster ${quote(source)}`,
    hint: ({ source }: { source: string }) => `add it to ${quote(source)} in "externalClusters"`,
  },
  'postgresql-recovery-empty': {
    severity: 'error',
    summary: 'A Cluster is to be recovered, and nothing says from what.',
    message: () => '"recovery" does not say what to recover from',
    hint: () => 'give it a "source", a "backup" or "volumeSnapshots"',
  },
  'postgresql-external-empty': {
    severity: 'warning',
    summary: 'An external cluster has a name, and nothing says how to reach it.',
    message: ({ name }: { name: string }) => `the external cluster ${quote(name)} does not say how to reach it`,
    hint: () => 'give it "connectionParameters", "barmanObjectStore" or "plugin"',
  },
  'postgresql-synchronous-number': {
    severity: 'error',
    summary: 'More replicas are to be synchronous than there are.',
    message: ({ number, replicas }: Replicas) =>
      `${number === 1 ? 'one replica is' : `${number} replicas are`} to be synchronous, and "replicas" is ${replicas}, of which one is the primary`,
    hint: ({ number, replicas }: Replicas) =>
      `set "replicas" to at least ${number + 1}${replicas < 2 ? '' : `, or "number" to at most ${replicas - 1}`}`,
  },
  'postgresql-pooler-without-replicas': {
    severity: 'warning',
    summary: 'A pooler leads to replicas, and the Cluster has none.',
    message: () => 'a pooler of type "ro" leads to replicas, and "replicas" is 1, which is the primary',
    hint: () => 'set "replicas" to at least 2, or the type to rw or r',
  },
  'postgresql-parameter-fixed': {
    severity: 'warning',
    summary: 'CloudNativePG sets a parameter of PostgreSQL itself, and refuses another value.',
    message: ({ parameter }: { parameter: string }) =>
      `CloudNativePG sets the parameter ${quote(parameter)} itself, and refuses a Cluster that sets it`,
    hint: ({ instead }: { instead: string | undefined }) =>
      instead === undefined ? 'take it out' : `write it in ${quote(instead)}`,
  },
  'postgresql-role-reserved': {
    severity: 'error',
    summary: 'A role has a name that PostgreSQL or CloudNativePG keeps for itself.',
    message: ({ name }: { name: string }) => `the role ${quote(name)} cannot be managed: its name is reserved`,
    hint: () => 'reserved are postgres, streaming_replica, and what begins with pg_ or cnpg_',
  },
  'postgresql-role-password': {
    severity: 'error',
    summary: 'A role has a password and is to have none.',
    message: ({ name }: { name: string }) => `the role ${quote(name)} has a "passwordSecret" and "disablePassword"`,
    hint: () => 'take one of them out',
  },
  'postgresql-database-name': {
    severity: 'error',
    summary: 'A database has a name that no object can be named after.',
    message: ({ database, object, reason }: { database: string; object: string; reason: string }) =>
      `the database ${quote(database)} cannot have an object of its own: its name ${quote(object)} ${reason}`,
    hint: () => 'letters, digits, "_" and "-" are fine, with a letter or digit at the end',
  },
  'postgresql-database-clash': {
    severity: 'error',
    summary: 'Two databases would have objects of the same name.',
    message: ({ first, second, object }: { first: string; second: string; object: string }) =>
      `the databases ${quote(first)} and ${quote(second)} would both have the object ${quote(object)}`,
    hint: () => 'objects have "-" for "_" and small letters for capitals: give one of the databases another name',
  },
  'postgresql-owner-absent': {
    severity: 'error',
    summary: 'A database belongs to a role that is to be removed.',
    message: ({ owner, database }: { owner: string; database: string }) =>
      `the database ${quote(database)} belongs to the role ${quote(owner)}, which "managedRoles" removes`,
    hint: () => 'give the database another owner, or keep the role',
  },
  'postgresql-owner-unknown': {
    severity: 'warning',
    summary: 'A database belongs to a role that nothing in the component creates.',
    message: ({ owner, database }: { owner: string; database: string }) =>
      `nothing creates the role ${quote(owner)} that the database ${quote(database)} belongs to`,
    hint: ({ near }: { near: string | undefined }) =>
      near === undefined
        ? 'add it to "managedRoles", or make it the "owner" in "bootstrap.initdb"'
        : `did you mean ${near}?`,
  },
});
