import type { ImagePart } from './find-places.ts';

/** An image reference with one part replaced; `undefined` when there is no repository for it to belong to. */
export function setImagePart(image: string | undefined, part: ImagePart, text: string): string | undefined {
  const { name, tag, digest } = splitImage(image ?? '');
  if (part === 'repository') return join({ name: text, tag, digest });
  if (name === '') return undefined;
  if (part === 'tag') return join({ name, tag: text, digest: '' });
  if (part === 'digest') return join({ name, tag: '', digest: text });
  const slash = name.indexOf('/');
  const host = slash === -1 ? '' : name.slice(0, slash);
  const hasHost = /[.:]/.test(host) || host === 'localhost';
  return join({ name: `${text}/${hasHost ? name.slice(slash + 1) : name}`, tag, digest });
}

interface ImageText {
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

/** Takes anything apart, also what is no valid reference yet: it may become one part by part. */
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
