import { createOriginTable, renderPackage, writeJson, writeYaml } from '../index.ts';
import type { PackageRendering } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { InfoFlags } from './commands/info.ts';
import { createStore } from './create-store.ts';
import { describePackage, formatPackage } from './report/describe-package.ts';
import { openInput } from './open-input.ts';
import { openPackage } from './open-package.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { runInfoApplication } from './run-info-application.ts';

type Call = CommandCall<InfoFlags>;

export async function runInfo(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const { form } = await openInput(positionals[0]!, {}, environment);
  if (form.values === 'declared') return runInfoApplication(call);
  const opened = await openPackage(positionals[0]!, flags, environment);
  const { diagnostics, sourcesOf, failure } = opened;
  const found = [...diagnostics];
  const rendering = opened.ok ? render() : undefined;
  if (rendering !== undefined) environment.writeStdout(print(rendering, flags));
  const findings = { diagnostics: found, sources: await sourcesOf(found) };
  await printDiagnostics(findings, { format: 'text', color: flags.color }, environment);
  return rendering === undefined ? failure : 0;

  function render(): PackageRendering | undefined {
    const rest: Diagnostic[] = [];
    const result = renderPackage(opened.examination!.package!, {
      ...opened.request,
      origins: createOriginTable(),
      store: createStore(undefined),
      report: (diagnostic) => void rest.push(diagnostic),
    });
    // A rendering goes through the steps of an examination again. Notes are for those who build.
    const known = new Set(diagnostics.map((one) => JSON.stringify(one)));
    for (const one of rest) if (one.severity !== 'note' && !known.has(JSON.stringify(one))) found.push(one);
    return result;
  }
}

function print(rendering: PackageRendering, { format, all }: Call['flags']): string {
  if (format === 'json') return `${writeJson(describePackage(rendering))}\n`;
  return format === 'yaml' ? writeYaml(describePackage(rendering)) : formatPackage(rendering, all);
}
