import { describe, expect, it } from 'vitest';
import { build, defineComponent, memoryFileSystem } from '../../../index.ts';
import type { BuildResult, Handlers, TakenSource } from '../../../index.ts';
import { sha256 } from '../../../engine/index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Fetcher } from '../../../model/index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
const url = 'https://example.com/settings.yaml';
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n';
const vendored = 'vendor/settings-0123456789ab.yaml';

function application(...components: readonly string[]): string {
  const list = components.map(
    (properties, index) => `  - {name: c${index}, type: manifests, properties: ${properties}}\n`,
  );
  return `${head}kind: Application\nmetadata: {name: shop}\nspec:\n  components:\n${list.join('')}`;
}

function lock(...entries: readonly string[]): string {
  return `${head}kind: Lock\nspec:\n  sources:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`;
}

const entry = `{url: "${url}", sha256: ${sha256(settings)}, file: ${vendored}}`;

/** Serves the content of URLs and records the requests. */
function fakeFetcher(texts: Readonly<Record<string, string | Uint8Array>>): Fetcher & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async fetch(request) {
      asked.push(request.url);
      const found = texts[request.url];
      if (found === undefined) throw new FetchError('status', `cannot fetch ${request.url}: 404`, { url: request.url });
      return {
        url: request.url,
        bytes: typeof found === 'string' ? new TextEncoder().encode(found) : found,
        headers: {},
      };
    },
  };
}

interface Given {
  readonly application?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly fetcher?: Fetcher;
  readonly handlers?: Handlers;
  readonly isLocking?: boolean;
  readonly onTaken?: (taken: TakenSource) => void;
}

async function render({ application: text, files = {}, fetcher, ...settingsOf }: Given): Promise<BuildResult> {
  const own = Object.fromEntries(Object.entries(files).map(([path, content]) => [`shop/${path}`, content]));
  return await build({
    path: 'shop',
    fileSystem: memoryFileSystem({ 'shop/app.yaml': text ?? application(`{url: "${url}"}`), ...own }),
    application: { profile: false, ...settingsOf },
    fetcher,
  });
}

const reported = ({ diagnostics }: BuildResult): readonly string[] =>
  diagnostics.map(({ severity, code, message, hint }) => `${severity}[${code}]: ${message}; ${hint ?? 'no hint'}`);

