import { formatField, formatObject, nameOf, namespaceOf, writeJson } from '../../index.ts';
import type { ImageList, ImageUse, NamedImageReference } from '../../index.ts';
import type { JsonObject, KubeObject, Location } from '../../model/index.ts';
import type { Place } from '../explain/find-places.ts';
import { changersOf } from './image-changers.ts';
import type { ImageChanger } from './image-changers.ts';

/** For other programs. Lines and columns count from 1. */
export function imagesToJson({ images, hidden }: ImageList, findPlace: (location: Location) => Place): string {
  const text = writeJson({
    images: images.map(({ image, reference, uses }) => ({
      image,
      ...(reference === undefined ? {} : describeReference(reference)),
      uses: uses.map((use) => describeUse(use, findPlace)),
    })),
    hidden: hidden.map(({ object, reason }) => ({ object: describeObject(object), reason })),
  });
  return `${text}\n`;
}

function describeReference({ registry, path, tag, digest }: NamedImageReference): JsonObject {
  const version = { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
  return { registry, repository: path, ...version };
}

function describeUse(use: ImageUse, findPlace: (location: Location) => Place): JsonObject {
  const { object, path } = use;
  return {
    object: describeObject(object),
    field: formatField(path, object),
    path,
    changedBy: changersOf(use).map((one) => describeChanger(one, findPlace)),
  };
}

function describeChanger(
  { kind, parameter, words, location }: ImageChanger,
  findPlace: (location: Location) => Place,
): JsonObject {
  return {
    kind,
    ...(parameter === undefined ? {} : { parameter }),
    ...(words === '' ? {} : { words }),
    ...(location === undefined ? {} : { place: { ...findPlace(location) } }),
  };
}

function describeObject(object: KubeObject): JsonObject {
  const namespace = namespaceOf(object);
  const { apiVersion, kind } = object;
  return {
    apiVersion,
    kind,
    ...(namespace === '' ? {} : { namespace }),
    name: nameOf(object),
    // As explain takes it.
    words: formatObject(object),
  };
}
