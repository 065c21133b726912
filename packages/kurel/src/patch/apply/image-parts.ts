import type { ImagePart } from './find-places.ts';

/** Replaces one part of an image reference; `undefined` without a repository. */
export function setImagePart(image: string | undefined, part: ImagePart, text: string): string | undefined {
  const { name, tag, digest } = splitImage(image ?? '');
  if (part === 'repository') return join({ name: text, tag, digest });
  if (name === '') return undefined;
  if (part === 'tag') return join({ name, tag: text, digest: '' });
  if (part === 'digest') return join({ name, tag: '', digest: text });
  return join({ name: `${text}/${withoutHost(name)}`, tag, digest });
}

/** Removes one part of an image reference, if it has it. The repository cannot be removed. */
export function removeImagePart(image: string, part: Exclude<ImagePart, 'repository'>): string {
  const { name, tag, digest } = splitImage(image);
  if (part === 'tag') return join({ name, tag: '', digest });
  if (part === 'digest') return join({ name, tag, digest: '' });
  return join({ name: withoutHost(name), tag, digest });
}

function withoutHost(name: string): string {
  const slash = name.indexOf('/');
  const host = slash === -1 ? '' : name.slice(0, slash);
  return /[.:]/.test(host) || host === 'localhost' ? name.slice(slash + 1) : name;
}

interface ImageText {
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

/** Splits any string, even if it is not a valid reference yet: patches may complete it part by part. */
function splitImage(image: string): ImageText {
  const at = image.indexOf('@');
  const named = at === -1 ? image : image.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  return {
    name: hasTag ? named.slice(0, colon) : named,
    tag: hasTag ? named.slice(colon + 1) : '',
    digest: at === -1 ? '' : image.slice(at + 1),
  };
}

function join({ name, tag, digest }: ImageText): string {
  return `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}
