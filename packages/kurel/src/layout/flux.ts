import { annotationsOf, formatDuration, timeoutAnnotation, timeoutOf, waitForReadyOf } from '../kube/index.ts';
import type { JsonObject, KubeObject, OutputFile } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';
import { fluxDuration, readFluxSettings } from './flux-settings.ts';
import type { FluxSettings } from './flux-settings.ts';
import { writeKustomization } from './kustomization.ts';
import type { LayoutInput } from './layout.ts';
import { everythingIn, phaseName, phasesInTree } from './phase.ts';
import type { Phase, PhaseInTree } from './phase.ts';
import { layOutPhases } from './phases.ts';

const directory = 'kustomizations';

/** The phases, and for each a Flux Kustomization that applies it after the one before. */
export function layOutFlux(input: LayoutInput): readonly OutputFile[] {
  const phases = phasesInTree(input);
  const settings = readFluxSettings(input, phases);
  const files = layOutPhases(input);
  if (settings === undefined || files.length === 0) return files;
  const objects = phases.flatMap((phase, index) =>
    phase.objects.length === 0
      ? []
      : [
          {
            path: `${directory}/${fileOf(phase, settings)}`,
            text: writeYaml(makeFluxObject(phase, phases[index - 1], settings)),
          },
        ],
  );
  // Without a list of the files kustomize and Flux would take the objects in them for kustomizations of their own.
  const resources = phases.map((phase) => fileOf(phase, settings));
  return [writeKustomization({ directory, resources }), ...objects, ...files];
}

function fileOf(phase: Phase, { name }: FluxSettings): string {
  return `${phaseName(phase, name)}/kustomization.yaml`;
}

function makeFluxObject(phase: PhaseInTree, before: Phase | undefined, settings: FluxSettings): KubeObject {
  const { name, namespace, interval, path, source } = settings;
  const objects = everythingIn(phase);
  const timeout = longestTimeout(objects);
  const spec: JsonObject = {
    ...(before === undefined ? {} : { dependsOn: [{ name: phaseName(before, name) }] }),
    interval,
    path: `${path}/${phase.name}`,
    prune: true,
    sourceRef: source,
    ...(timeout === undefined ? {} : { timeout }),
    ...(objects.some((object) => waitForReadyOf(object) === true) ? { wait: true } : {}),
  };
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: phaseName(phase, name), namespace },
    spec,
  };
}

const millisecond = 1_000_000n;

/** In the user's own words where Flux can read them: it knows nothing below a millisecond, and no sign. */
function longestTimeout(objects: readonly KubeObject[]): string | undefined {
  let longest = { duration: 0n, text: '' };
  for (const object of objects) {
    const duration = timeoutOf(object) ?? 0n;
    if (duration > longest.duration) longest = { duration, text: annotationsOf(object)[timeoutAnnotation]! };
  }
  const { duration, text } = longest;
  if (duration === 0n) return undefined;
  if (fluxDuration.test(text)) return text;
  return formatDuration(((duration + millisecond - 1n) / millisecond) * millisecond);
}
