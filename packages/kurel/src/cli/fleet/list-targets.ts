import { escapeControls, escapeControlsInJson, listFirst, positionAt } from '../../diagnostics/index.ts';
import { fleetSettingNames } from '../../documents/index.ts';
import type { FleetSettingName } from '../../documents/index.ts';
import { digestOfPackage, showPackage } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { formatObject, locateInYaml, writeJson } from '../../index.ts';
import { explainHiddenImages, imageSitesOf } from '../../kube/index.ts';
import { compareText } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Path, SourceFile } from '../../model/index.ts';
import { columnWidth, paint, showImage } from '../terminal.ts';
import { cliProblems } from '../problems.ts';
import { createGroups } from './collect-outcomes.ts';
import { showCommand } from './target-command.ts';

interface ListOptions {
  readonly color: boolean;
  /** Whether to show the entries that each setting comes from. */
  readonly explains: boolean;
  /** The directory of the fleet file as seen from the working directory; empty if it is the same. */
  readonly directory: string;
}

/** A table of targets, or each target with the line that set each of its settings. */
export function formatTargets(fleet: Fleet, targets: readonly FleetTarget[], options: ListOptions): string {
  if (options.explains) return targets.map((target) => explainTarget(fleet, target, options)).join('\n');
  const rows = targets.map((target) => [target.name, showInput(target), target.settings.output]);
  return formatTable(['TARGET', 'PACKAGE', 'OUTPUT'], rows, options);
}

/** The package and its version, if that is set. */
function showInput({ registered, settings }: FleetTarget): string {
  if (registered === undefined) return settings.package;
  const { range } = registered;
  return range === undefined ? showPackage(registered) : `${showPackage(registered)} ${range}`;
}

type ShownSetting = Exclude<FleetSettingName, 'optionalValues'>;

/** Optional values files are listed among the values. */
const shownSettings = fleetSettingNames.filter((name): name is ShownSetting => name !== 'optionalValues');

function explainTarget(fleet: Fleet, target: FleetTarget, { color, directory }: ListOptions): string {
  const { name, levels, registered } = target;
  const locked = registered?.locked;
  const dim = (text: string): string => paint('2', `# ${text}`, color);
  const prefix = directory === '' ? '' : `${directory}/`;
  const lines = [paint('1', escapeControls(name), color)];
  lines.push(`  inherits: ${levels.map((level) => showEntry(level)).join(' < ')}`);
  for (const setting of shownSettings) {
    // The lock is about the package and its version.
    if (setting === 'profile' && fleet.lock !== undefined && locked !== undefined) {
      const place = showPlace(fleet.lock.source, ['spec', 'packages', fleet.lock.entries.indexOf(locked)]);
      const value = `${locked.version ?? locked.tag} ${locked.digest}`;
      lines.push(`  locked: ${escapeControls(value)}  ${dim(`${prefix}${place}`)}`);
    }
    const places = originsOf(target, setting).map((path) => `${prefix}${showPlace(fleet.source, path)}`);
    if (places.length === 0 && setting !== 'package') continue;
    const shown = `${setting}: ${showValue(target, setting) || 'none'}`;
    lines.push(`  ${escapeControls(shown)}  ${dim(places.join(' < ') || 'the path that matched')}`);
  }
  if (isComplete(target)) lines.push(`  ${dim(escapeControls(showCommand(target, directory)))}`);
  return `${lines.join('\n')}\n`;
}

/** Whether it is known what to build: a range of versions is not. */
function isComplete({ registered }: FleetTarget): boolean {
  return registered?.range === undefined || digestOfPackage(registered) !== undefined;
}

function originsOf({ origins, levels }: FleetTarget, setting: FleetSettingName): readonly Path[] {
  const own = origins[setting] ?? [];
  if (setting !== 'values' || origins.optionalValues === undefined) return own;
  const isOf = (level: Path) => (path: Path) => path.slice(0, -1).join('/') === level.join('/');
  return levels.flatMap((level) => [...own, ...origins.optionalValues!].filter(isOf(level)));
}

