import type { FleetSettings, FleetSettingName } from '../documents/index.ts';
import type { FleetLockEntry } from '../forms/index.ts';
import type {
  Budget,
  Diagnostic,
  FileSystem,
  JsonObject,
  Location,
  Memory,
  Path,
  RelatedLocation,
  Report,
  SourceFile,
} from '../model/index.ts';
import type { SignatureRule } from '../signing/index.ts';
import type { FleetSteps } from './fleet-steps.ts';
import type { fleetProblems } from './problems.ts';

/** A fleet file with all its targets, in the order of the file. */
export interface Fleet {
  readonly source: SourceFile;
  readonly targets: readonly FleetTarget[];
  /** Signatures that packages in registries must have. Files are relative to the directory of the fleet file. */
  readonly signatures: readonly SignatureRule[];
  /** Absent if there is none, or no target needs it. */
  readonly lock?: FleetLock | undefined;
}

/** What `kurel update` has resolved the packages of a fleet file to. */
export interface FleetLock {
  readonly source: SourceFile;
  readonly entries: readonly FleetLockEntry[];
}

/** A package in a registry as a fleet file names it: by its digest, by a tag, or by a range of versions. */
export interface RegistryPackage {
  /** `oci://host/path`. */
  readonly url: string;
  readonly digest?: string | undefined;
  readonly tag?: string | undefined;
  readonly range?: string | undefined;
  /** What `kurel update` has found for the tag or range. */
  readonly locked?: FleetLockEntry | undefined;
}

/** One build of a fleet. Plain data, so that it can be sent to another thread. */
export interface FleetTarget {
  readonly name: string;
  readonly application?: string | undefined;
  readonly cluster?: string | undefined;
  readonly path: Path;
  readonly settings: TargetSettings;
  /** Present if the package is in a registry. */
  readonly registered?: RegistryPackage | undefined;
  /** The entries that set each setting, in the order in which they override each other. */
  readonly origins: Readonly<Partial<Record<FleetSettingName, readonly Path[]>>>;
  /** The levels that it inherits from, in the same order. */
  readonly levels: readonly Path[];
  /** Optional values files that do not exist. */
  readonly missingValues?: readonly string[] | undefined;
  /** Why it cannot be built, which does not concern other targets: paths that do not exist. */
  readonly problems?: readonly Diagnostic[] | undefined;
}

type OptionalName = 'profile' | 'noProfile' | 'policy' | 'namespace' | 'instance' | 'layout' | 'flux' | 'artifact';

type OptionalSettings = {
  readonly [Name in OptionalName | 'kubernetesVersion']?: FleetSettings[Name] | undefined;
};

/** The settings of one target, with placeholders filled. Paths are relative to the directory of the fleet file. */
export interface TargetSettings extends OptionalSettings {
  /** A path, or the reference to a package in a registry: with its digest if that is known. */
  readonly package: string;
  readonly values: readonly string[];
  /** Single values, each with its entry in the fleet file. */
  readonly set: readonly InlineValues[];
  readonly patches: readonly string[];
  readonly enable: readonly string[];
  readonly contentHash: boolean;
  readonly output: string;
  readonly crds: readonly string[];
  readonly strict: boolean;
  readonly accept: readonly TargetAcceptance[];
}

export interface InlineValues {
  readonly path: Path;
  readonly data: JsonObject;
}

export interface TargetAcceptance {
  readonly code: string;
  readonly object?: string | undefined;
  readonly reason: string;
  readonly path: Path;
}

export interface FleetRequest {
  readonly source: SourceFile;
  /** Paths are relative to the directory of the fleet file. */
  readonly fileSystem: FileSystem;
  readonly report: Report;
  readonly memory?: Memory | undefined;
  /** Shared by the whole run; a full one by default. */
  readonly budget?: Budget | undefined;
  /** Called with the lock, which findings may point into. */
  readonly onLock?: ((source: SourceFile) => void) | undefined;
}

/** What the steps of reading a fleet file share. */
export interface FleetContext extends Pick<FleetRequest, 'fileSystem'> {
  readonly locate: (path: Path) => Location;
  readonly steps: FleetSteps;
  /** How many paths that do not exist are compared with those that do. */
  readonly mostNear: number;
  /** Reports a finding at an entry. Many targets share one entry: the same mistake in it is reported for the first target only. */
  readonly report: <Code extends keyof typeof fleetProblems.definitions>(
    code: Code,
    args: Parameters<typeof fleetProblems.create<Code>>[1],
    path: Path,
    more?: { readonly at?: 'key'; readonly related?: readonly RelatedLocation[] },
  ) => void;
}
