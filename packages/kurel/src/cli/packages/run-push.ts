import { TarError } from '../../archive/index.ts';
import type { ArchiveFile } from '../../archive/index.ts';
import { createPackageArtifact, createRenderedArtifact, pushArtifact, reportRegistry } from '../../artifact/index.ts';
import type { Artifact } from '../../artifact/index.ts';
import { DiagnosticError, escapeControls, quote } from '../../diagnostics/index.ts';
import type { BuildResult } from '../../index.ts';
import { compareText, hideUser } from '../../model/index.ts';
import { isTag, openRepository, readOciReference } from '../../registry/index.ts';
import type { OciReference } from '../../registry/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { CommandCall, CommandResult, ExitCode } from '../command.ts';
import type { PushFlags } from '../commands/push.ts';
import { openInput } from '../open-input.ts';
import { openDisk } from '../open-world.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { cliProblems } from '../problems.ts';
import { createRegistryAccess, registryFlags } from '../registry-access.ts';
import { columnWidth } from '../terminal.ts';
import { refuseOtherFlags, UsageError } from '../usage-error.ts';
import { collectFiles, examinePushed } from './examine-pushed.ts';
import { isReference } from './open-remote-package.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<PushFlags>;

/** What is pushed, and the findings about it. */
interface Prepared extends SourcedFindings {
  readonly exitCode: ExitCode;
  /** Absent after an error. */
  readonly content?: PreparedContent;
}

interface PreparedContent {
  readonly artifact: Artifact;
  readonly files: readonly ArchiveFile[];
  /** The tag if REFERENCE has none. */
  readonly version?: string | undefined;
}

export async function runPush(call: Call): Promise<CommandResult> {
  const { positionals, flags } = call;
  const reference = readTarget(positionals[1]!);
  const annotations = readAnnotations(flags.annotation);
  checkUsage(call);
  checkTags(flags.tag);
  // Manifests have no version, so this needs no build.
  if (flags.rendered) chooseTags(reference, {}, call);
  const prepared = await prepare(call, annotations);
  const { content, diagnostics } = prepared;
  if (content === undefined) return prepared;
  const pushed = { ...content, tags: chooseTags(reference, content, call), reference };
  try {
    return { ...prepared, stdout: flags['dry-run'] ? describeUpload(pushed) : await upload(pushed, call) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    // What was found before the registry refused it is reported as well.
    return { ...prepared, diagnostics: [...diagnostics, ...error.diagnostics], exitCode: 1 };
  }
}

function readTarget(text: string): OciReference {
  const read = isReference(text) ? readOciReference(text) : { reason: 'it must start with oci://' };
  if ('reason' in read) {
    const shown = quote(hideUser(text));
    throw new UsageError(`${shown} is not a valid reference: ${read.reason}`, 'use oci://HOST/REPOSITORY:TAG');
  }
  if (read.digest === undefined) return read;
  throw new UsageError(`cannot push to the digest in ${quote(text)}`, 'use a tag: the content decides the digest');
}

/** Flags of every push; all others are for the build of `--rendered`. */
const ownFlags = [
  'tag',
  'annotation',
  'force',
  'dry-run',
  'rendered',
  ...Object.keys(registryFlags),
  'timeout',
  'message-format',
  'max-file-size',
  'max-package-size',
];

function checkUsage({ positionals, flags }: Call): void {
  if (flags.rendered) return;
  const hint = 'remove it, or add --rendered to push the manifests of a build';
  refuseOtherFlags(flags, ownFlags, { owner: '--rendered', hint });
  if (!isReference(positionals[0]!)) return;
  throw new UsageError(
    `${quote(positionals[0]!)} is already in a registry`,
    'copy it with a tool such as crane or oras',
  );
}

export function checkTags(tags: readonly string[]): void {
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong === undefined) return;
  throw new UsageError(`--tag ${quote(wrong)} is not a valid tag`, 'use letters, digits, "_", "." and "-"');
}

export function readAnnotations(pairs: readonly string[]): Readonly<Record<string, string>> {
  const annotations = new Map<string, string>();
  for (const pair of pairs) {
    const [, key, value] = /^([^=\s\p{Cc}]+)=([^]*)$/u.exec(pair) ?? [];
    if (key === undefined) {
      throw new UsageError(`--annotation ${quote(pair)} is not valid`, 'use --annotation KEY=VALUE');
    }
    if (annotations.has(key)) throw new UsageError(`duplicate annotation ${quote(key)}`, 'remove one of them');
    annotations.set(key, value!);
  }
  return Object.fromEntries(annotations);
}

