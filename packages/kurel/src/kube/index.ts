// takes:   plain objects and the short strings inside them
// gives:   their meaning in Kubernetes: identity, type, scope, order, selectors, quantities, durations, schedules, names, images
// refuses: strings that Kubernetes would reject
export * from './apply-order.ts';
export * from './decode-objects.ts';
export * from './identity.ts';
export * from './image-reference.ts';
export * from './object-name.ts';
export * from './label-selector.ts';
export * from './metadata.ts';
export { isAddress, isInBlock, nameAddress, type SpecialAddress } from './name-address.ts';
export * from './names.ts';
export * from './problems.ts';
export * from './pod-security.ts';
export * from './pod-site.ts';
export * from './quantity.ts';
export * from './references.ts';
export * from './scope.ts';
export * from './sops.ts';
export * from './volume-sources.ts';
export { placesOf, workloadFieldsOf } from './workload-fields.ts';
