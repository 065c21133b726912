import { getOrAdd } from '../../budget/index.ts';
import type { Location } from '../../model/index.ts';
import type { Place } from './find-places.ts';
import { describeValue, formatPath } from './format-path.ts';
import type { ObjectPatching, Patching } from './patch-run.ts';
import type { ImagePart, PreparedEntry } from './prepare-field.ts';
import { applyProblems } from './problems.ts';
import { storeValue } from './store-value.ts';
import { isNull, textOfValue } from './type-value.ts';

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

/** Sets one part of an image. Without an image, the part waits until the same file sets the repository. */
export function replaceImagePart(place: Place, value: PreparedEntry['value'], { prepared, patching }: Patching): void {
  const { path, imagePart } = place;
  const { location } = prepared.patch;
  if (isNull(value)) return takeImagePart(place, { prepared, patching });
  const text = textOfValue(value);
  if (text === undefined) return reportPartType(place, value, { patching, location });
  const image = typeof place.value === 'string' ? place.value : undefined;
  const key = formatPath(path);
  let result = setImagePart(image, imagePart!, text);
  if (result === undefined) {
    patching.pendingImages ??= new Map();
    getOrAdd(patching.pendingImages, key, () => []).push({ part: imagePart!, text, location });
    return;
  }
  if (imagePart === 'repository') {
    const pending = patching.pendingImages?.get(key) ?? [];
    for (const { part, text: waiting } of pending) result = setImagePart(result, part, waiting)!;
    patching.pendingImages?.delete(key);
  }
  storeValue(place, result, { prepared, patching, part: { wanted: text } });
}

/** Removes one part of an image and keeps the rest. */
export function takeImagePart(place: Place, { prepared, patching }: Patching): void {
  const { path, imagePart, value } = place;
  const { location } = prepared.patch;
  if (imagePart === 'repository') {
    return reportPartType(place, { type: 'lexeme', text: '', isPlain: false }, { patching, location });
  }
  const image = typeof value === 'string' ? value : '';
  const result = removeImagePart(image, imagePart!);
  if (result !== image) return storeValue(place, result, { prepared, patching, part: { wanted: undefined } });
  const args = { path: `${formatPath(path)}.${imagePart!}`, object: patching.key };
  patching.report(applyProblems.create('delete-nothing', args, { location }));
}

/** Reports image parts for which the file has not set a repository. */
export function reportPendingImages(patching: ObjectPatching): void {
  for (const parts of patching.pendingImages?.values() ?? []) {
    for (const { part, location } of parts) {
      const args = { part: `image.${part}`, object: patching.key };
      patching.report(applyProblems.create('image-incomplete', args, { location }));
    }
  }
  patching.pendingImages = undefined;
}

export function reportPartType(
  { path, imagePart }: Place,
  value: PreparedEntry['value'],
  { patching, location }: { readonly patching: ObjectPatching; readonly location: Location },
): void {
  const args = {
    value: value.type === 'data' ? describeValue(value.data) : isNull(value) ? 'null' : 'nothing',
    field: `${formatPath(path)}.${imagePart!}`,
    type: 'a string',
  };
  patching.report(applyProblems.create('type-mismatch', args, { location }));
}
