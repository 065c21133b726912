import type { FleetLockEntry } from '../forms/index.ts';
import type { Path, Report } from '../model/index.ts';
import { parseRange, readOciReference } from '../registry/index.ts';
import type { OciReference } from '../registry/index.ts';
import { fleetProblems } from './problems.ts';
import type { LocateEntry } from './report-once.ts';

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

export function isInRegistry(text: string): boolean {
  return text.startsWith('oci://');
}

/** The last part of its repository. */
export function nameOfPackage({ url }: Pick<RegistryPackage, 'url'>): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** The reference as in the fleet file. */
export function showPackage({ url, tag, digest }: RegistryPackage): string {
  return `${url}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** Absent if it may be another package tomorrow, or is not known yet. */
export function digestOfPackage({ digest, locked }: RegistryPackage): string | undefined {
  return digest ?? locked?.digest;
}

/** The reference to build. That of a range without a digest is not complete. */
export function referenceTo(registered: RegistryPackage): string {
  const { url, tag } = registered;
  const digest = digestOfPackage(registered);
  if (digest !== undefined) return `${url}@${digest}`;
  return tag === undefined ? url : `${url}:${tag}`;
}

export interface RegistrySettings {
  readonly package: string;
  readonly version: string | undefined;
}

interface Reading {
  readonly target: string;
  readonly report: Report;
  readonly locate: LocateEntry;
  /** The entries of the settings. */
  readonly places: { readonly package: Path; readonly version: Path };
}

/** Reads a reference and its version; `undefined` if they are not valid, which is reported. */
export function readRegistryPackage(
  { package: text, version }: RegistrySettings,
  { target, report, locate, places }: Reading,
): RegistryPackage | undefined {
  const place = { location: locate(places.package) };
  const reference = readOciReference(text);
  if ('reason' in reference) {
    const args = { setting: 'package', reference: text, target, reason: reference.reason } as const;
    report(fleetProblems.create('fleet-reference-invalid', args, place));
    return undefined;
  }
  const { tag, digest } = reference;
  if (version === undefined) {
    if (tag !== undefined || digest !== undefined) return { url: urlOf(reference), tag, digest };
    report(fleetProblems.create('fleet-version-missing', { reference: text, target }, place));
    return undefined;
  }
  const location = locate(places.version);
  const isRange = parseRange(version) !== undefined;
  if (!isRange) report(fleetProblems.create('fleet-version-invalid', { version }, { location }));
  const pin = digest === undefined ? tag : digest;
  if (pin !== undefined) {
    const related = [{ message: 'the package is here', location: place.location }];
    const args = { noun: digest === undefined ? 'tag' : 'digest', pin, url: urlOf(reference), version } as const;
    report(fleetProblems.create('fleet-version-conflict', args, { location, related }));
  }
  return isRange && pin === undefined ? { url: urlOf(reference), range: version } : undefined;
}

/** Reports an artifact that `kurel fleet push` could not push to. The tag is that of the command. */
export function checkArtifact(
  text: string,
  { target, report, locate, path }: Omit<Reading, 'places'> & { readonly path: Path },
): void {
  const reference = readOciReference(text);
  const hasVersion = !('reason' in reference) && (reference.tag !== undefined || reference.digest !== undefined);
  if (!hasVersion && !('reason' in reference)) return;
  const reason = 'reason' in reference ? reference.reason : 'it must not have a tag or digest';
  const args = { setting: 'artifact', reference: text, target, reason } as const;
  report(fleetProblems.create('fleet-reference-invalid', args, { location: locate(path) }));
}

function urlOf({ host, path }: OciReference): string {
  return `oci://${host}/${path}`;
}

/** Finds versions that no target uses, because its package is not in a registry. */
export interface VersionUse {
  add(settings: RegistrySettings, target: string, path: Path): void;
  report(report: Report, locate: LocateEntry): void;
}

export function createVersionUse(): VersionUse {
  const used = new Set<string>();
  const idle = new Map<string, { readonly settings: RegistrySettings; readonly target: string; readonly path: Path }>();
  return {
    add(settings, target, path) {
      const key = JSON.stringify(path);
      if (isInRegistry(settings.package)) used.add(key);
      else idle.set(key, idle.get(key) ?? { settings, target, path });
    },
    report(report, locate) {
      for (const [key, { settings, target, path }] of idle) {
        if (used.has(key)) continue;
        const args = { version: settings.version!, package: settings.package, target };
        report(fleetProblems.create('fleet-version-unused', args, { location: locate(path) }));
      }
    },
  };
}
