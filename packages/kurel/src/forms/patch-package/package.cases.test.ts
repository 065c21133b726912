import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSystemOf } from '../../../test/case-file-system.ts';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import { createOriginTable } from '../../engine/index.ts';
import { bundledSchemas } from '../../host/index.ts';
import { layOutStream } from '../../layout/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { recordReads } from '../../reads/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import { examinePackage, renderPackage } from '../index.ts';
import type { EnabledPatch, PackageRendering } from '../index.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const store = createSchemaStore({ files: bundledSchemas() });

// A case has a package below `input/` and `expected.txt`: what is found, which patches apply, what comes out.
describe('a package', () => {
  it.each(listCases(directory))('%s', async (name) => {
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', await renderCase(name));
  });
});

async function renderCase(name: string): Promise<string> {
  const one = openCase(join(directory, name));
  const texts = recordReads({ fileSystem: fileSystemOf(one, 'input') });
  const packages = one.list().flatMap((file) => /^input\/([^/]+)/.exec(file)?.[1] ?? []);
  const path = packages.find((file) => !/\.local\./.test(file)) ?? packages[0];
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const origins = createOriginTable();
  const examined = await examinePackage({ fileSystem: texts.fileSystem, path: path! });
  Object.values(examined.found).flat().forEach(report);
  const { rendering } = renderPackage(examined, { report, origins, store });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const hasOnlyConflicts = errors.every(({ code }) => code === 'patches-exclude');
  expect(rendering !== undefined, 'there is a result unless there is an error other than a conflict').toBe(
    hasOnlyConflicts,
  );
  const sources = await texts.sourcesOf(diagnostics);
  const found = formatPrinted(diagnostics, { sources, locate: locateInYaml, color: false });
  if (rendering === undefined || errors.length > 0) return found;
  const [file] = layOutStream({ objects: rendering.objects, origins, format: 'yaml', report });
  return [found, describePlan(rendering), file!.text].filter((part) => part !== '').join('\n');
}

function describePlan({ plan }: PackageRendering): string {
  const enabled = plan.enabled.map(({ patch, reason }) => `+ ${patch.owner} ${patch.id} (${describeReason(reason)})\n`);
  const disabled = plan.disabled.map(({ patch, variable }) => `- ${patch.owner} ${patch.id} (${variable ?? 'off'})\n`);
  return [...enabled, ...disabled].join('');
}

function describeReason(reason: EnabledPatch['reason']): string {
  if (reason.type === 'condition') return reason.variable ?? 'true';
  return reason.type === 'required' ? `required by ${reason.by.id}` : reason.type;
}
