import { formatObject, listImages } from '../index.ts';
import type { BuildResult } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ImagesFlags } from './commands/images.ts';
import { answerFromBuild } from './explain/answer-from-build.ts';
import type { Answer } from './explain/answer-from-build.ts';
import { findPlaces } from './explain/find-places.ts';
import { kurelVersion } from './kurel-version.ts';
import { cliProblems } from './problems.ts';
import { formatImages } from './report/format-images.ts';
import { imagesToCycloneDx } from './report/images-to-cyclonedx.ts';
import { imagesToJson } from './report/images-to-json.ts';

type Call = CommandCall<ImagesFlags>;

export async function runImages(call: Call): Promise<ExitCode> {
  return await answerFromBuild(call, (result) => answerTo(call, result));
}

function answerTo({ positionals, flags }: Call, result: BuildResult): Answer {
  const { rendering } = result;
  const sources = rendering.provenance.texts();
  const list = listImages(rendering);
  const diagnostics = list.hidden.map(({ object, reason }) =>
    cliProblems.create('images-hidden', { object: formatObject(object), reason }),
  );
  if (flags.format === 'cyclonedx') {
    const name = rendering.facts.name ?? positionals[0]!;
    return { text: imagesToCycloneDx(list, { name, toolVersion: kurelVersion }), diagnostics };
  }
  const traces = list.images.flatMap(({ uses }) =>
    uses.map(({ path, trace, likely }) => ({ path, value: undefined, steps: [...(trace?.steps ?? []), ...likely] })),
  );
  const findPlace = findPlaces(traces, sources);
  const text = flags.format === 'json' ? imagesToJson(list, findPlace) : formatImages(list.images, findPlace);
  return { text, diagnostics };
}
