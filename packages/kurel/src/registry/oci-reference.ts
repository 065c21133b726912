import { quote } from '../diagnostics/index.ts';
import { readDigest } from './fetch-pinned.ts';
import { refuseContent } from './fetch-access.ts';

/** A reference of the form `oci://host/path:tag@digest`. */
export interface OciReference {
  /** Including the port, if any. */
  readonly host: string;
  readonly path: string;
  readonly tag?: string | undefined;
  /** `sha256:…` of the manifest; takes precedence over the tag. */
  readonly digest?: string | undefined;
}

const hostPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const stepPattern = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const longestPath = 255;

/** The URL with a tag, or with a digest if the version is one. */
export function withVersion(url: string, version: string): string {
  // Tags cannot contain `+`; Helm replaces it with `_`.
  return version.startsWith('sha256:') ? `${url}@${version}` : `${url}:${version.replaceAll('+', '_')}`;
}

export function parseOciReference(text: string): OciReference {
  const [, host = '', rest = ''] = /^oci:\/\/([^/]+)\/(.*)$/s.exec(text) ?? [];
  if (host === '') throw refuse(text, 'the URL must have the form oci://host/path:tag');
  if (host.includes('@')) throw refuse(text, 'the URL must not contain a user or password');
  if (!hostPattern.test(host)) throw refuse(text, `${quote(host)} is not a valid host`);
  const [name = '', digest, ...more] = rest.split('@');
  const [path = '', tag, ...others] = name.split(':');
  if (path.length > longestPath || !path.split('/').every((step) => stepPattern.test(step))) {
    throw refuse(text, `${quote(path)} is not a valid registry path, which must be in lower case`);
  }
  if (others.length > 0 || (tag !== undefined && !tagPattern.test(tag))) {
    throw refuse(text, `${quote([tag, ...others].join(':'))} is not a valid tag`);
  }
  const known = digest === undefined || !digest.startsWith('sha256:') ? undefined : readDigest(digest);
  if (more.length > 0 || (digest !== undefined && known === undefined)) {
    throw refuse(
      text,
      `${quote([digest, ...more].join('@'))} is not a valid digest, which is sha256: followed by 64 digits`,
    );
  }
  if (tag === undefined && known === undefined) throw refuse(text, 'a tag or digest is missing');
  return { host, path, ...(tag === undefined ? {} : { tag }), ...(known === undefined ? {} : { digest: known }) };
}

function refuse(text: string, reason: string): Error {
  return refuseContent(text, reason, { failure: 'url' });
}
