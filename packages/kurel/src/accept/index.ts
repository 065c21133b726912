// takes:   acceptances (a code, an object, a reason) and findings
// gives:   the findings that remain, those that were accepted, and the acceptances that match nothing
// refuses: acceptances of findings that may not be accepted, such as those of a policy
export * from './acceptance.ts';
export { acceptProblems } from './problems.ts';
