import { annotationsOf, withAnnotations } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../../../../documents/index.ts';

export const pruneProtection = defineTrait({
  type: 'prune-protection',
  summary:
    'Prevents Flux or Argo CD from deleting the objects of the component when they are removed from the package.',
  properties: { scope },
  render({ delivery: { engine }, annotations }) {
    return {
      decorate: (objects) =>
        objects.map((object) => {
          const [key, value] = engine === 'argocd' ? syncOptions(object, annotations) : fluxAnnotation;
          return withAnnotations(object, { [key]: value });
        }),
    };
  },
});

const fluxAnnotation = ['kustomize.toolkit.fluxcd.io/prune', 'disabled'] as const;

/** Argo CD has one annotation for all options, so existing ones are kept. */
function syncOptions(object: KubeObject, shared: Readonly<Record<string, string>>): readonly [string, string] {
  const key = 'argocd.argoproj.io/sync-options';
  const present = annotationsOf(object)[key] ?? shared[key] ?? '';
  const others = present
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '' && !/^prune=/i.test(option));
  return [key, [...others, 'Prune=false'].join(',')];
}
