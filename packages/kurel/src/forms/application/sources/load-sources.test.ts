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

/** Gives what stands at a URL, and remembers what it was asked for. */
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

describe('what stands elsewhere', () => {
  const fetcher = fakeFetcher({ [url]: settings, 'https://example.com/binary': Uint8Array.of(0xff, 0xfe) });
  const other = '0'.repeat(64);

  it.each<{ name: string; given: Given; expected: readonly string[] }>([
    {
      name: 'is taken as it is, with a warning',
      given: { fetcher },
      expected: [
        `warning[source-not-pinned]: "${url}" is taken as it is today, and may be another tomorrow; pin it with "sha256", or lock all sources with kurel vendor`,
      ],
    },
    {
      name: 'is pinned by its digest',
      given: { fetcher, application: application(`{url: "${url}", sha256: ${sha256(settings).toUpperCase()}}`) },
      expected: [],
    },
    {
      name: 'must have the digest that it is pinned to',
      given: { fetcher, application: application(`{url: "${url}", sha256: "${other}"}`) },
      expected: [
        `error[source-changed]: "${url}" has the SHA-256 ${sha256(settings)}, and must have ${other}; its "sha256" says so; if the change is meant, write the new one`,
      ],
    },
    {
      name: 'is not taken without a network',
      given: {},
      expected: [
        `error[source-offline]: "${url}" is not in the package, and the network is not used; kurel vendor puts it into the package`,
      ],
    },
    {
      name: 'is taken from the package without a network',
      given: { files: { 'kurel.lock': lock(entry), [vendored]: settings } },
      expected: [],
    },
    {
      name: 'is locked, and not in the package',
      given: { files: { 'kurel.lock': lock(entry) } },
      expected: [
        `error[source-offline]: "${url}" is not in the package, and the network is not used; kurel vendor puts it into the package again`,
      ],
    },
    { name: 'is locked, and fetched', given: { fetcher, files: { 'kurel.lock': lock(entry) } }, expected: [] },
    {
      name: 'is locked, and has become another',
      given: { fetcher: fakeFetcher({ [url]: `${settings}# more\n` }), files: { 'kurel.lock': lock(entry) } },
      expected: [
        `error[source-changed]: "${url}" has the SHA-256 ${sha256(`${settings}# more\n`)}, and must have ${sha256(settings)}; kurel.lock says so; if the change is meant, kurel vendor locks it anew`,
      ],
    },
    {
      name: 'was changed in the package',
      given: { fetcher, files: { 'kurel.lock': lock(entry), [vendored]: 'changed' } },
      expected: [
        `error[source-changed]: "${vendored}", which stands for "${url}", has the SHA-256 ${sha256('changed')}, and must have ${sha256(settings)}; kurel.lock says so; kurel vendor puts it into the package again`,
      ],
    },
    {
      name: 'is not in the lock that there is',
      given: { fetcher, files: { 'kurel.lock': lock(entry.replace('settings.yaml', 'other.yaml')) } },
      expected: [`error[source-not-locked]: "${url}" is not in kurel.lock; kurel vendor brings kurel.lock up to date`],
    },
    {
      name: 'is no text',
      given: {
        fetcher,
        application: application(
          '{url: "https://example.com/binary", sha256: "' + sha256(Uint8Array.of(0xff, 0xfe)) + '"}',
        ),
      },
      expected: ['error[source-not-text]: "https://example.com/binary" is no UTF-8 text; no hint'],
    },
    {
      name: 'is named by a lock twice',
      given: { files: { 'kurel.lock': lock(entry, entry), [vendored]: settings } },
      expected: [
        `error[lock-entry-twice]: "${url}" is named twice; take one of them out, or take out the file and write it anew with kurel vendor`,
      ],
    },
    {
      name: 'is a file that the package does not have',
      given: { application: application('{file: files/setings.yaml}'), files: { 'files/settings.yaml': settings } },
      expected: [
        'error[source-file-missing]: the package has no file "files/setings.yaml"; did you mean files/settings.yaml?',
      ],
    },
  ])('$name', async ({ given, expected }) => {
    const result = await render(given);
    expect(reported(result)).toEqual(expected);
    expect(result.objects).toHaveLength(expected.some((text) => text.startsWith('error')) ? 0 : 1);
  });

  it('is fetched once for all who name it', async () => {
    const once = fakeFetcher({ [url]: settings });
    const taken: string[] = [];
    const text = application(`{url: "${url}"}`, `{url: "${url}", sha256: ${sha256(settings)}}`);
    const result = await render({ application: text, fetcher: once, onTaken: (one) => void taken.push(one.url) });
    expect(reported(result).some((line) => line.startsWith('error[object-twice]'))).toBe(true);
    expect(once.asked).toEqual([url]);
    expect(taken).toEqual([url, url]);
  });

  it('is told once when it cannot be had, be it that others can', async () => {
    const some = fakeFetcher({ [url]: settings });
    const text = application(`{url: "${url}", sha256: ${sha256(settings)}}`, '{url: "https://example.com/gone"}');
    const result = await render({ application: text, fetcher: some });
    expect(reported(result)).toEqual([
      'error[source-unreachable]: cannot fetch https://example.com/gone: 404; no hint',
    ]);
    expect(some.asked).toEqual([url, 'https://example.com/gone']);
  });

  it('is taken as it is today when a lock is written anew, but for what the author pins', async () => {
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

  it('may not lead to more and more', async () => {
    const endless = defineComponent({
      type: 'endless',
      summary: 'Asks for another source with each one it gets.',
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
