import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { createMemory } from '../../src/budget/index.ts';
import { hiddenText } from '../../src/index.ts';
import { askBuild, askDiff, askExplain, askImages, askValidate, otherSide, views } from './ask-commands.ts';
import type { Answer, BuildAnswer, Place } from './ask-commands.ts';
import { askFleet, canAskFleet } from './ask-fleet.ts';
import type { PlacedInput } from './ask-fleet.ts';
import { askDirectory, askKrm, askPlugin, canAskFiles, canAskPlugin } from './ask-others.ts';
import { askLibrary, canAskLibrary } from './ask-library.ts';
import { collectInputs, placeInput, writeText } from './collect-inputs.ts';
import type { AgreementInput } from './collect-inputs.ts';
import { compareAnswers, differences } from './differences.ts';
import type { Asker, Pair } from './differences.ts';

export interface AgreementPart {
  readonly part: number;
  readonly parts: number;
}

/** So that the cases do not disappear unnoticed. */
const leastInputs = 1400;
const leastOfLibrary = 600;
const leastOfFleet = 600;
const leastOfDirectory = 150;

/** The two builds that others are compared with. */
interface References {
  readonly validated: BuildAnswer;
  readonly rendered: BuildAnswer;
}

/**
 * All commands, fleets and the library say the same about a package. Each input is built, validated, explained, listed, compared with
 * nothing, built as the target of a fleet with the same settings, and built by the library; some also in a directory, by the KRM function
 * and by the plugin of Argo CD. Several test files have a part of the inputs each.
 */
export function testAgreement({ part, parts }: AgreementPart): void {
  const root = mkdtempSync(join(tmpdir(), 'kurel-agreement-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }), 60_000);

  it(`of part ${part + 1} of ${parts}`, { tags: 'slow', timeout: 600_000 }, async () => {
    const all = await collectInputs();
    expect(all.length).toBeGreaterThanOrEqual(leastInputs);
    const examples = new Set(differences.map(({ example }) => example));
    const inputs = all.filter(({ name }, index) => index % parts === part || examples.has(name));
    const mismatches: string[] = [];
    const used = new Set<(typeof differences)[number]>();
    const counts = new Map<Asker, number>();
    const compare = (name: string, asker: Asker, pair: Pair): void => {
      counts.set(asker, (counts.get(asker) ?? 0) + 1);
      const comparison = compareAnswers(asker, pair);
      for (const mismatch of comparison.mismatches) mismatches.push(`${name}: ${mismatch}`);
      for (const row of comparison.used) used.add(row);
      const { reference, answer } = pair;
      if (reference.shown === undefined || answer.shown === undefined) return;
      if (!showsSame(reference.shown, answer.shown)) mismatches.push(`${name}: ${asker}: other objects`);
    };
    const placed: (PlacedInput & References)[] = [];
    writeText(join(root, otherSide.path), otherSide.text);
    const memory = createMemory();
    for (const [index, input] of inputs.entries()) {
      const target = `t${index}`;
      const place = { directory: join(root, target), memory };
      placeInput(input, place.directory);
      const references = await askAbout(input, place, (asker, pair) => compare(input.name, asker, pair));
      if (canAskFleet(input, place.directory)) placed.push({ input, target, ...references });
    }
    const fleet = await askFleet(root, placed);
    for (const { input, target, validated, rendered } of placed) {
      const seen = (answers: ReadonlyMap<string, Answer>, asker: Asker, reference: Answer): void => {
        const answer = answers.get(target);
        if (answer !== undefined) compare(input.name, asker, { reference, answer, validated });
      };
      seen(fleet.validate, 'fleet validate', validated);
      seen(fleet.build, 'fleet build', validated);
      seen(fleet.render, 'fleet render', rendered);
      seen(fleet.images, 'fleet images', seenAs(rendered, 'images'));
      seen(fleet.diff, 'fleet diff', seenAs(rendered, 'kinds'));
    }
    const list = [...counts].map(([asker, count]) => `${asker} ${count}`).join(', ');
    process.stdout.write(`agreement: ${inputs.length} of ${all.length} inputs; ${list}\n`);
    expect(mismatches).toEqual([]);
    expect(differences.filter((row) => !used.has(row)).map(({ why }) => why)).toEqual([]);
    expect(counts.get('explain')).toBe(inputs.length);
    expect(counts.get('library')).toBeGreaterThanOrEqual(leastOfLibrary / parts);
    expect(counts.get('fleet build')).toBeGreaterThanOrEqual(leastOfFleet / parts);
    expect(counts.get('directory')).toBeGreaterThanOrEqual(leastOfDirectory / parts);
  });
}

function seenAs(answer: BuildAnswer, view: keyof typeof views): Answer {
  const { exitCode, findings, shown } = answer;
  return { exitCode, findings, shown: shown && views[view](answer.built) };
}

async function askAbout(
  input: AgreementInput,
  place: Place,
  onAnswer: (asker: Asker, pair: Pair) => void,
): Promise<References> {
  const validated = await askBuild(input, place);
  const rendered = await askBuild(input, place, ['--no-validate']);
  const compare = (asker: Asker, reference: Answer, answer: Answer): void =>
    onAnswer(asker, { reference, answer, validated });
  compare('build without validation', validated, rendered);
  // It validates documents of kurel and patches by themselves.
  const isDocument = validated.findings.some(({ code }) => code === 'manifests-own-document');
  if (!isDocument && !/(?:\.kpatch|(?:^|\/)kurel\.yaml)$/.test(input.path)) {
    compare('validate', validated, await askValidate(input, place));
  }
  compare('explain', seenAs(rendered, 'names'), await askExplain(input, place));
  compare('images', seenAs(rendered, 'images'), await askImages(input, place));
  compare('diff', seenAs(rendered, 'hidden'), await askDiff(input, place));
  if (canAskLibrary(input, place.directory) && !validated.findings.some(isAboutFlags)) {
    compare('library', validated, await askLibrary(input, place));
  }
  if (canAskFiles(input)) compare('directory', validated, await askDirectory(input, place));
  if (canAskFleet(input, place.directory) && canAskFiles(input)) compare('krm', validated, await askKrm(input, place));
  if (canAskPlugin(input)) compare('argocd', ...(await askPlugin(input, place)));
  return { validated, rendered };
}

/** Line by line: a value that ends up in a Secret is hidden wherever it is. */
function showsSame(expected: readonly string[], actual: readonly string[]): boolean {
  const [left, right] = [expected, actual].map((texts) => texts.join('\n').split('\n')) as [string[], string[]];
  return (
    left.length === right.length &&
    left.every((line, index) => line === right[index] || right[index]!.includes(hiddenText))
  );
}

/** Findings about words and files of flags, which somebody who calls the library reads. */
function isAboutFlags({ code }: Answer['findings'][number]): boolean {
  return code === 'usage' || code === 'values-document' || code === 'file-unreadable';
}
