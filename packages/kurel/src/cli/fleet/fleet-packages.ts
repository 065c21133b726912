import { readPackageManifest } from '../../artifact/index.ts';
import type { FetchPackageOptions } from '../../artifact/index.ts';
import { getOrAdd } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { settleAtOnce } from '../../engine/index.ts';
import { describeUnlocked, digestOfPackage, dropForeign, fleetProblems, placeOfVersion } from '../../fleet/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { FetchError } from '../../model/index.ts';
import type { Fetcher, FileSystem, SourceFile } from '../../model/index.ts';
import { parseOciReference } from '../../registry/index.ts';
import type { BuildSettings } from '../../settings/index.ts';
import { isRequired } from '../../signing/index.ts';
import type { SignatureRule } from '../../signing/index.ts';
import type { Environment } from '../environment.ts';
import { formNamed, publishedForms } from '../open-input.ts';
import { openDisk } from '../open-world.ts';
import { openOwnCache } from '../own-cache.ts';
import type { RemotePackage } from '../packages/open-remote-package.ts';
import { openPackageStore, openVendored } from '../packages/package-store.ts';
import type { VendoredPart } from '../packages/package-store.ts';
import { createRegistryAccess } from '../registry-access.ts';
import type { RequiredSignatures } from '../signing/require-signatures.ts';

export type FleetPackages = ReturnType<typeof openFleetPackages>;

interface FleetPackagesOptions {
  readonly source: SourceFile;
  /** Signatures that it requires; profiles may require more. */
  readonly signatures: readonly SignatureRule[];
  /** Whether required signatures are verified. Defaults to true. */
  readonly isVerifying?: boolean | undefined;
  /** Settings of every target. */
  readonly settings: Partial<BuildSettings>;
  /** With the directory of the fleet file as its working directory. */
  readonly environment: Environment;
  /** Where vendored packages are; the disk by default. */
  readonly files?: FileSystem | undefined;
  /** Whether fetched packages are kept for the next run. Defaults to true. */
  readonly isKeeping?: boolean | undefined;
}

