import { lstatSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';

import { escapeControls, escapeControlsInJson, quote } from '../../diagnostics/index.ts';
import { updateFiles } from '../../host/index.ts';
import { checkDnsSubdomain } from '../../index.ts';
import type { PackageTemplate } from '../../index.ts';
import type { OutputFile } from '../../model/index.ts';
import { defineCommand, formatFlag, textFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { formNamed } from '../open-input.ts';
import { placeOnDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import { UsageError } from '../usage-error.ts';

async function runInit({ positionals, flags, environment }: Call): Promise<CommandResult> {
  const { ending = '', loadTemplate } = formNamed(flags.form ?? 'patch-package', environment).package;
  const { path, name } = readName(positionals[0]!, ending);
  const { template } = await loadTemplate!();
  const files = fillTemplate(template, name);
  const place = placeOnDisk(path, environment);
  if (!isFree(place)) {
    const reason = 'it already exists, and kurel init never overwrites';
    throw cliProblems.error('init-refused', { path, reason });
  }
  updateFiles(place, { wanted: files, unwanted: [], index: undefined });
  const written = files.map((file) => `${path}/${file.path}`);
  const more = (template.flags ?? '').replaceAll('PATH', () => path);
  const stdout =
    flags.format === 'json'
      ? `${escapeControlsInJson(JSON.stringify({ name, path, files: written }, undefined, 2))}\n`
      : `${written.map((file) => `${escapeControls(file)}\n`).join('')}\nnext: kurel validate ${escapeControls(`${path}${more}`)}\n`;
  return { stdout };
}

/** The files of a new package: `NAME` is replaced by its name, in quotes where YAML would not read it as a string. */
export function fillTemplate({ files }: PackageTemplate, name: string): readonly OutputFile[] {
  const value = yamlWords.test(name) ? `"${name}"` : name;
  return Object.entries(files).map(([path, text]) => {
    const valued = path.endsWith('.yaml') ? text.replaceAll(/: NAME$/gm, `: ${value}`) : text;
    return { path, text: valued.slice(1).replaceAll('NAME', name) };
  });
}

/** Package names that some YAML readers do not read as strings. */
const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/;

/** `packages/shop`, with or without `.kurel` and trailing slashes. */
function readName(word: string, ending: string): { readonly path: string; readonly name: string } {
  const trimmed = word.replace(/\/+$/, '').replace(/\.kurel$/, '');
  const name = basename(trimmed);
  // Services are named after the package, and their names begin with a letter.
  const isName =
    /^[a-z]/.test(name) && !name.includes('.') && name.length <= 63 && checkDnsSubdomain(name) === undefined;
  if (!isName) {
    throw new UsageError(
      `${quote(name)} is not a valid package name`,
      'use up to 63 lower-case letters, digits and "-", starting with a letter and not ending with "-"',
    );
  }
  return { path: `${trimmed}${ending}`, name };
}

/** Whether nothing is there, or an empty directory. The target of a link may belong to somebody. */
function isFree(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined || (stats.isDirectory() && readdirSync(path).length === 0);
  } catch {
    // Writing reports it.
    return true;
  }
}

const flags = {
  form: textFlag('FORM', 'Form of the package: patch-package (the default) or application.', {
    choices: ['patch-package', 'application'],
  }),
  format: formatFlag(['text', 'json'], 'Output format of the list of files: text (the default) or json.'),
} as const satisfies FlagDefinitions;

type Call = CommandCall<typeof flags>;

export const init = defineCommand({
  name: 'init',
  description:
    'A patch package starts from manifests you already have and adds variants; it is created in NAME.kurel with a Deployment, a Service, ' +
    'an Ingress, parameters and patches. An application package describes a workload and lets the platform decide how it runs; it is ' +
    'created in NAME with a web service, parameters and an example profile. Existing files are never overwritten.',
  arguments: [{ name: 'NAME', summary: 'name of the package', completes: 'path' }],
  flags,
  examples: [
    { says: 'a patch package in packages/shop.kurel', line: 'kurel init packages/shop' },
    { says: 'an application package in packages/shop', line: 'kurel init packages/shop --form application' },
  ],
  run: runInit,
});
