import { fieldOf, textAt } from '../../kube/index.ts';
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
    const isNamed = imageVariable.test(textAt(holder, 'name') ?? '') && isReference(value);
    if (isForeignImage(enforcing, value) || (isNamed && !isImageAllowed(enforcing, value)))
      reportUnchecked(enforcing, pathOf(field), foreignImage);
    return;
  }
  if ((key !== 'args' && key !== 'command') || !isJsonArray(value) || !isContainer(holder, place)) return;
  for (const [index, item] of value.entries()) {
    // `--proxy-image=ghcr.io/team/proxy:1`
    const text = typeof item === 'string' ? item.slice(item.lastIndexOf('=') + 1) : item;
    if (isForeignImage(enforcing, text)) reportUnchecked(enforcing, pathOf(field, index), foreignImage);
  }
}

function isReference(value: Json): value is string {
  return typeof value === 'string' && /[/:]/.test(value) && !/^https?:/i.test(value);
}

export function isForeignImage(enforcing: Enforcing, value: Json): boolean {
  if (typeof value !== 'string' || /^https?:/i.test(value) || !isImage(value)) return false;
  return !isImageAllowed(enforcing, value.replace(/^[a-z-]+:\/\//i, ''));
}