async function prepare(call: Call, annotations: Readonly<Record<string, string>>): Promise<Prepared> {
  try {
    return await (call.flags.rendered ? prepareRendered(call, annotations) : preparePackage(call, annotations));
  } catch (error) {
    if (!(error instanceof TarError)) throw error;
    const args = { path: call.positionals[0]!, reason: error.message, hint: undefined };
    throw cliProblems.error('push-file-refused', args, { cause: error });
  }
}

async function preparePackage(
  { positionals, environment }: Call,
  annotations: Readonly<Record<string, string>>,
): Promise<Prepared> {
  const { path, parts, diagnostics, sources } = await examinePushed(positionals[0]!, environment);
  if (parts === undefined) return { exitCode: 1, diagnostics, sources };
  const files = await collectFiles(path, openDisk(environment));
  const all = { ...parts.annotations, ...annotations };
  const artifact = await createPackageArtifact({ ...parts, files, annotations: all });
  return { exitCode: 0, diagnostics, sources, content: { artifact, files, version: parts.version } };
}

/** Builds as `kurel build -o DIR` does. */
async function prepareRendered(
  { positionals, flags, environment }: Call,
  annotations: Readonly<Record<string, string>>,
): Promise<Prepared> {
  // Annotations are those of the artifact.
  const settings = { ...settingsOf(flags), annotations: [], output: undefined };
  const [path, collectFor] = positionals;
  const { form } = await openInput(path!, settings, environment);
  // For other forms, it is only about the registry.
  const allowPrivate = settings.allowPrivate && form.fetches === true;
  const built = await buildToOutput({ path: path!, settings: { ...settings, allowPrivate }, environment, collectFor });
  if (built.exitCode !== 0 || built.result === undefined) return built;
  const files = encodeFiles(built.result);
  const artifact = await createRenderedArtifact(files, annotations);
  return { ...built, content: { artifact, files } };
}

export function encodeFiles({ files }: Pick<BuildResult, 'files'>): readonly ArchiveFile[] {
  const encoder = new TextEncoder();
  return files.map(({ path, text }) => ({ path, bytes: encoder.encode(text) }));
}

function chooseTags(
  { tag }: OciReference,
  { version }: Pick<PreparedContent, 'version'>,
  { positionals, flags }: Call,
): readonly string[] {
  const [path, reference] = positionals;
  // Tags cannot have `+`, which separates build metadata.
  const first = tag ?? version?.replaceAll('+', '_');
  const tags = new Set([...(first === undefined ? [] : [first]), ...flags.tag]);
  if (tags.size > 0) return [...tags];
  const hint = flags.rendered
    ? `add one: ${reference}:TAG`
    : `add one: ${reference}:TAG, or set the version of ${quote(path!)}`;
  throw new UsageError(`${quote(reference!)} has no tag`, hint);
}

interface Upload extends PreparedContent {
  readonly tags: readonly string[];
  readonly reference: OciReference;
}

function describeUpload({ artifact, files, tags, reference }: Upload): string {
  const width = columnWidth(files.map(({ path }) => path));
  const annotations = Object.entries(artifact.annotations);
  const sorted = files.toSorted((a, b) => compareText(a.path, b.path));
  const lines = [
    `${urlOf(reference)}@${artifact.digest}`,
    `Tags: ${tags.join(', ')}`,
    `Annotations (${annotations.length}):`,
    ...annotations.map(([key, value]) => `  ${key}: ${value}`),
    `Files (${files.length}):`,
    ...sorted.map(({ path, bytes }) => `  ${path.padEnd(width)}  ${bytes.length} bytes`),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

/** Returns the reference with the digest. */
async function upload({ artifact, tags, reference }: Upload, { flags, environment }: Call): Promise<string> {
  const url = urlOf(reference);
  const states = await reportRegistry(async () => {
    const repository = openRepository(reference, createRegistryAccess(settingsOf(flags), environment), 'pull,push');
    return await pushArtifact(artifact, repository, { url, tags, force: flags.force });
  });
  environment.progress?.clear();
  for (const { tag, state } of states) environment.writeStderr(`tag ${tag}: ${state}\n`);
  return `${url}@${artifact.digest}\n`;
}

function urlOf({ host, path }: OciReference): string {
  return `oci://${host}/${path}`;
}
