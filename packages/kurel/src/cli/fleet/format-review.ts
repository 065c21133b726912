import { escapeControls, escapeControlsInJson } from '../../diagnostics/index.ts';
import { riskWords, writeJson, writeYaml } from '../../index.ts';
import type { Risk } from '../../index.ts';
import type { Json } from '../../model/index.ts';
import { code, fit } from '../diff/format-markdown.ts';
import { paint } from '../terminal.ts';
import type { FleetReview, ReviewedChange } from './diff-targets.ts';
import { definedFields } from './list-targets.ts';
import { formatCount } from './print-run.ts';
import { packageChangeToJson, showPackageChange } from './diff-targets.ts';
import type { GroupedMove } from './target-moves.ts';

/** A comment on GitHub holds 65,536 characters. */
const mostText = 60_000;
const mostTargets = 200;
const mostPackages = 50;
const longestValue = 120;

/** `3 targets changed, 1 added, 96 unchanged` */
function summariseReview({ added, removed, changed, moved, unchanged }: FleetReview): string {
  const parts = { changed: changed.length, moved: moved.length, added: added.length, removed: removed.length };
  const [first, ...rest] = Object.entries(parts).filter(([, count]) => count > 0);
  if (first === undefined) return `no changes in ${countTargets(unchanged)}`;
  const words = rest.map(([word, count]) => `${formatCount(count)} ${word}`);
  return [`${countTargets(first[1])} ${first[0]}`, ...words, `${formatCount(unchanged)} unchanged`].join(', ');
}

function countTargets(count: number): string {
  return formatCount(count, 'target');
}

/** The only target, or how many there are. */
function nameTargets(targets: readonly string[], show: (name: string) => string): string {
  return targets.length === 1 ? show(targets[0]!) : countTargets(targets.length);
}

type Marked = Pick<ReviewedChange, 'operation' | 'risk' | 'targets' | 'field'> & { readonly text: string };

/** Risky moves, risky changes, other moves and other changes. */
function listLines({ moves, changes }: FleetReview): readonly Marked[] {
  const lines = [
    ...moves.map((move) => ({ ...move, operation: 'change' as const, text: describeMove(move) })),
    ...changes.map((change) => ({ ...change, text: describe(change) })),
  ];
  return [...lines.filter(({ risk }) => risk !== undefined), ...lines.filter(({ risk }) => risk === undefined)];
}

/** One line per change, with the targets that have it. */
export function formatReview(review: FleetReview, color: boolean): string {
  const lines = listLines(review).map(({ operation, text, risk, targets }) => {
    const mark = { add: '+', remove: '-', change: '~', move: '~' }[operation];
    const style = { '+': '32', '-': '31', '~': '33' }[mark];
    const warning = risk === undefined ? '' : paint('1;31', `  ! ${riskWords[risk]}`, color);
    return `${paint(style, `${mark} ${escapeControls(text)}`, color)}  (${nameTargets(targets, escapeControls)})${warning}\n`;
  });
  const head = review.packages.map(
    (change) => `${escapeControls(showPackageChange(change))} in ${nameTargets(change.targets, escapeControls)}\n`,
  );
  const parts = [head, lines].filter((part) => part.length > 0).map((part) => `${part.join('')}\n`);
  return `${parts.join('')}${summariseReview(review)}\n`;
}

/** `output rendered/{cluster} → out/{cluster}` */
function describeMove({ setting, before, after }: GroupedMove): string {
  return `${setting} ${before ?? 'none'} → ${after ?? 'none'}`;
}

/** `Deployment web: spec.replicas 2 → 3` */
function describe({ kind, name, operation, field, before, after, hidden }: ReviewedChange): string {
  const object = `${kind} ${name}`;
  if (field === undefined) return `${object} ${operation === 'add' ? 'added' : 'removed'}`;
  if (hidden === true) return `${object}: ${field} changed (hidden)`;
  if (operation === 'move') return `${object}: ${field} moved`;
  if (operation === 'add') return `${object}: ${field} set to ${showValue(after)}`;
  return operation === 'remove'
    ? `${object}: ${field} removed, was ${showValue(before)}`
    : `${object}: ${field} ${showValue(before)} → ${showValue(after)}`;
}

function showValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'object' && value !== null ? writeJson(value) : writeYaml(value).trimEnd();
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > longestValue ? `${line.slice(0, longestValue)}…` : line;
}

/** One comment for a pull request. Everything from the input is in code spans, so that nothing in it is Markdown or a mention. */
export function formatReviewMarkdown(review: FleetReview, revision: string): string {
  const lines = listLines(review);
  const safe = lines.filter(({ risk }) => risk === undefined);
  const moves = safe.filter((line) => 'setting' in line);
  const objects = safe.filter((line) => !('setting' in line) && line.field === undefined);
  const fields = safe.filter(({ field }) => field !== undefined);
  const summary = summariseReview(review);
  const title = summary.slice(0, 1).toUpperCase() + summary.slice(1);
  const head = `### ${title}\n\nCompared with ${code(revision)}.\n${listPackages(review)}`;
  const sections = [
    { title: '⚠️ Risky changes', changes: lines.filter(({ risk }) => risk !== undefined) },
    { title: 'Moved targets', changes: moves },
    { title: 'Added and removed objects', changes: objects },
    { title: 'Changed fields', changes: fields },
  ];
  let room = mostText - head.length;
  let omitted = 0;
  const parts = [head];
  for (const { title, changes: list } of sections) {
    if (list.length === 0) continue;
    const header = `\n#### ${title}\n\n| change | targets |\n|---|---|\n`;
    const rows = fit(list.map(formatRow), room - header.length);
    const section = `${header}${rows.join('')}`;
    room -= section.length;
    omitted += list.length - rows.length;
    if (rows.length > 0) parts.push(section);
  }
  if (omitted > 0) {
    parts.push(
      `\n${formatCount(omitted)} more ${omitted === 1 ? 'change is' : 'changes are'} too long for a comment.\n`,
    );
  }
  return parts.join('');
}

/** The packages that were replaced, above all else. */
function listPackages({ packages }: FleetReview): string {
  const shown = packages
    .slice(0, mostPackages)
    .map((change) => `- ${code(showPackageChange(change))} in ${nameTargets(change.targets, code)}\n`);
  const rest = packages.length - mostPackages;
  return packages.length === 0 ? '' : `\n${shown.join('')}${rest > 0 ? `- and ${formatCount(rest)} more\n` : ''}`;
}

function formatRow({
  text,
  targets,
  risk,
}: Pick<Marked, 'text' | 'targets'> & { readonly risk?: Risk | undefined }): string {
  const names = targets.slice(0, mostTargets).map(code).join(', ');
  const rest = targets.length - mostTargets;
  const list = `${names}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
  const where =
    targets.length === 1 ? list : `<details><summary>${countTargets(targets.length)}</summary>${list}</details>`;
  const why = risk === undefined ? '' : `<br>⚠️ ${riskWords[risk]}`;
  return `| ${cell(`${code(text)}${why}`)} | ${cell(where)} |\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

export function reviewToJson(review: FleetReview, revision: string): string {
  const { added, removed, changed, moved, unchanged } = review;
  const changes = review.changes.map(
    ({ operation, kind, name, delivery, field, hidden, before, after, risk, targets }) =>
      definedFields({ operation, kind, name, delivery, field, hidden, before, after, risk, targets }),
  );
  const moves = review.moves.map(({ setting, before, after, risk, targets }) =>
    definedFields({ setting, before, after, risk, targets }),
  );
  const packages = review.packages.map(packageChangeToJson);
  const targets = { added, removed, changed, moved, unchanged };
  const text = writeJson({ since: revision, targets, packages, moves, changes });
  return `${escapeControlsInJson(text)}\n`;
}
