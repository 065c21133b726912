import { escapeControls, escapeControlsInJson } from '../../diagnostics/index.ts';
import { formatObject, writeJson } from '../../index.ts';
import { explainHiddenImages, imageSitesOf } from '../../kube/index.ts';
import type { Diagnostic, KubeObject } from '../../model/index.ts';
import { paint } from '../terminal.ts';
import { cliProblems } from '../problems.ts';

/** The targets that use each image. */
export type FleetImages = ReadonlyMap<string, ReadonlySet<string>>;

export function collectImages(): {
  readonly add: (target: string, objects: readonly KubeObject[]) => void;
  readonly images: () => FleetImages;
  /** Warnings about objects whose images only the cluster knows. */
  readonly hidden: () => readonly Diagnostic[];
} {
  const images = new Map<string, Set<string>>();
  const hidden = new Map<string, { readonly diagnostic: Diagnostic; readonly targets: string[] }>();
  return {
    add(target, objects) {
      for (const { image } of objects.flatMap((object) => imageSitesOf(object))) {
        const targets = images.get(image) ?? new Set();
        images.set(image, targets.add(target));
      }
      for (const object of objects) {
        const reason = explainHiddenImages(object);
        if (reason === undefined) continue;
        const diagnostic = cliProblems.create('images-hidden', { object: formatObject(object), reason });
        const known = hidden.get(diagnostic.message);
        if (known === undefined) hidden.set(diagnostic.message, { diagnostic, targets: [target] });
        else known.targets.push(target);
      }
    },
    hidden: () => [...hidden.values()].map(({ diagnostic, targets }) => Object.assign({}, diagnostic, { targets })),
    images: () => new Map([...images].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const mostTargets = 5;

/** Each image with the targets that use it. */
export function formatFleetImages(images: FleetImages, color: boolean): string {
  return [...images]
    .map(([image, targets]) => {
      const names = [...targets].slice(0, mostTargets).join(', ');
      const rest = targets.size - mostTargets;
      const where = rest > 0 ? `${targets.size.toLocaleString('en-US')} targets: ${names} and ${rest} more` : names;
      return `${paint('1', showImage(image), color)}\n  ${escapeControls(where)}\n`;
    })
    .join('');
}

/** GitHub Actions executes lines that begin with `::`. */
function showImage(image: string): string {
  const shown = escapeControls(image);
  return shown.startsWith('::') ? JSON.stringify(shown) : shown;
}

export function fleetImagesToJson(images: FleetImages): string {
  const list = [...images].map(([image, targets]) => ({ image, targets: [...targets] }));
  return `${escapeControlsInJson(writeJson({ images: list }))}\n`;
}
