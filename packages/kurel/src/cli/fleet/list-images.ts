import { escapeControls, escapeControlsInJson } from '../../diagnostics/index.ts';
import { formatObject, writeJson } from '../../index.ts';
import { explainHiddenImages, imageSitesOf } from '../../kube/index.ts';
import type { Diagnostic, KubeObject } from '../../model/index.ts';
import { paint } from '../paint.ts';
import { cliProblems } from '../problems.ts';
import { createGroups } from './collect-outcomes.ts';

type FleetImages = ReadonlyMap<string, ReadonlySet<string>>;

export function collectImages() {
  const images = new Map<string, Set<string>>();
  const hidden = createGroups<Diagnostic>();
  return {
    add(target: string, objects: readonly KubeObject[]): void {
      for (const object of objects) {
        for (const { image } of imageSitesOf(object)) images.set(image, (images.get(image) ?? new Set()).add(target));
        const reason = explainHiddenImages(object);
        if (reason === undefined) continue;
        const diagnostic = cliProblems.create('images-hidden', { object: formatObject(object), reason });
        hidden.add(diagnostic.message, diagnostic, target);
      }
    },
    /** Warnings about objects whose images only the cluster knows. */
    hidden: hidden.list,
    images: (): FleetImages => new Map([...images].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const mostTargets = 5;

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