function showValue({ settings, registered }: FleetTarget, setting: ShownSetting): string {
  if (setting === 'version') return registered?.range ?? '';
  if (setting === 'package' && registered !== undefined) return showPackage(registered);
  const value = settings[setting];
  if (setting === 'set') return settings.set.map(({ data }) => Object.keys(data).join(', ')).join(', ');
  if (setting === 'accept') return settings.accept.map(({ code }) => code).join(', ');
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function showEntry(path: Path): string {
  return path
    .slice(1)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** `kurel.fleet.yaml:12` */
function showPlace(source: SourceFile, path: Path): string {
  const range = locateInYaml(source, { file: source.path, document: 0, path, at: 'key' });
  return range === undefined ? source.path : `${source.path}:${positionAt(source.text, range.start).line}`;
}

/** The targets for other programs, such as the matrix of a CI job. */
export function targetsToJson(fleet: Fleet, targets: readonly FleetTarget[]): string {
  const list = targets.map((target) => {
    const { name, application, cluster, settings, registered } = target;
    const { package: input, output, set, accept, flux, ...rest } = settings;
    const { range, locked } = registered ?? {};
    const entry = definedFields({
      name,
      application,
      cluster,
      package: registered === undefined ? input : showPackage(registered),
      version: range,
      locked: locked && definedFields({ tag: locked.tag, version: locked.version, digest: locked.digest }),
      output,
      ...rest,
      flux: flux && { ...flux },
      set: set.map(({ data }) => data),
      accept: accept.map(({ code, object, reason }) => definedFields({ code, object, reason })),
      command: isComplete(target) ? showCommand(target) : undefined,
    });
    // There may be very many targets, so the data of each is dropped as soon as it is text.
    return `    ${escapeControlsInJson(writeJson(entry)).replaceAll('\n', '\n    ')}`;
  });
  const file = escapeControlsInJson(writeJson(fleet.source.path));
  const entries = list.length === 0 ? '[]' : `[\n${list.join(',\n')}\n  ]`;
  return `{\n  "fleet": ${file},\n  "targets": ${entries}\n}\n`;
}

/** An object for JSON, which has no `undefined`. */
export function definedFields(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { color }: { readonly color: boolean },
): string {
  const shown = rows.map((row) => row.map(escapeControls));
  const widths = header.map((title, column) =>
    columnWidth(
      shown.map((row) => row[column]!),
      title.length,
    ),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return `${[paint('1', line(header), color), ...shown.map(line)].join('\n')}\n`;
}

type FleetImages = ReadonlyMap<string, ReadonlySet<string>>;

export function collectImages() {
  const images = new Map<string, Set<string>>();
  const hidden = createGroups<Diagnostic>();
  return {
    add(target: string, objects: readonly KubeObject[]): void {
      for (const object of objects) {
        for (const { image } of imageSitesOf(object)) images.set(image, (images.get(image) ?? new Set()).add(target));
        const reason = explainHiddenImages(object);
        if (reason === undefined) continue;
        const diagnostic = cliProblems.create('images-hidden', { object: formatObject(object), reason });
        hidden.add(diagnostic.message, diagnostic, target);
      }
    },
    /** Warnings about objects whose images only the cluster knows. */
    hidden: hidden.list,
    images: (): FleetImages => new Map([...images].toSorted(([a], [b]) => compareText(a, b))),
  };
}

const mostTargets = 5;

export function formatFleetImages(images: FleetImages, color: boolean): string {
  return [...images]
    .map(([image, targets]) => {
      const total = targets.size > mostTargets ? `${targets.size.toLocaleString('en-US')} targets: ` : '';
      const where = `${total}${listFirst([...targets], mostTargets)}`;
      return `${paint('1', escapeControls(showImage(image)), color)}\n  ${escapeControls(where)}\n`;
    })
    .join('');
}

export function fleetImagesToJson(images: FleetImages): string {
  const list = [...images].map(([image, targets]) => ({ image, targets: [...targets] }));
  return `${escapeControlsInJson(writeJson({ images: list }))}\n`;
}
