import { escapeControls } from '../../diagnostics/index.ts';
import { formatField, formatObject, listImages, nameOf, namespaceOf, writeJson } from '../../index.ts';
import type { BuildResult, ImageList, ImageUse, ListedImage } from '../../index.ts';
import type { JsonObject, KubeObject } from '../../model/index.ts';
import { defineCommand, formatFlag } from '../command.ts';
import type { CommandCall, FlagDefinitions } from '../command.ts';
import { answerFromBuild, findPlaces } from '../explain/answer-from-build.ts';
import type { Answer } from '../explain/answer-from-build.ts';
import { formatPlace } from '../explain/format-chains.ts';
import type { ChainOptions } from '../explain/format-chains.ts';
import { inputFlags, messageFormatFlag } from '../input-flags.ts';
import { cliProblems } from '../problems.ts';
import { changersOf, imagesToCycloneDx } from '../report/images-to-cyclonedx.ts';
import type { ImageChanger } from '../report/images-to-cyclonedx.ts';
import { columnWidth, fitLine, paint, showImage, styleOfStdout } from '../terminal.ts';

const flags = {
  ...inputFlags,
  format: formatFlag(
    ['text', 'json', 'cyclonedx'],
    'Output format: text (the default), json or cyclonedx (a CycloneDX 1.6 bill of materials).',
  ),
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export const images = defineCommand({
  name: 'images',
  description:
    'PATH and the flags are those of kurel build. Each image is listed with the objects and fields that use it, and with the parameters ' +
    'or the file and line that set it. Images that only the cluster knows, such as those of a HelmRelease, are reported with a warning.',
  arguments: [{ name: 'PATH', summary: 'any input of kurel build', completes: 'path', inRegistry: 'content' }],
  flags,
  examples: [
    {
      says: 'the images of a package with production values',
      line: 'kurel images shop.kurel --values production.yaml',
    },
    { says: 'only their names', line: "kurel images deploy/ | grep -v '^ '" },
    { says: 'for a scanner', line: 'kurel images shop.kurel --format cyclonedx > images.cdx.json' },
  ],
  run: (call) => answerFromBuild(call, (result) => answerTo(call, result)),
});

type Call = CommandCall<typeof flags>;

function answerTo({ positionals, flags, environment }: Call, result: BuildResult): Answer {
  const { rendering } = result;
  const sources = rendering.provenance.texts();
  const list = listImages(rendering);
  const diagnostics = list.hidden.map(({ object, reason }) =>
    cliProblems.create('images-hidden', { object: formatObject(object), reason }),
  );
  if (flags.format === 'cyclonedx') {
    return { text: imagesToCycloneDx(list, rendering.facts.name ?? positionals[0]!), diagnostics };
  }
  const traces = list.images.flatMap(({ uses }) =>
    uses.map(({ path, trace, likely }) => ({ path, value: undefined, steps: [...(trace?.steps ?? []), ...likely] })),
  );
  const findPlace = findPlaces(traces, sources);
  const text =
    flags.format === 'json'
      ? imagesToJson(list, findPlace)
      : formatImages(list.images, { findPlace, ...styleOfStdout(flags, environment) });
  return { text, diagnostics };
}

type ListOptions = Omit<ChainOptions, 'object'>;
type FindPlace = ListOptions['findPlace'];

function formatImages(images: readonly ListedImage[], { findPlace, width, color }: ListOptions): string {
  const fit = (line: string): readonly string[] => fitLine(escapeControls(line), width);
  return images
    .flatMap(({ image, uses }) => [
      ...fit(showImage(image)).map((line) => paint('1', line, color)),
      ...uses.flatMap((use) => linesOf(use, findPlace)).flatMap(fit),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function linesOf(use: ImageUse, findPlace: FindPlace): readonly string[] {
  const { object, path } = use;
  const changers = changersOf(use);
  const kindWidth = changers.reduce((most, { kind }) => Math.max(most, kind.length), 0);
  const nameWidth = columnWidth(changers.map(({ parameter = '' }) => parameter));
  const rows = changers.map((changer) => {
    const named = changer.parameter === undefined ? '' : `${changer.parameter.padEnd(nameWidth)}  `;
    return `    ${changer.kind.padEnd(kindWidth)}  ${named}${describePlace(changer, findPlace)}`.trimEnd();
  });
  return [`  ${formatObject(object)}  ${formatField(path, object)}`, ...rows];
}

function describePlace({ words, location }: ImageChanger, findPlace: FindPlace): string {
  if (location === undefined) return words;
  const place = formatPlace(findPlace(location));
  return words === '' || words === 'package' ? place : `${place}  (${words})`;
}

/** Lines and columns count from 1. */
function imagesToJson({ images, hidden }: ImageList, findPlace: FindPlace): string {
  const text = writeJson({
    images: images.map(({ image, reference, uses }) => ({
      image,
      ...(reference === undefined ? {} : { registry: reference.registry, repository: reference.path }),
      ...(reference?.tag === undefined ? {} : { tag: reference.tag }),
      ...(reference?.digest === undefined ? {} : { digest: reference.digest }),
      uses: uses.map((use) => ({
        object: describeObject(use.object),
        field: formatField(use.path, use.object),
        path: use.path,
        changedBy: changersOf(use).map((changer) => describeChanger(changer, findPlace)),
      })),
    })),
    hidden: hidden.map(({ object, reason }) => ({ object: describeObject(object), reason })),
  });
  return `${text}\n`;
}

function describeChanger({ kind, parameter, words, location }: ImageChanger, findPlace: FindPlace): JsonObject {
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
    // In the spelling that `explain` accepts.
    words: formatObject(object),
  };
}
