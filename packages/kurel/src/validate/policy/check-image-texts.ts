import { fieldOf, parseImageReference, textAt } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { isImageAllowed, reportUnchecked } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { isImage } from './explain-field.ts';
import { isInForce } from './rules.ts';
import { isContainer, pathOf } from './workload-field.ts';
import type { Field } from './workload-field.ts';

export const foreignImage = 'it may be an image from a registry that the policy does not allow';

/** `RELATED_IMAGE_PROXY`, `SIDECAR_IMAGE` */
const imageVariable = /^RELATED_IMAGE_|(?:^|_)IMAGE$/i;

/** Operators take images of the pods that they create from variables and arguments. */
export function checkImageTexts(field: Field): void {
  const { value, key, holder, place, enforcing } = field;
  if (!isInForce(enforcing.layers)) return;
  if (key === 'value' && fieldOf(place) === 'env') {
    const isNamed = imageVariable.test(textAt(holder, 'name') ?? '');
    if (namesForeign(enforcing, value) || (isNamed && isForeignReference(enforcing, value)))
      reportUnchecked(enforcing, pathOf(field), foreignImage);
    return;
  }
  if ((key !== 'args' && key !== 'command') || !isJsonArray(value) || !isContainer(holder, place)) return;
  for (const [index, item] of value.entries()) {
    if (namesForeign(enforcing, item)) reportUnchecked(enforcing, pathOf(field, index), foreignImage);
  }
}

/** `--images=ghcr.io/team/proxy:1,ghcr.io/team/init:1` */
function namesForeign(enforcing: Enforcing, value: Json): boolean {
  return typeof value === 'string' && value.split(/[,=]/).some((text) => isForeignImage(enforcing, text));
}

/** Whether a text with an image name, perhaps without a tag, is one that the policy does not allow. */
export function isForeignReference(enforcing: Enforcing, value: Json): boolean {
  if (typeof value !== 'string' || !/[/:]/.test(value) || parseImageReference(value) === undefined) return false;
  return !isImageAllowed(enforcing, value);
}

export function isForeignImage(enforcing: Enforcing, value: Json): boolean {
  if (typeof value !== 'string' || /^https?:/i.test(value) || !isImage(value)) return false;
  return !isImageAllowed(enforcing, value.replace(/^[a-z-]+:\/\//i, ''));
}
