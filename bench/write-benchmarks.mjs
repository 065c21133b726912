import { describeMethod } from './describe-method.mjs';
import { floorSubjects } from './floors.mjs';
import { writeSections, writeSmallSummary, writeSummary } from './write-tables.mjs';

const large = [
  'build-10000',
  'patch-10000',
  'package-half-10000',
  'package-all-10000',
  'webservices-10000',
  'fleet-per-target',
  'comments-10000',
  'validate-10000',
  'jq-in-memory',
];

const small = ['manifest', 'manifests', 'package', 'application', 'gateway', 'chart', 'kustomization']
  .map((name) => `small-${name}`)
  .concat('validate-1');

/** The page for users: how kurel compares with other programs. */
export function writeBenchmarks({ machine, limit, rows }) {
  const shown = rows.filter(({ subject }) => !floorSubjects.includes(subject));
  return `# Benchmarks

How fast is kurel, compared with kustomize, helm, helmfile, kubeconform, the npm package yaml and jq-web? In the column "× kurel", 2 × means that the
program takes twice as long as kurel, and 0.5 × half as long. Absolute times depend on the machine, ratios much less.

## Small input

What everybody runs all day. "kurel" is the [executable](install.md), "on Node" is what npm installs.

${writeSmallSummary(small, rows)}

## Large input

On Node ${machine.programs.node}.

${writeSummary(large, rows)}

![Time of other programs as a multiple of kurel’s time; the tables on this page have the same figures](benchmarks.svg)

## The machine

${describeMachine(machine)}

\`npm run bench -- --docs\` measured all figures in one run and wrote this page. To repeat it, see
[Run the benchmarks](performance.md#run-the-benchmarks).

${describeMethod({ limit })}

## All figures

Wall time is the median of all rounds, user time the mean (on all cores), memory the highest peak. Rows in bold are the ones that the other
rows of the same input are compared with.

${writeSections(shown, rows)}
`;
}

function describeMachine({ system, architecture, processor, cores, gigabytes, loadBefore, programs }) {
  const versions = Object.entries(programs).map(([name, version]) => `| ${name} | ${version} |`);
  return `| | |
|---|---|
| processor | ${cores} cores of "${processor}" |
| memory | ${gigabytes} GB |
| system | ${system} on ${architecture} |
| load before the run | ${loadBefore} |
${versions.join('\n')}`;
}
