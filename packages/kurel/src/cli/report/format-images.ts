import { escapeControls, quote } from '../../diagnostics/index.ts';
import { formatField, formatObject } from '../../index.ts';
import type { ImageUse, ListedImage } from '../../index.ts';
import type { Location } from '../../model/index.ts';
import type { Place } from '../explain/find-places.ts';
import { formatPlace } from '../explain/format-chains.ts';
import { changersOf } from './image-changers.ts';
import type { ImageChanger } from './image-changers.ts';

type FindPlace = (location: Location) => Place;

/** For people: each image, the fields that name it, and what to change for another one. */
export function formatImages(images: readonly ListedImage[], findPlace: FindPlace): string {
  return images
    .flatMap(({ image, uses }) => [showImage(image), ...uses.flatMap((use) => linesOf(use, findPlace))])
    .map((line) => `${escapeControls(line)}\n`)
    .join('');
}

/** GitHub obeys lines that begin with `::`, which no image does. */
function showImage(image: string): string {
  return image.trimStart().startsWith('::') ? quote(image) : image;
}

function linesOf(use: ImageUse, findPlace: FindPlace): readonly string[] {
  const { object, path } = use;
  const changers = changersOf(use);
  const kindWidth = changers.reduce((most, { kind }) => Math.max(most, kind.length), 0);
  const nameWidth = changers.reduce((most, { parameter = '' }) => Math.max(most, parameter.length), 0);
  const rows = changers.map((one) => {
    const named = one.parameter === undefined ? '' : `${one.parameter.padEnd(nameWidth)}  `;
    return `    ${one.kind.padEnd(kindWidth)}  ${named}${describePlace(one, findPlace)}`.trimEnd();
  });
  return [`  ${formatObject(object)}  ${formatField(path, object)}`, ...rows];
}

function describePlace({ words, location }: ImageChanger, findPlace: FindPlace): string {
  if (location === undefined) return words;
  const place = formatPlace(findPlace(location));
  return words === '' || words === 'package' ? place : `${place}  (${words})`;
}
