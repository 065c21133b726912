// takes:   a reference to a registry or a URL, a fetcher
// gives:   manifests, blobs and tags of a repository, with every digest verified; versions and ranges of versions
// refuses: invalid references, content that does not match its digest or size, credentials for other hosts
export {
  accessFrom,
  digestOf,
  encodeBase64,
  encodeJson,
  fetchPinned,
  parseDocument,
  readDigest,
  refuseContent,
} from './fetch-access.ts';
export type { Credentials, FetchAccess } from './fetch-access.ts';
export { checkLogin } from './registry-session.ts';
export {
  fetchOciArtifact,
  indexType,
  manifestType,
  openRepository,
  pushReferrer,
  unlessMissing,
} from './repository.ts';
export { fetchOnce } from './fetch-once.ts';
export {
  describeContent,
  isDockerHub,
  isRegistryHost,
  isTag,
  parseOciReference,
  readAnnotations,
  readDescriptor,
  readOciReference,
  withVersion,
} from './oci-reference.ts';
export type { Descriptor, OciReference } from './oci-reference.ts';
export type { Manifest, Repository } from './repository.ts';
export { compareVersions, isInRange, parseRange, parseVersion } from './version.ts';
export type { Version } from './version.ts';
