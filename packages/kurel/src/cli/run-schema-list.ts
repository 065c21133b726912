import { createCatalog, writeJson } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { createStore } from './create-store.ts';
import { fit, formatRows } from './format-help.ts';
import { checkShowUsage } from './run-schema.ts';
import { readingWidth } from './terminal-width.ts';

/** What can be shown: every type of the catalog, and where the kinds are from. */
export async function runSchemaList({ flags, environment }: CommandCall<SchemaFlags>): Promise<ExitCode> {
  checkShowUsage(flags);
  const catalog = createCatalog();
  const sections = [
    { title: 'COMPONENTS', category: 'component', types: [...catalog.components.values()] },
    { title: 'TRAITS', category: 'trait', types: [...catalog.traits.values()] },
    { title: 'POLICIES', category: 'policy', types: [...catalog.policies.values()] },
  ];
  if (flags.format === 'json') {
    const list = sections.flatMap(({ category, types }) =>
      types.map(({ type, summary }) => ({ category, type, summary })),
    );
    environment.writeStdout(`${writeJson(list)}\n`);
    return 0;
  }
  const rows = sections.map(({ types }) => types.map(({ type, summary }) => [type, summary] as const));
  const terms = rows.flat().reduce((most, [type]) => Math.max(most, type.length), 0) + 2;
  const width = readingWidth(environment);
  const lines: string[] = [];
  for (const [index, { title }] of sections.entries()) {
    for (const line of [`${title}:`, ...formatRows(rows[index]!, { width, terms }), '']) lines.push(line);
  }
  const { kubernetesVersion } = createStore(flags['kubernetes-version'], true);
  const kinds = `KINDS: all of Kubernetes ${kubernetesVersion}, and those of well-known CRDs, as in kurel schema show Deployment.spec`;
  for (const line of fit(kinds, width)) lines.push(line);
  environment.writeStdout(`${lines.join('\n')}\n`);
  return 0;
}
