import { escapeControls } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/index.ts';
import { findObject, formatObject, hideSecretValues, selectFields, traceOf, writeJson } from '../index.ts';
import type { BuildResult } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ExplainFlags } from './commands/explain.ts';
import { answerFromBuild } from './explain/answer-from-build.ts';
import type { Answer } from './explain/answer-from-build.ts';
import { findPlaces } from './explain/find-places.ts';
import { formatChains } from './explain/format-chains.ts';
import { hideSecretTraces } from './explain/hide-secret-traces.ts';
import { formatOverview } from './explain/format-overview.ts';
import { tracesToJson } from './explain/traces-to-json.ts';
import { useColor } from './print-diagnostics.ts';

type Call = CommandCall<ExplainFlags>;

export async function runExplain(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const exitCode = await answerFromBuild(call, (result) => answerTo(call, result));
  const isForPeople = environment.stderrIsTerminal && (flags['message-format'] ?? 'text') === 'text';
  if (exitCode === 0 && positionals.length === 1 && isForPeople) {
    environment.writeStderr('name one of them to see where its fields come from: kurel explain PATH OBJECT\n');
  }
  return exitCode;
}

function answerTo({ positionals, flags, environment }: Call, result: BuildResult): Answer {
  const { provenance } = result.rendering;
  const [path = '', words, field] = positionals;
  if (words === undefined) return { text: listObjects(result.objects, flags.format), diagnostics: [] };
  const found = findObject(result.objects, words, provenance.removed());
  if ('problem' in found) return { diagnostics: [found.problem] };
  const { object } = found;
  const traces = traceOf(object, provenance);
  const selected = field === undefined ? { fields: traces } : selectFields(traces, { object, text: field });
  if ('problem' in selected) return { diagnostics: [selected.problem] };
  // What Secrets hold is taken out here, so that no format can show it.
  const fields = hideSecretTraces(selected.fields, object);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const options = { object: hideSecretValues(object), findPlace: findPlaces(fields, provenance.texts()), color };
  if (flags.format === 'json') return { text: tracesToJson(fields, options), diagnostics: [] };
  const text = field === undefined ? formatOverview(fields, { ...options, path }) : formatChains(fields, options);
  return { text, diagnostics: [] };
}

/** As they can be asked for. */
function listObjects(objects: readonly KubeObject[], format: 'text' | 'json' | undefined): string {
  const names = objects.map(formatObject);
  if (format === 'json') return `${writeJson({ objects: names })}\n`;
  return names.map((name) => `${escapeControls(name)}\n`).join('');
}
