// takes:   the objects of two builds, and what is known about the lists in them
// gives:   which objects are added, removed and changed, and every field that differs; the same without what Secrets hold
// refuses: to guess: what was renamed is one thing that is gone and another that is new
export { diffObjects, type DiffOptions } from './diff-objects.ts';
export type { ChangeStep, FieldChange, ItemStep, ObjectDifference, ObjectsDifference } from './difference.ts';
export { formatChangedField, pathsOfChange } from './changed-field.ts';
export { hideSecrets, hideSecretValues, isSecretField } from './hide-secrets.ts';
