import { ProgramError } from '../model/index.ts';
import type { ProgramCall, ProgramResult, ProgramRunner } from '../model/index.ts';
import { inputProblems } from './problems.ts';

/** Runs a program for a renderer; reports if it is missing, does not end, or prints too much. */
export async function runProgram(programs: ProgramRunner, call: ProgramCall): Promise<ProgramResult> {
  try {
    return await programs.run(call);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw inputProblems.error('input-needs-program', { reason: error.message, hint: error.hint }, { cause: error });
  }
}

/** Reports that programs cannot be run. */
export const noPrograms: ProgramRunner = {
  run({ program }) {
    throw new ProgramError(program, 'not-found', `${program} is required, but programs cannot be run here`, {
      hint: 'pass `programs`, as in `programs: programRunner({ environment: process.env })` from kurel/host',
    });
  },
};
