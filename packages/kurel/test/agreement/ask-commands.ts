import { expect } from 'vitest';

import { parseJson } from '@kurel/jq';

import { createBudget } from '../../src/budget/index.ts';
import { formatObjects, hideSecretValues } from '../../src/index.ts';
import { imageSitesOf, nameOf } from '../../src/kube/index.ts';
import type { Json, JsonObject, KubeObject, Memory } from '../../src/model/index.ts';
import { writeJson } from '../../src/yaml/index.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramOutcome } from '../run-program.ts';
import type { AgreementInput, InputSettings } from './collect-inputs.ts';

/** What a command, a target or the library says about an input. */
export interface Answer {
  readonly exitCode: number;
  readonly findings: readonly Finding[];
  /** What it shows of the objects, sorted, such as their texts; `undefined` if it shows nothing, as after an error. */
  readonly shown: readonly string[] | undefined;
}

export interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  /** `web/app.yaml:4:11`; empty if it is about no place. */
  readonly place: string;
}

/** Where the input is on the disk, and what all runs share. */
export interface Place {
  /** The directory with the files of the input, beside the one with `otherSide`. */
  readonly directory: string;
  readonly memory: Memory;
}

/** The flags as words. */
export function wordsFor(flags: InputSettings, nameOf: (name: string) => string = (name) => name): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === true) return [`--${nameOf(name)}`];
    return [value ?? []].flat().map((text) => `--${nameOf(name)}=${String(text)}`);
  });
}

export async function run(words: readonly string[], input: AgreementInput, place: Place): Promise<ProgramOutcome> {
  const { stdin, variables } = input;
  const budget = createBudget({}, place.memory);
  const { KURE_DEBUG: _, ...quiet } = variables;
  return runProgram(words, { workingDirectory: place.directory, stdin, variables: quiet, budget });
}

interface PrintedFinding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly accepted?: object;
}

export function findingOf({ code, severity, message, file, line, column }: PrintedFinding): Finding {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return { code, severity, message, place };
}

/** Findings printed as JSON, without accepted ones. */
export function readFindings(text: string): readonly Finding[] {
  if (text === '') return [];
  const printed = JSON.parse(text) as readonly PrintedFinding[];
  return printed.filter(({ accepted }) => accepted === undefined).map(findingOf);
}

/** The texts of objects, which are equal if the objects are, whatever the order of their keys is. */
export function textsOf(objects: readonly unknown[]): readonly string[] {
  return objects.map((object) => writeJson(sortKeys(object as Json))).toSorted();
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

function parseObjects(text: string): readonly KubeObject[] {
  if (text === '') return [];
  const printed = [parseJson(text) as unknown as KubeObject | readonly KubeObject[]].flat();
  return itemsOf(printed);
}

/** A list that is printed as its text stands for the objects in it. */
export function itemsOf(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.flatMap((object) => {
    const { kind, apiVersion } = object;
    if (!kind.endsWith('List') || !Array.isArray(object['items'])) return [object];
    const usual = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
    return itemsOf((object['items'] as readonly KubeObject[]).map((item) => Object.assign({}, usual, item)));
  });
}

/** A build, in all the ways in which others show its objects. */
export interface BuildAnswer extends Answer {
  readonly built: readonly KubeObject[];
}

export const views = {
  whole: textsOf,
  // Values of Secrets are never shown.
  hidden: (objects: readonly KubeObject[]) => textsOf(objects.map(hideSecretValues)),
  names: (objects: readonly KubeObject[]) => formatObjects(objects).toSorted(),
  images: (objects: readonly KubeObject[]) =>
    [...new Set(objects.flatMap(imageSitesOf).map(({ image }) => image))].toSorted(),
  kinds: (objects: readonly KubeObject[]) =>
    [...new Set(objects.map((object) => `${object.kind} ${nameOf(object)}`))].toSorted(),
} as const;

export async function askBuild(
  input: AgreementInput,
  place: Place,
  extra: readonly string[] = [],
): Promise<BuildAnswer> {
  const words = [
    'build',
    '--format=json',
    '--message-format=json',
    ...extra,
    ...wordsFor(input.flags),
    '--',
    input.path,
  ];
  const { exitCode, stdout, stderr } = await run(words, input, place);
  const built = parseObjects(stdout);
  return { exitCode, findings: readFindings(stderr), shown: exitCode === 0 ? textsOf(built) : undefined, built };
}

type PrintedReport = Readonly<Record<'errors' | 'warnings' | 'notes', readonly PrintedFinding[]>>;

export async function askValidate(input: AgreementInput, place: Place): Promise<Answer> {
  const words = ['validate', '--format=json', ...wordsFor(input.flags), '--', input.path];
  const { exitCode, stdout } = await run(words, input, place);
  const report = JSON.parse(stdout) as readonly PrintedFinding[] | PrintedReport;
  const lists = 'errors' in report ? [report.errors, report.warnings, report.notes].flat() : report;
  return { exitCode, findings: readFindings(JSON.stringify(lists)), shown: undefined };
}

export async function askExplain(input: AgreementInput, place: Place): Promise<Answer> {
  const words = ['explain', '--format=json', '--message-format=json', ...wordsFor(input.flags), '--', input.path];
  const { exitCode, stdout, stderr } = await run(words, input, place);
  const names = stdout === '' ? undefined : (JSON.parse(stdout) as { objects: readonly string[] }).objects;
  return { exitCode, findings: readFindings(stderr), shown: names?.toSorted() };
}

interface PrintedImages {
  readonly images: readonly { readonly image: string }[];
}

export async function askImages(input: AgreementInput, place: Place): Promise<Answer> {
  const words = ['images', '--format=json', '--message-format=json', ...wordsFor(input.flags), '--', input.path];
  const { exitCode, stdout, stderr } = await run(words, input, place);
  const list = stdout === '' ? undefined : (JSON.parse(stdout) as PrintedImages).images;
  return { exitCode, findings: readFindings(stderr), shown: list?.map(({ image }) => image).toSorted() };
}

interface PrintedDifference {
  readonly objects: readonly { readonly operation: string; readonly object: KubeObject }[];
}

/** The other side has an object of its own, because an empty input is a finding. */
export const otherSide = {
  path: 'other/a.yaml',
  text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other-side}\n',
};

export async function askDiff(input: AgreementInput, place: Place): Promise<Answer> {
  const flags = wordsFor(input.flags, (name) => (name === 'as' ? 'as-b' : name));
  const words = ['diff', '--format=json', '--message-format=json', ...flags, '--', `../${otherSide.path}`, input.path];
  const { exitCode, stdout, stderr } = await run(words, input, place);
  const findings = readFindings(stderr);
  if (stdout === '') return { exitCode, findings, shown: undefined };
  const { objects } = parseJson(stdout) as unknown as PrintedDifference;
  const added = objects.filter(({ operation }) => operation === 'add').map(({ object }) => object);
  // 1 says that there are differences, and nothing else.
  expect(exitCode).toBe(objects.length > 0 ? 1 : 0);
  return { exitCode: 0, findings, shown: textsOf(added) };
}
