import { quote } from '../../../diagnostics/index.ts';
import type { Location, SourceFile } from '../../../model/index.ts';
import { locateInYaml } from '../../../yaml/index.ts';
import type { LoadedSource } from '../sources/source-request.ts';
import { manifestProblems } from './problems.ts';
import type { SourceInput } from './source-properties.ts';

/** A text with manifests, and how to speak of it. */
interface ManifestText {
  readonly source: SourceFile;
  /** The property that holds or names it. */
  readonly property: SourceProperty;
  /** What the author calls it. */
  readonly words: string;
  /** Where something stands for a person, by where it stands in the text alone. */
  readonly place: (location: Location) => Location;
}

const sourceNames = ['inline', 'file', 'url'] as const;

type SourceProperty = (typeof sourceNames)[number];

/** `undefined` when there is no text, or not yet. */
export function openSource(input: SourceInput): ManifestText | undefined {
  const { properties, report } = input;
  const [first, ...more] = sourceNames.filter((name) => properties[name] !== undefined);
  if (first === undefined) {
    report(manifestProblems.create('manifest-source-missing', { component: input.name }), [], 'key');
  }
  for (const second of more) {
    report(manifestProblems.create('manifest-source-several', { first: first!, second }), [second], 'key');
  }
  if (properties.sha256 !== undefined && properties.url === undefined) {
    report(manifestProblems.create('manifest-pin-vain', {}), ['sha256'], 'key');
  }
  return first === undefined || more.length > 0 ? undefined : openText(input, first);
}

function openText(input: SourceInput, property: SourceProperty): ManifestText | undefined {
  const { properties, load } = input;
  const { inline = '', file, url, sha256 } = properties;
  if (property === 'inline') return openInline(input, inline);
  const loaded: LoadedSource | undefined =
    property === 'file'
      ? load({ kind: 'file', path: file! }, ['file'])
      : load({ kind: 'url', url: url!, sha256 }, ['url']);
  if (loaded === undefined) return undefined;
  const source = { path: loaded.name, text: loaded.text };
  return { source, property, words: quote(properties[property]!), place: (location) => location };
}

/** The text stands in a file of its author, whose lines people know. */
function openInline({ locate, locateText }: SourceInput, text: string): ManifestText {
  const source = { path: 'inline', text };
  const path = ['inline'];
  const locatePart = locateText(text, path);
  return {
    source,
    property: 'inline',
    words: '"inline"',
    place(location) {
      const range = locateInYaml(source, location);
      return range === undefined ? locate(path) : locatePart(range);
    },
  };
}
