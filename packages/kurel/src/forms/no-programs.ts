import { ProgramError, type ProgramRunner } from '../model/index.ts';

/** Where no programs can be run, needing one is a finding. */
export const noPrograms: ProgramRunner = {
  run({ program }) {
    throw new ProgramError(program, 'not-found', `${program} is needed, but no programs can be run here`, {
      hint: 'give `programs`, as in `programs: programRunner({ environment: process.env })` of kurel/host',
    });
  },
};
