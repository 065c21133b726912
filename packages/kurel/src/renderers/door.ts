// What every build needs of this room: `index.ts` brings all renderers along, and a build reads the code of those that it uses.
export { createInputRenderer } from './create-input-renderer.ts';
export { rememberTexts } from './remember-texts.ts';
