import { defineProblems, didYouMean, quote, suggestName } from '../../../diagnostics/index.ts';

type Replicas = Readonly<Record<'number' | 'replicas', number>>;

/** Findings about databases that the CloudNativePG schemas do not cover. */
export const postgresqlProblems = defineProblems(() => ({
  'postgresql-name': {
    summary: 'The name of a component is not a valid CloudNativePG Cluster name.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `${quote(name)} is not a valid Cluster name: it ${reason}`,
    hint: () => 'rename the component; CloudNativePG names Services and pods after it',
    fix: 'Rename the component: at most 50 lower-case letters, digits and hyphens, starting with a letter.',
  },
  'postgresql-version': {
    summary: 'The PostgreSQL version is not a valid image tag.',
    message: ({ version }: { version: string }) => `version ${quote(version)} is not a valid image tag`,
    hint: () => 'use a version such as "16" or "16.4", or set the whole image in "imageName"',
    fix: 'Set version to a tag of the CloudNativePG image, such as "16" or "16.4". For another image, remove version and set imageName.',
  },
  'postgresql-version-unused': {
    severity: 'warning',
    summary: 'version has no effect because imageName is set.',
    message: ({ version, image }: { version: string; image: string }) =>
      `version ${quote(version)} has no effect: "imageName" is ${quote(image)}`,
    hint: () => 'remove "version" or "imageName"',
    fix: 'Remove version, or remove imageName to use the CloudNativePG image of that version.',
  },
  'postgresql-image-tag': {
    severity: 'warning',
    summary: 'CloudNativePG cannot read the PostgreSQL version from the tag of the image.',
    message: ({ image, tag }: { image: string; tag: string | undefined }) =>
      tag === undefined
        ? `image ${quote(image)} has no tag, from which CloudNativePG reads the PostgreSQL version`
        : `the tag ${quote(tag)} of image ${quote(image)} does not start with a PostgreSQL version`,
    hint: () => 'use a tag that starts with the version, such as 16.4',
    fix: 'Add a tag that starts with the PostgreSQL version to imageName, such as :16.4. CloudNativePG rejects images whose version it cannot read.',
  },
  'postgresql-request-above-limit': {
    summary: 'A resource request of an instance exceeds its limit.',
    message: ({ name, request, limit }: { name: string; request: string; limit: string }) =>
      `the ${name} request must be at most the limit ${limit}, got ${request}`,
    fix: 'Lower the value in resources.requests, or raise the one in resources.limits.',
  },
  'postgresql-not-enabled': {
    severity: 'warning',
    summary: 'The pooler or monitoring of a database is configured but not enabled.',
    message: ({ property }: { property: string }) => `${quote(property)} has no effect: it is not enabled`,
    hint: ({ property }: { property: string }) => `add enabled: true, or remove ${quote(property)}`,
    fix: 'Set enabled: true in pooler or monitoring, or remove it.',
  },
  'postgresql-backup-nowhere': {
    severity: 'warning',
    summary: 'backup has a retention policy but no destination.',
    message: () => '"backup" has no effect: "destinationPath" is missing',
    hint: () => 'add "destinationPath", such as s3://bucket/path',
    fix: 'Set backup.destinationPath to the location of the backups, such as s3://bucket/path, and add credentials. Without it, no backups are made.',
  },
  'postgresql-destination-missing': {
    summary: 'The backup store of a database has no destination.',
    message: ({ property }: { property: string }) =>
      `required field "destinationPath" is missing in "backup", which has ${quote(property)}`,
    hint: () => 'add "destinationPath", such as s3://bucket/path',
    fix: 'Set backup.destinationPath to the location of the backups, such as s3://bucket/path.',
  },
  'postgresql-credentials-missing': {
    severity: 'warning',
    summary: 'The backup store of a database has no credentials.',
    message: ({ property }: { property: string }) => `${quote(property)} has no credentials: backups will fail`,
    hint: () =>
      'set "secretName" to a Secret with the keys ACCESS_KEY_ID and SECRET_ACCESS_KEY, or set "s3Credentials", "azureCredentials" or "googleCredentials"',
    fix: 'Create a Secret with the keys ACCESS_KEY_ID and SECRET_ACCESS_KEY and set secretName, or set s3Credentials, azureCredentials or googleCredentials.',
  },
  'postgresql-plugin-name': {
    severity: 'warning',
    summary: 'A database uses a plugin name that no release of the Barman Cloud plugin has.',
    message: ({ name, released }: { name: string; released: string }) =>
      `plugin ${quote(name)} does not exist: released versions of the Barman Cloud plugin are named ${quote(released)}`,
    hint: ({ released }: { released: string }) =>
      `remove "pluginName", which defaults to ${released}, unless you installed the plugin under another name`,
    fix: 'Remove objectStore.pluginName. Keep it only if your Barman Cloud plugin is installed under that name.',
  },
  'postgresql-source-unknown': {
    summary: 'The bootstrap of a database uses an external cluster that does not exist.',
    message: ({ source }: { source: string }) =>
      `external cluster ${quote(source)} does not exist in "externalClusters"`,
    hint: ({ source, names }: { source: string; names: readonly string[] }) =>
      names.length === 0 ? 'add it to "externalClusters"' : suggestName(source, names),
    fix: 'Add an entry with this name to externalClusters, or correct the name in bootstrap.',
  },
  'postgresql-source-unfit': {
    severity: 'warning',
    summary: 'An external cluster lacks the settings that the bootstrap method requires.',
    message: ({ source, method, needed }: { source: string; method: string; needed: string }) =>
      `${quote(method)} requires ${needed} in external cluster ${quote(source)}`,
    hint: ({ source }: { source: string }) => `add it to ${quote(source)} in "externalClusters"`,
    fix: 'Add connectionParameters to the external cluster for pg_basebackup and imports, barmanObjectStore or plugin for recovery.',
  },
  'postgresql-external-empty': {
    severity: 'warning',
    summary: 'An external cluster has no connection and no backups.',
    message: ({ name }: { name: string }) =>
      `external cluster ${quote(name)} has no effect: it has neither a connection nor backups`,
    hint: () => 'add "connectionParameters", "barmanObjectStore" or "plugin"',
    fix: 'Add connectionParameters, barmanObjectStore or plugin to the entry of externalClusters, or remove it.',
  },
  'postgresql-synchronous-number': {
    summary: 'More synchronous replicas are required than exist.',
    message: ({ number, replicas }: Replicas) =>
      `the number of synchronous replicas must be less than "replicas" ${replicas}, which includes the primary, got ${number}`,
    hint: ({ number, replicas }: Replicas) =>
      `set "replicas" to at least ${number + 1}${replicas < 2 ? '' : `, or "number" to at most ${replicas - 1}`}`,
    fix: 'Raise replicas or lower replication.synchronous.number. One of the replicas is the primary.',
  },
  'postgresql-pooler-without-replicas': {
    severity: 'warning',
    summary: 'A pooler of type ro has no replicas to connect to.',
    message: () => 'the pooler of type "ro" has no replica to connect to: "replicas" is 1, which is the primary',
    hint: () => 'set "replicas" to at least 2, or the type to rw or r',
    fix: 'Set replicas to at least 2, or set pooler.type to rw (the primary) or r (any instance).',
  },
  'postgresql-parameter-fixed': {
    severity: 'warning',
    summary: 'A PostgreSQL parameter is managed by CloudNativePG, which rejects other values.',
    message: ({ parameter }: { parameter: string }) =>
      `CloudNativePG does not support parameter ${quote(parameter)}: it sets the parameter itself`,
    hint: ({ instead }: { instead: string | undefined }) =>
      instead === undefined ? 'remove it' : `use ${quote(instead)}`,
    fix: 'Remove the parameter from postgresql.parameters. CloudNativePG rejects Clusters that set it.',
  },
  'postgresql-role-reserved': {
    summary: 'The name of a role is reserved by PostgreSQL or CloudNativePG.',
    message: ({ name }: { name: string }) => `role name ${quote(name)} is reserved`,
    hint: () => 'rename it; postgres, streaming_replica, pg_* and cnpg_* are reserved',
    fix: 'Rename the entry of managedRoles. The names postgres and streaming_replica and the prefixes pg_ and cnpg_ are reserved.',
  },
  'postgresql-database-name': {
    summary: 'The name of a database cannot be converted to a Kubernetes object name.',
    message: ({ database, object, reason }: { database: string; object: string; reason: string }) =>
      `cannot create a Database object for ${quote(database)}: its name ${quote(object)} ${reason}`,
    hint: () => 'use letters, digits, "_" and "-", with a letter or digit at the end',
    fix: 'Rename the database to letters, digits, underscores and hyphens, with a letter or digit at the end.',
  },
  'postgresql-database-clash': {
    summary: 'Two databases result in the same object name.',
    message: ({ first, second, object }: { first: string; second: string; object: string }) =>
      `duplicate Database ${quote(object)}: databases ${quote(first)} and ${quote(second)} have the same object name`,
    hint: () => 'rename one of them; object names are in lower case with "-" for "_"',
    fix: 'Rename one of the databases so that they differ in more than case and the use of "_" and "-".',
  },
  'postgresql-owner-absent': {
    summary: 'The owner of a database is a role that managedRoles removes.',
    message: ({ owner, database }: { owner: string; database: string }) =>
      `role ${quote(owner)} owns database ${quote(database)}, but "managedRoles" removes it`,
    hint: () => 'change the owner, or keep the role',
    fix: 'Set owner of the database to another role, or set ensure of the role to present.',
  },
  'postgresql-owner-unknown': {
    severity: 'warning',
    summary: 'The owner of a database is a role that the component does not create.',
    message: ({ owner, database }: { owner: string; database: string }) =>
      `role ${quote(owner)}, the owner of database ${quote(database)}, does not exist`,
    hint: ({ near }: { near: string | undefined }) =>
      didYouMean(near) ?? 'add it to "managedRoles", or make it the "owner" in "bootstrap.initdb"',
    fix: 'Add the role to managedRoles, set it as owner in bootstrap.initdb, or correct owner of the database. Accept the finding if the role is created elsewhere.',
  },
}));
