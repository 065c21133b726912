import type { ProblemSummary } from '../../../diagnostics/index.ts';
import { builtIn } from './catalog.ts';

const handlers = [...builtIn.components, ...builtIn.traits, ...builtIn.policies];

export const catalogProblems: Readonly<Record<string, ProblemSummary>> = Object.assign(
  {},
  ...handlers.map(({ problems }) => problems?.definitions ?? {}),
);
