import type { Shape } from './shapes.mjs';

export const platformShapes: readonly Shape[];
