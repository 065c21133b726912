// takes:   a reference to a registry or a URL, a fetcher
// gives:   manifests, blobs and tags of a repository, with every digest verified; versions and ranges of versions
// refuses: invalid references, content that does not match its digest or size, credentials for other hosts
export { accessFrom, refuseContent } from './fetch-access.ts';
export type { Credentials, FetchAccess } from './fetch-access.ts';
export { checkLogin } from './check-login.ts';
export { fetchOciArtifact } from './fetch-oci-artifact.ts';
export { fetchOnce } from './fetch-once.ts';
export { parseJson } from './fetch-pages.ts';
export { digestOf, fetchPinned, readDigest } from './fetch-pinned.ts';
export { isRegistryHost, parseOciReference, readOciReference, withVersion } from './oci-reference.ts';
export type { OciReference } from './oci-reference.ts';
export { readAnnotations, readDescriptor } from './descriptor.ts';
export type { Descriptor } from './descriptor.ts';
export { pushReferrer } from './push-referrer.ts';
export { indexType, isMissing, manifestType, openRepository } from './repository.ts';
export type { Manifest, Repository } from './repository.ts';
export { compareVersions, parseVersion } from './version.ts';
export type { Version } from './version.ts';
export { isInRange, parseRange } from './version-range.ts';