describe('a remote source', () => {
  const fetcher = fakeFetcher({ [url]: settings, 'https://example.com/binary': Uint8Array.of(0xff, 0xfe) });
  const other = '0'.repeat(64);

  it.each<{ name: string; given: Given; expected: readonly string[] }>([
    {
      name: 'is fetched with a warning if it is not pinned',
      given: { fetcher },
      expected: [
        `warning[source-not-pinned]: "${url}" is not pinned: its content can change between builds; add "sha256", or lock all sources with kurel vendor`,
      ],
    },
    {
      name: 'is pinned by its digest',
      given: { fetcher, application: application(`{url: "${url}", sha256: ${sha256(settings).toUpperCase()}}`) },
      expected: [],
    },
    {
      name: 'must match its digest',
      given: { fetcher, application: application(`{url: "${url}", sha256: "${other}"}`) },
      expected: [
        `error[source-changed]: the SHA-256 of "${url}" must be ${other}, got ${sha256(settings)}; update "sha256" if the change is expected`,
      ],
    },
    {
      name: 'is not fetched without a network',
      given: {},
      expected: [
        `error[source-offline]: cannot fetch "${url}": it is not in the package, and the network is disabled; run kurel vendor to add it to the package`,
      ],
    },
    {
      name: 'is read from the package without a network',
      given: { files: { 'kurel.lock': lock(entry), [vendored]: settings } },
      expected: [],
    },
    {
      name: 'is locked but not in the package',
      given: { files: { 'kurel.lock': lock(entry) } },
      expected: [
        `error[source-offline]: cannot fetch "${url}": it is not in the package, and the network is disabled; run kurel vendor to restore it`,
      ],
    },
    { name: 'is locked and fetched', given: { fetcher, files: { 'kurel.lock': lock(entry) } }, expected: [] },
    {
      name: 'is locked and has changed',
      given: { fetcher: fakeFetcher({ [url]: `${settings}# more\n` }), files: { 'kurel.lock': lock(entry) } },
      expected: [
        `error[source-changed]: the SHA-256 of "${url}" must be ${sha256(settings)}, got ${sha256(`${settings}# more\n`)}; run kurel vendor to update kurel.lock if the change is expected`,
      ],
    },
    {
      name: 'was changed in the package',
      given: { fetcher, files: { 'kurel.lock': lock(entry), [vendored]: 'changed' } },
      expected: [
        `error[source-changed]: the SHA-256 of "${vendored}", the copy of "${url}", must be ${sha256(settings)}, got ${sha256('changed')}; run kurel vendor to restore the file locked in kurel.lock`,
      ],
    },
    {
      name: 'is not in the lock',
      given: { fetcher, files: { 'kurel.lock': lock(entry.replace('settings.yaml', 'other.yaml')) } },
      expected: [`error[source-not-locked]: "${url}" is not in kurel.lock; run kurel vendor to update kurel.lock`],
    },
    {
      name: 'is not text',
      given: {
        fetcher,
        application: application(
          '{url: "https://example.com/binary", sha256: "' + sha256(Uint8Array.of(0xff, 0xfe)) + '"}',
        ),
      },
      expected: ['error[source-not-text]: "https://example.com/binary" is not valid UTF-8; no hint'],
    },
    {
      name: 'is in a lock twice',
      given: { files: { 'kurel.lock': lock(entry, entry), [vendored]: settings } },
      expected: [
        `error[lock-entry-twice]: duplicate entry for "${url}"; remove one of them, or delete the file and run kurel vendor`,
      ],
    },
    {
      name: 'is a file that does not exist',
      given: { application: application('{file: files/setings.yaml}'), files: { 'files/settings.yaml': settings } },
      expected: [
        'error[source-file-missing]: file "files/setings.yaml" does not exist in the package; did you mean "files/settings.yaml"?',
      ],
    },
  ])('$name', async ({ given, expected }) => {
    const result = await render(given);
    expect(reported(result)).toEqual(expected);
    expect(result.objects).toHaveLength(expected.some((text) => text.startsWith('error')) ? 0 : 1);
  });

  it('is fetched once for all components', async () => {
    const once = fakeFetcher({ [url]: settings });
    const taken: string[] = [];
    const text = application(`{url: "${url}"}`, `{url: "${url}", sha256: ${sha256(settings)}}`);
    const result = await render({ application: text, fetcher: once, onTaken: (one) => void taken.push(one.url) });
    expect(reported(result).some((line) => line.startsWith('error[object-twice]'))).toBe(true);
    expect(once.asked).toEqual([url]);
    expect(taken).toEqual([url, url]);
  });

  it('is reported once if it cannot be fetched, even if others can', async () => {
    const some = fakeFetcher({ [url]: settings });
    const text = application(`{url: "${url}", sha256: ${sha256(settings)}}`, '{url: "https://example.com/gone"}');
    const result = await render({ application: text, fetcher: some });
    expect(reported(result)).toEqual([
      'error[source-unreachable]: cannot fetch https://example.com/gone: 404; no hint',
    ]);
    expect(some.asked).toEqual([url, 'https://example.com/gone']);
  });

  it('is fetched again when the lock is rewritten, unless the author pins it', async () => {
    const taken: TakenSource[] = [];
    const files = { 'kurel.lock': lock(entry), [vendored]: settings };
    const changed = fakeFetcher({ [url]: `${settings}# more\n` });
    const result = await render({ files, fetcher: changed, isLocking: true, onTaken: (one) => void taken.push(one) });
    expect(reported(result)).toEqual([]);
    const bytes = new TextEncoder().encode(`${settings}# more\n`);
    expect(taken).toEqual([{ kind: 'url', url, bytes, sha256: sha256(bytes), from: url }]);
    const pinned = application(`{url: "${url}", sha256: ${sha256(settings)}}`);
    const refused = await render({ application: pinned, files, fetcher: changed, isLocking: true });
    expect(refused.diagnostics.map(({ code }) => code)).toEqual(['source-changed']);
  });

  it('cannot require more and more sources', async () => {
    const endless = defineComponent({
      type: 'endless',
      summary: 'Requests another source for each one it gets.',
      properties: {},
      render({ load }) {
        for (let index = 0; ; index += 1) {
          const loaded = load({ kind: 'url', url: `https://example.com/${index}` }, []);
          if (loaded === undefined) return { objects: [] };
        }
      },
    });
    const everything: Fetcher = {
      fetch: async ({ url: from }) => ({ url: from, bytes: new Uint8Array(), headers: {} }),
    };
    const text = `${head}kind: Application\nmetadata: {name: shop}\nspec: {components: [{name: a, type: endless}]}\n`;
    const result = await render({ application: text, fetcher: everything, handlers: { components: [endless] } });
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map(({ code }) => code)).toContain('sources-nested');
  });
});
