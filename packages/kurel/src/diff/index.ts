// takes:   the objects of two builds, and the schemas of their lists
// gives:   added, removed and changed objects with every field that differs; optionally without the values of Secrets
// refuses: to guess: a renamed object is one that was removed and another that was added
export { diffObjects, type DiffOptions } from './diff-objects.ts';
export type { ChangeStep, FieldChange, ItemStep, ObjectDifference, ObjectsDifference } from './difference.ts';
export { formatChangedField, pathsOfChange } from './difference.ts';
export { groupChanges, orderChanges } from './rate-risks.ts';
export type { ComparedTarget, GroupedChange } from './rate-risks.ts';
export { riskOfChange, riskOfObject, riskWords } from './rate-risks.ts';
export type { Risk } from './rate-risks.ts';
export { hideSecrets, hideSecretValues, isSecretField } from './hide-secrets.ts';
