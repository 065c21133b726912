// What a build of an application needs of this room: `index.ts` brings the checks of all kinds along.
export { adviseItems } from './fields/advise-items.ts';
export { checkPart } from './check-part.ts';
