import { quote } from '../../../diagnostics/index.ts';
import { readDigest } from './fetch-pinned.ts';
import { refuseContent } from './fetch-access.ts';

/** What `oci://host/path:tag@digest` names. */
export interface OciReference {
  /** With its port, when it has one. */
  readonly host: string;
  readonly path: string;
  readonly tag?: string | undefined;
  /** `sha256:…` of the manifest; it wins over the tag. */
  readonly digest?: string | undefined;
}

const hostPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const stepPattern = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const longestPath = 255;

/** The URL with a version of it: a tag, or a digest when the version is one. */
export function withVersion(url: string, version: string): string {
  // Tags have no `+`; Helm writes it as `_`.
  return version.startsWith('sha256:') ? `${url}@${version}` : `${url}:${version.replaceAll('+', '_')}`;
}

export function parseOciReference(text: string): OciReference {
  const [, host = '', rest = ''] = /^oci:\/\/([^/]+)\/(.*)$/s.exec(text) ?? [];
  if (host === '') throw refuse(text, 'it must have the form oci://host/path:tag');
  if (host.includes('@')) throw refuse(text, 'a URL with a user or a password is not taken');
  if (!hostPattern.test(host)) throw refuse(text, `${quote(host)} is no host`);
  const [name = '', digest, ...more] = rest.split('@');
  const [path = '', tag, ...others] = name.split(':');
  if (path.length > longestPath || !path.split('/').every((step) => stepPattern.test(step))) {
    throw refuse(text, `${quote(path)} is no path in a registry, which is in lower case`);
  }
  if (others.length > 0 || (tag !== undefined && !tagPattern.test(tag))) {
    throw refuse(text, `${quote([tag, ...others].join(':'))} is no tag`);
  }
  const known = digest === undefined || !digest.startsWith('sha256:') ? undefined : readDigest(digest);
  if (more.length > 0 || (digest !== undefined && known === undefined)) {
    throw refuse(text, `${quote([digest, ...more].join('@'))} is no digest of the form sha256: and 64 digits`);
  }
  if (tag === undefined && known === undefined) throw refuse(text, 'it needs a version: a tag or a digest');
  return { host, path, ...(tag === undefined ? {} : { tag }), ...(known === undefined ? {} : { digest: known }) };
}

function refuse(text: string, reason: string): Error {
  return refuseContent(text, reason, { failure: 'url' });
}
