import type { KubeObject, PostRenderer, RenderContext } from '../model/index.ts';
import { isKubeObject } from '../model/index.ts';
import { throwIfAborted } from './abort.ts';
import { PostRendererError, hasCause } from './errors.ts';
import type { Stage } from './errors.ts';
import { copyObject } from './origin-table.ts';
import { isPure } from './purity.ts';
import { waitFor } from './steps.ts';
import type { Steps } from './steps.ts';

/** Post-renderers that did not promise anything get copies, and what they return is copied: it may be theirs. */
export function* postRenderSteps(
  objects: readonly KubeObject[],
  postRenderers: readonly PostRenderer[],
  context: RenderContext,
  stage: Stage,
): Steps<readonly KubeObject[]> {
  let current = objects;
  for (const postRenderer of postRenderers) {
    throwIfAborted(context);
    try {
      const trusted = isPure(postRenderer);
      const given = trusted ? current : copyAll(current, context);
      const answer = checkObjects(yield* waitFor(postRenderer(given, context)));
      current = trusted ? answer : copyAll(answer, context);
    } catch (error) {
      throwIfAborted(context);
      throw hasCause(error, PostRendererError) ? error : new PostRendererError(stage, error);
    }
  }
  return current;
}

function copyAll(objects: readonly KubeObject[], context: RenderContext): KubeObject[] {
  return objects.map((object) => copyObject(context.origins, object));
}

function checkObjects(answer: unknown): readonly KubeObject[] {
  if (Array.isArray(answer) && answer.every(isKubeObject)) return answer;
  throw new TypeError('a post-renderer must return a list of objects with apiVersion and kind');
}