/** The packages in registries that targets use. Each is fetched once, also if that fails. */
export function openFleetPackages(options: FleetPackagesOptions) {
  const { source, signatures, settings, environment, files, isKeeping = true, isVerifying = true } = options;
  const { offline = false } = settings;
  const fileSystem = files ?? openDisk({ ...environment, watched: undefined });
  const vendored = openVendored(fileSystem);
  const { variables } = environment;
  const usesCache = isKeeping && !offline;
  const cache = usesCache ? openOwnCache({ variables, userId: process.getuid?.() }) : undefined;
  const store = openPackageStore(vendored, cache);
  const openings = new Map<string, Promise<RemotePackage>>();
  const quiet = { ...environment, watched: undefined, known: store };

  /** Without the network, if there is a substitute for it. */
  async function read(
    reference: string,
    { network, verify }: Pick<FetchPackageOptions, 'verify'> & { readonly network?: Fetcher } = {},
  ): Promise<RemotePackage> {
    const { openRemotePackage } = await import('../packages/open-remote-package.ts');
    const fetchers = network && new Map([true, false].map((isPrivate) => [isPrivate, network]));
    const inside = fetchers === undefined ? quiet : { ...quiet, fetchers };
    return await openRemotePackage(reference, { ...settings, verify }, inside);
  }

  const requirements = new Map<string, Promise<RequiredSignatures>>();

  /** Signatures that the fleet file and the profile of a target require of its package. */
  async function findRequired({
    settings: { profile },
    registered,
  }: FleetTarget): Promise<readonly RequiredSignatures[]> {
    if (!isVerifying) return [];
    const { host, path } = parseOciReference(`${registered!.url}:x`);
    const own = { rules: signatures, source };
    const required = profile === undefined ? [own] : [own, await readProfile(profile)];
    return required.filter(({ rules }) => rules.some((rule) => isRequired(rule, `${host}/${path}`)));
  }

  async function readProfile(profile: string): Promise<RequiredSignatures> {
    const { readProfileRules } = await import('../signing/require-signatures.ts');
    return await getOrAdd(requirements, profile, () => readProfileRules(profile, fileSystem));
  }

  /** Another key or rule may refuse the package, so that a result without it cannot be used again. */
  async function noteRequired(target: FleetTarget, { watched }: Environment): Promise<void> {
    if (watched === undefined) return;
    const { profile } = target.settings;
    if (profile !== undefined) watched.note(profile, 'content');
    const required = await findRequired(target);
    if (required.length === 0) return;
    const { filesOfRules } = await import('../signing/require-signatures.ts');
    for (const path of filesOfRules(required)) watched.note(path, 'content');
  }

  async function createVerify(required: readonly RequiredSignatures[]): Promise<FetchPackageOptions['verify']> {
    if (required.length === 0) return undefined;
    const { createSignatureCheck } = await import('../signing/require-signatures.ts');
    const access = offline ? undefined : createRegistryAccess(settings, quiet);
    return createSignatureCheck(required, { access, fileSystem });
  }

  async function fetch(
    { settings: own, registered }: FleetTarget,
    required: readonly RequiredSignatures[],
  ): Promise<RemotePackage> {
    const verify = await createVerify(required);
    if (!offline) return await read(own.package, { verify });
    const network = createRefusal();
    try {
      return await read(own.package, { network: network.fetcher, verify });
    } catch (error) {
      if (!network.wasUsed()) throw error;
      const { url, tag = registered!.locked?.tag } = registered!;
      const reference = tag === undefined ? own.package : `${url}:${tag}`;
      const isPinned = digestOfPackage(registered!) !== undefined;
      throw fleetProblems.error('fleet-package-offline', { reference, isPinned });
    }
  }

  async function open(target: FleetTarget): Promise<RemotePackage> {
    const { registered, settings } = target;
    const path = placeOfVersion(target);
    const { url, range } = registered!;
    const digest = digestOfPackage(registered!);
    if (range !== undefined && digest === undefined) {
      throw new DiagnosticError([describeUnlocked({ url, range, path }, source.path)]);
    }
    if (digest !== undefined) vendored.expect({ url, digest });
    try {
      const required = await findRequired(target);
      // Another target may use the package without a profile that requires signatures.
      const key = required.length === 0 ? settings.package : `${settings.package} ${settings.profile ?? ''}`;
      return await getOrAdd(openings, key, () => fetch(target, required));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const location = { file: source.path, document: 0, path };
      throw new DiagnosticError(
        error.diagnostics.map((finding) => (finding.location === undefined ? { ...finding, location } : finding)),
        { cause: error },
      );
    }
  }

  return {
    store,
    /** Fetches the package of a target, and finds out the digest of a tag, so that all targets use the same. Throws a `DiagnosticError`. */
    async prepare(target: FleetTarget): Promise<FleetTarget> {
      if (target.registered === undefined) return target;
      const { digest } = await open(target);
      if (!isUnpinned(target)) return target;
      const settings = { ...target.settings, package: `${target.registered.url}@${digest}` };
      return { ...target, settings };
    },
    /** A target that can be built as it is: its package is at the path in its settings. Throws a `DiagnosticError`, too. */
    async enter(target: FleetTarget, outside: Environment) {
      if (target.registered === undefined) return { target, environment: outside };
      const opened = await open(target);
      await noteRequired(target, outside);
      const { settings, origins } = await dropForeign(target, async () => formNamed(opened.config.form, outside));
      const mounted = isUnpinned(target) ? markUnpinned(opened, target) : opened;
      return { target: { ...target, settings, origins }, environment: { ...outside, packages: [mounted] } };
    },
    /** The bytes of a package. Throws a `DiagnosticError`, too. */
    async readParts(target: FleetTarget): Promise<Readonly<Record<VendoredPart, Uint8Array>>> {
      const { manifest, reference } = await open(target);
      const { config, content } = readPackageManifest(manifest, { url: reference, forms: publishedForms(environment) });
      const [ofConfig, ofContent] = [await store.find(config.digest), await store.find(content.digest)];
      return { manifest: manifest.bytes, config: ofConfig!, content: ofContent! };
    },
    /** The text of a file in a package; `undefined` if the network were needed for it. */
    async readText(path: string): Promise<string | undefined> {
      const [, reference, url, digest] = pinnedPath.exec(path) ?? [];
      if (reference === undefined || url === undefined || digest === undefined) return undefined;
      vendored.expect({ url, digest });
      try {
        const opened = await (openings.get(reference) ?? read(reference, { network: createRefusal().fetcher }));
        return await opened.fileSystem.readText(path);
      } catch {
        return undefined;
      }
    },
  };
}

const pinnedPath = /^((oci:\/\/[^@]+)@(sha256:[0-9a-f]{64}))\//;

/** Whether a target may have another package tomorrow. */
export function isUnpinned({ registered }: Pick<FleetTarget, 'registered'>): boolean {
  return registered !== undefined && digestOfPackage(registered) === undefined;
}

/** The build warns about it. */
function markUnpinned({ directory, digest, fileSystem }: RemotePackage, { registered }: FleetTarget) {
  const { url, tag } = registered!;
  const origin = { reference: `${url}:${tag}`, pinned: `${url}@${digest}`, isPinned: false };
  return { directory, fileSystem: { ...fileSystem, packageAt: () => origin } };
}

/** Refuses to fetch, and remembers that something would have had to be fetched. */
function createRefusal(): { readonly fetcher: Fetcher; readonly wasUsed: () => boolean } {
  let isUsed = false;
  return {
    fetcher: {
      async fetch({ url }) {
        isUsed = true;
        throw new FetchError('connection', 'the network is disabled', { url });
      },
    },
    wasUsed: () => isUsed,
  };
}

/** Registries limit requests. */
const mostFetches = 6;

/** Works on several items at the same time. The results are in the order of the items, and so is the first error. */
export async function fetchAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const settled = await settleAtOnce(items, mostFetches, work);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
