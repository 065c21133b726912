/** The suites in the order of the pages, with the headings of their tables. */
export const suiteTitles = {
  'start-up': 'Start-up',
  small: 'One small package of each form',
  build: 'Add a label to manifests',
  patch: 'Apply 50 patch files to manifests',
  package: 'Build a patch package with 50 patch files',
  application: 'Build an application package',
  comments: 'Patch manifests and keep comments',
  validate: 'Validate manifests',
  jq: 'Filter with jq',
  inspect: 'Run diff, explain and images',
  fleet: 'Build a fleet of applications and clusters',
  'fleet-shared': 'Build a fleet on several machines',
  workspace: 'Build many times in one process',
  'jq-in-memory': 'Filter with jq, with the library',
  'validate-in-memory': 'Validate with the library',
};
