import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { KubeObject } from '../../src/model/index.ts';
import { readYaml } from '../../src/yaml/index.ts';
import { runProgram } from '../run-program.ts';
import { itemsOf, readFindings, run, textsOf, wordsFor } from './ask-commands.ts';
import type { Answer, Finding, Place } from './ask-commands.ts';
import { settingsOf } from './ask-fleet.ts';
import type { AgreementInput } from './collect-inputs.ts';

/** The objects in the files of a directory, without those that only its layout has. */
function readObjects(directory: string): readonly string[] | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!\.|kustomizations\/)(?:.*\/)?(?!kustomization\.yaml$)[^./][^/]*\.ya?ml$/.test(name),
  );
  const objects = files.flatMap((name) => {
    const { documents } = readYaml({ path: name, text: readFileSync(join(directory, name), 'utf8') });
    return documents.flatMap(({ data }) => (data === undefined ? [] : [data as KubeObject]));
  });
  return textsOf(itemsOf(objects));
}

/** Not about a flag that changes nothing in a stream, something in the layout flux, and that a KurelBuild does not have. */
export function canAskFiles({ flags, layout }: AgreementInput): boolean {
  return layout !== undefined && flags['flux-namespace'] === undefined;
}

/** Builds a directory, and compares it with what it should be. */
export async function askDirectory(input: AgreementInput, place: Place): Promise<Answer> {
  const output = ['--output=built/', '--instance=agreement', `--layout=${input.layout!}`];
  const words = ['build', ...output, '--message-format=json', ...wordsFor(input.flags)];
  const { exitCode, stderr } = await run([...words, '--', input.path], input, place);
  const findings = readFindings(stderr);
  const shown = exitCode === 0 ? readObjects(join(place.directory, 'built')) : undefined;
  const check = await run([...words, '--check', '--', input.path], input, place);
  // What it has written is up to date.
  const isUpToDate = check.exitCode === exitCode && check.stdout === '';
  return { exitCode: isUpToDate ? exitCode : 3, findings, shown };
}

interface PrintedItems {
  readonly items?: readonly KubeObject[];
}

/** `kurel krm`, with a KurelBuild of the same settings. */
export async function askKrm({ flags, path, ...input }: AgreementInput, place: Place): Promise<Answer> {
  const functionConfig = {
    apiVersion: 'launcher.gokure.dev/v1alpha1',
    kind: 'KurelBuild',
    metadata: { name: 'agreement' },
    spec: { package: path, ...settingsOf(flags, (file) => file) },
  };
  const list = { apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', functionConfig, items: [] };
  const stdin = JSON.stringify(list);
  const words = ['krm', '--message-format=json'];
  const { exitCode, stdout, stderr } = await run(words, { ...input, flags, path, stdin }, place);
  const { documents } = readYaml({ path: 'stdout', text: stdout });
  const { items = [] } = documents[0]!.data as unknown as PrintedItems;
  const findings = readFindings(stderr).map((finding): Finding => {
    const { code, severity, message, place: at } = finding;
    return { code, severity, message, place: at.startsWith('functionConfig:') ? '' : at };
  });
  return { exitCode, findings, shown: exitCode === 0 ? textsOf(itemsOf(items)) : undefined };
}

/** Flags that the plugin of Argo CD has as variables. */
const variables: Readonly<Record<string, string>> = {
  profile: 'KUREL_PROFILE',
  'no-profile': 'KUREL_NO_PROFILE',
  policy: 'KUREL_POLICY',
  values: 'KUREL_VALUES',
  namespace: 'KUREL_NAMESPACE',
  'kubernetes-version': 'KUREL_KUBERNETES_VERSION',
  crds: 'KUREL_CRDS',
  strict: 'KUREL_STRICT',
};

export function canAskPlugin({ flags, layout }: AgreementInput): boolean {
  return layout !== undefined && Object.keys(flags).every((name) => Object.hasOwn(variables, name));
}

const pathFlags = new Set(['profile', 'policy', 'values', 'crds']);

/** The plugin in the directory of the package, and a build there. */
export async function askPlugin({ flags, path }: AgreementInput, place: Place): Promise<readonly [Answer, Answer]> {
  const workingDirectory = join(place.directory, path);
  const here = Object.fromEntries(
    Object.entries(flags).map(([name, value]) => {
      const at = (text: string): string => (pathFlags.has(name) ? `../${text}` : text);
      return [name, Array.isArray(value) ? value.map(at) : typeof value === 'string' ? at(value) : value];
    }),
  );
  const settings = Object.entries(here).map(([name, value]) => [variables[name], String(value)]);
  const call = { workingDirectory, variables: { PATH: process.env['PATH'], ...Object.fromEntries(settings) } };
  const built = await runProgram(['build', '--layout=argocd', '--message-format=json', ...wordsFor(here), '--', '.'], {
    ...call,
    variables: { PATH: process.env['PATH'] },
  });
  const generated = await runProgram(['argocd', 'generate', '--message-format=json'], call);
  const [reference, answer] = [built, generated].map(({ exitCode, stdout, stderr }): Answer => ({
    exitCode,
    findings: readFindings(stderr),
    shown: exitCode === 0 ? [stdout] : undefined,
  }));
  return [reference!, answer!];
}
