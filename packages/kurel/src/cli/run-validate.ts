import { formatDiagnostics, summarise, toJson, toJunit, toSarif } from '../diagnostics/index.ts';
import { diskFileSystem } from '../host/index.ts';
import { build, describeObject, locateInYaml } from '../index.ts';
import type { BuildResult } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { createStore } from './create-store.ts';
import type { Environment } from './environment.ts';
import { describeTool, useColor } from './print-diagnostics.ts';
import type { Findings } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { readRequest } from './read-request.ts';

type Call = CommandCall<ValidateFlags>;

export async function runValidate({ positionals, flags, environment }: Call): Promise<ExitCode> {
  const path = positionals[0]!;
  const store = createStore(flags['kubernetes-version']);
  const given = await readRequest(path, flags, environment);
  const definitions = await readDefinitions([...(await ownDefinitions(path, environment)), ...flags.crds], environment);
  const findings: Findings = {
    diagnostics: [...given.diagnostics, ...definitions.diagnostics],
    sources: [...given.sources, ...definitions.sources],
  };
  if (!given.ok || !definitions.ok) {
    await print(findings, [], { flags, environment, summary: '' });
    return given.diagnostics.some(({ code }) => code === 'set-syntax') ? 2 : 1;
  }
  const validation = { store: store.with(definitions.definitions, definitions.sourceOf) };
  const result = await build({ ...given.request, validation });
  const all = {
    diagnostics: [...findings.diagnostics, ...result.diagnostics],
    sources: [...findings.sources, ...result.sources],
  };
  const count = result.checked.length === 1 ? '1 object' : `${result.checked.length} objects`;
  const verdict = summarise(all.diagnostics);
  const summary = `${count} checked against Kubernetes ${store.kubernetesVersion}: ${verdict === '' ? 'nothing found' : verdict}`;
  await print(all, subjectsOf(result), { flags, environment, summary });
  return result.ok ? 0 : 1;
}

/** A package brings the definitions of its own kinds in `schemas/crds`. */
async function ownDefinitions(path: string, { workingDirectory }: Environment): Promise<readonly string[]> {
  const directory = `${path.replace(/\/+$/, '')}/schemas/crds`;
  if (path === '-' || /[*?[{]/.test(path)) return [];
  const kind = await diskFileSystem({ workingDirectory }).kindOf(directory);
  return kind === 'directory' ? [directory] : [];
}

function subjectsOf({ checked, origins }: BuildResult) {
  return checked.map((object) => {
    const origin = origins.get(object);
    const text = origin?.text;
    const name = describeObject(object);
    if (text === undefined) return { name, file: origin?.file ?? origin?.source ?? 'kurel' };
    return { name, file: text.source.path, document: text.document };
  });
}

interface Print extends Pick<Call, 'flags' | 'environment'> {
  readonly summary: string;
}

async function print(
  { diagnostics, sources }: Findings,
  subjects: ReturnType<typeof subjectsOf>,
  how: Print,
): Promise<void> {
  const { flags, environment, summary } = how;
  const options = { sources, locate: locateInYaml };
  const text = (findings: readonly Diagnostic[]): string => {
    const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
    const formatted = formatDiagnostics(findings, { ...options, color });
    const last = summary === '' ? summarise(findings) : summary;
    return formatted === '' ? `${last}\n` : `${formatted}\n${last}\n`;
  };
  const forms = {
    text,
    json: () => toJson(diagnostics, options),
    sarif: async () => toSarif(diagnostics, { ...options, ...(await describeTool()) }),
    junit: () => toJunit(diagnostics, { ...options, subjects }),
  };
  environment.writeStdout(await forms[flags.format ?? 'text'](diagnostics));
}
