import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildLimitFlags, fileLimitFlags, fleetLimitFlags, packageLimitFlags } from '../src/cli/limits.ts';
import { packageFlags } from '../src/cli/package-flags.ts';
import { hostProblems } from '../src/host/index.ts';
import { problemDefinitions } from '../src/problem-definitions.ts';
import { readSources, repository } from './source-tree.ts';

/** The rows of docs/limits.md: the constant that each of them is about, and where it is. */
const limits: Readonly<Record<string, string>> = {
  'values copied in a run': 'kurel/src/budget/create-budget.ts usualValues',
  'fields changed by patches in a run': 'kurel/src/budget/create-budget.ts usualChanges',
  'pattern steps in a run': 'kurel/src/budget/create-budget.ts usualPatternSteps',
  'CEL rule steps in a run': 'kurel/src/budget/create-budget.ts usualRuleSteps',
  'steps for the targets of a fleet in a run': 'kurel/src/budget/create-budget.ts usualFleetSteps',
  'steps to compare misspelled names with known ones in a build': 'kurel/src/diagnostics/nearest.ts mostSteps',
  'findings reported per code': 'kurel/src/budget/create-budget.ts usualFindings',
  'findings per code that are compared with acceptances of single objects': 'kurel/src/build.ts mostJudged',
  'characters kept between the builds of a workspace': 'kurel/src/budget/create-budget.ts usualCharacters',
  'characters of compiled rules kept': 'kurel/src/validate/cel/create-cel-rules.ts mostCompiled',
  'files and directories around program arguments that `reads()` lists': 'kurel/src/reads/record-reads.ts mostPaths',
  'size of a file': 'kurel/src/host/disk-file-system.ts maxFileBytes',
  'size of standard input': 'kurel/src/host/read-stdin.ts usualBytes',
  'files in a directory of manifests': 'kurel/src/forms/manifests/find-files.ts mostFiles',
  'characters in all manifests of a path': 'kurel/src/forms/manifests/form.ts mostText',
  'directories of manifests reached through links': 'kurel/src/forms/walk-tree.ts mostLinked',
  'nesting of directories': 'kurel/src/forms/paths.ts deepestDirectory',
  'nesting of directories that `kurel fmt` reads': 'kurel/src/cli/commands/fmt.ts deepest',
  'characters in a path pattern': 'kurel/src/forms/manifests/glob.ts longestPattern',
  'nesting of braces in a path pattern': 'kurel/src/forms/manifests/glob.ts deepestBraces',
  'characters in the files of a package': 'kurel/src/forms/package-loading.ts usualSize',
  'characters above which a package is called large': 'kurel/src/forms/patch-package/load-patch-package.ts muchText',
  'files below `resources/`': 'kurel/src/forms/package-loading.ts usualResources',
  'patches of a package': 'kurel/src/forms/package-loading.ts usualPatches',
  'directories of a package reached through links': 'kurel/src/forms/walk-tree.ts mostLinked',
  'directories of a chart reached through links': 'kurel/src/forms/walk-tree.ts mostLinked',
  'files of a kustomization that gets values': 'kurel/src/forms/kustomization/copy-kustomization.ts mostFiles',
  'bytes of a kustomization that gets values': 'kurel/src/forms/kustomization/copy-kustomization.ts mostContent',
  'files of a chart or kustomization in a git revision': 'kurel/src/cli/diff/lend-files.ts mostFiles',
  'bytes of a chart or kustomization in a git revision': 'kurel/src/cli/diff/lend-files.ts mostBytes',
  'nesting of directories of a chart or kustomization in a git revision': 'kurel/src/cli/diff/lend-files.ts deepest',
  'size of a file in a git revision': 'kurel/src/host/git-repository.ts maxFileBytes',
  'bytes read from a git repository': 'kurel/src/host/git-repository.ts maxBytes',
  'links followed to a file in a git revision': 'kurel/src/host/git-repository.ts mostLinks',
  'characters of a link in a git revision': 'kurel/src/host/git-repository.ts longestTarget',
  'characters in a file': 'kurel/src/yaml/reading.ts length',
  'documents in a file': 'kurel/src/yaml/reading.ts documents',
  'nesting of objects and lists': 'kurel/src/yaml/reading.ts depth',
  'sum of the depths of all values, in a document nested more than 40 levels deep':
    'kurel/src/yaml/reading.ts mostLevels',
  'characters of a key without `?`': 'kurel/src/yaml/read-block-key.ts longestKey',
  'problems reported per document': 'kurel/src/yaml/reading.ts mostFindings',
  'nesting of Lists': 'kurel/src/kube/decode-objects.ts deepestList',
  'objects in a List': 'kurel/src/kube/decode-objects.ts longestList',
  'objects in a build': 'kurel/src/stages.ts usualObjects',
  'nesting of objects and lists in the output': 'kurel/src/yaml/write-string.ts DEEPEST',
  'characters in the output': 'kurel/src/layout/write-object.ts mostText',
  'references to follow from one parameter to the next': 'kurel/src/parameters/resolve-parameters.ts maxDepth',
  'nesting of objects and lists in a parameter, and steps of `--set`': 'kurel/src/parameters/substitute.ts deepest',
  'steps to check values against a schema': 'kurel/src/forms/patch-package/schema/validate-values.ts mostSteps',
  'nesting of schemas in such a check': 'kurel/src/forms/patch-package/schema/validate-values.ts deepest',
  'steps of a path': 'kurel/src/patch/kpatch/read-steps.ts mostSteps',
  'problems reported per file': 'kurel/src/patch/kpatch/reading.ts mostProblems',
  'nesting of objects and lists in a merge': 'kurel/src/parameters/substitute.ts deepest',
  'nesting of objects and lists after a JSON Patch': 'kurel/src/parameters/substitute.ts deepest',
  'failed operations of a JSON Patch': 'kurel/src/patch/json-patch/apply-json-patch.ts mostDoubts',
  'steps of all programs of a run': 'kurel/src/cli/limits.ts usualJqSteps',
  'steps of a program for one object': 'jq/src/run-state.ts maxSteps',
  results: 'jq/src/run-state.ts maxOutputs',
  'nesting of calls': 'jq/src/run-state.ts maxDepth',
  'characters in a string': 'jq/src/run-state.ts maxStringLength',
  'elements in an array': 'jq/src/run-state.ts maxArrayLength',
  'values that a program makes for one object': 'jq/src/run-state.ts maxValues',
  'characters in a regular expression': 'jq/src/run-state.ts maxPatternLength',
  'characters that a regular expression is matched against': 'jq/src/run-state.ts maxSubjectLength',
  'instructions in a regular expression': 'jq/src/regex/compile-regex.ts maxInstructions',
  'bits to remember the choices of a regular expression': 'jq/src/regex/run-regex.ts maxMemory',
  'repetitions in a regular expression': 'jq/src/regex/parse-regex.ts maxRepetitions',
  'nesting of groups in a regular expression': 'jq/src/regex/parse-regex.ts maxNesting',
  'nesting of expressions in a program': 'jq/src/syntax/tokens.ts maxNesting',
  'functions that a program expands to': 'jq/src/compile/calls.ts expansionLimit',
  'nodes of a compiled program': 'jq/src/compile/compile-node.ts maxPieces',
  'nesting of objects and lists in a value': 'jq/src/values/compare.ts maxValueDepth',
  'nesting of objects and lists in the result': 'kurel/src/engine/transformers/jq.ts mostLevels',
  'values in the result': 'kurel/src/engine/transformers/jq.ts mostCopies',
  'characters in a rule': 'kurel/src/validate/cel/rule-text.ts longestRule',
  'steps of a rule for one value': 'kurel/src/validate/cel/limit-steps.ts mostSteps',
  'items in a list that a rule creates': 'kurel/src/validate/cel/limit-steps.ts longestList',
  'characters in a string that a rule creates': 'kurel/src/validate/cel/limit-steps.ts longestText',
  'nesting of groups in a pattern': 'kurel/src/schema/pattern/parse-pattern.ts deepest',
  'repetitions in a pattern': 'kurel/src/schema/pattern/parse-pattern.ts mostRepeats',
  'instructions in a pattern': 'kurel/src/schema/pattern/compile-pattern.ts mostInstructions',
  'steps to compile a pattern': 'kurel/src/schema/pattern/compile-pattern.ts mostSteps',
  'nesting of fields that are validated': 'kurel/src/schema/check/check.ts deepest',
  'nesting of fields in the schema of a CRD that is itself validated':
    'kurel/src/validate/kinds/check-structure.ts deepest',
  'nesting of parentheses and brackets in an expression of a policy or CRD':
    'kurel/src/validate/cel/read-expression.ts deepest',
  'keys of a list (`x-kubernetes-list-map-keys`)': 'kurel/src/schema/json-schema-node.ts mostListKeys',
  'time of helm and kustomize': 'kurel/src/host/program-runner.ts timeoutMs',
  'output of helm and kustomize': 'kurel/src/host/program-runner.ts maxOutputBytes',
  'memory of helm, kustomize and git, each, on Linux': 'kurel/src/host/run-process.ts usualMemory',
  'time of each git answer': 'kurel/src/host/git-repository.ts timeoutMs',
  'time of a response with all its redirects': 'kurel/src/host/network-fetcher.ts timeoutMs',
  'redirects of a response': 'kurel/src/host/network-fetcher.ts maxRedirects',
  'times that a busy server is asked again': 'kurel/src/host/network-fetcher.ts mostRetries',
  'time to wait for a busy server': 'kurel/src/host/network-fetcher.ts longestWait',
  'bytes of a password on standard input': 'kurel/src/cli/commands/login.ts largestPassword',
  "size of docker's `config.json`": 'kurel/src/host/registry-credentials.ts largestConfig',
  'time of a credential helper': 'kurel/src/host/registry-credentials.ts longestCall',
  'bytes that a credential helper prints': 'kurel/src/host/registry-credentials.ts mostOutput',
  'remote sources fetched at the same time': 'kurel/src/forms/application/sources/load-sources.ts mostFetches',
  'size of a chart archive': 'kurel/src/forms/application/sources/source-network.ts largestArchive',
  'size of an unpacked archive, with the archives in it if it is a chart':
    'kurel/src/archive/read-archive.ts largestContent',
  'entries of an archive': 'kurel/src/archive/read-tar.ts mostEntries',
  'directories around an entry of an archive': 'kurel/src/archive/check-entry-name.ts mostParts',
  'nesting of chart archives': 'kurel/src/archive/read-archive.ts deepest',
  'size of an extended header in an archive': 'kurel/src/archive/read-tar.ts largestExtension',
  'size of the index of a chart repository': 'kurel/src/forms/application/sources/source-network.ts largestIndex',
  'size of a manifest of an OCI registry': 'kurel/src/registry/repository.ts largestManifest',
  'nesting of objects and lists in a document of an OCI registry': 'kurel/src/model/read-json.ts deepest',
  'size of a page of tags or signatures of an OCI registry': 'kurel/src/registry/repository.ts largestPage',
  'such pages': 'kurel/src/registry/repository.ts mostPages',
  'tags or signatures on all such pages': 'kurel/src/registry/repository.ts mostEntries',
  'size of other answers of an OCI registry': 'kurel/src/registry/registry-session.ts largestAnswer',
  'bytes of a blob that are sent at once to an OCI registry': 'kurel/src/registry/upload-blob.ts usualChunk',
  'failed connections in the upload of a blob': 'kurel/src/registry/upload-blob.ts mostFailures',
  'size of a token of an OCI registry': 'kurel/src/registry/registry-token.ts largestToken',
  'size of the config and of each document of a package in a registry':
    'kurel/src/artifact/fetch-package.ts largestDocument',
  'size of manifests from a URL': 'kurel/src/forms/application/sources/source-network.ts largestManifests',
  'signatures in a list, and bundles of an artifact': 'kurel/src/signing/list-signatures.ts mostSignatures',
  'bytes of the payload of a signature': 'kurel/src/signing/list-signatures.ts largestPayload',
  'size of a bundle': 'kurel/src/signing/list-signatures.ts largestBundle',
  'size of all bundles of an artifact': 'kurel/src/signing/list-signatures.ts mostBytes',
  'size of the manifests in an artifact': 'kurel/src/cli/signing/compare-files.ts largestLayer',
  'inputs in an attestation': 'kurel/src/signing/provenance.ts mostInputs',
  'memory to decrypt a private key': 'kurel/src/host/read-key.ts mostMemory',
  'passes to decrypt a private key': 'kurel/src/host/read-key.ts mostPasses',
  'bytes of the password of a key on standard input': 'kurel/src/cli/signing/read-trust.ts largestPassword',
  'targets of a fleet': 'kurel/src/fleet/expand-targets.ts mostTargets',
  'groups of a fleet': 'kurel/src/fleet/inherit-levels.ts mostGroups',
  'missing paths of a fleet compared with existing ones': 'kurel/src/budget/create-budget.ts usualFindings',
  'packages of a fleet fetched at the same time': 'kurel/src/cli/fleet/fleet-packages.ts mostFetches',
  'replicas whose claims a `volsync` trait backs up':
    'kurel/src/forms/application/catalog/traits/volsync.ts mostSources',
  'weight of an object to explain: 10 per field, plus the depth of each field':
    'kurel/src/provenance/field-tree.ts mostWeight',
  'values of an application to try: sum of the squares of the values of each component with its traits':
    'kurel/src/forms/application/causes/find-causes.ts mostWork',
  'characters of `kurel diff --format markdown`': 'kurel/src/cli/diff/format-markdown.ts mostText',
  'characters of `kurel fleet diff --format markdown`': 'kurel/src/cli/fleet/format-review.ts mostText',
  'targets per change in `kurel fleet diff --format markdown`': 'kurel/src/cli/fleet/format-review.ts mostTargets',
  'packages in `kurel fleet diff --format markdown`': 'kurel/src/cli/fleet/format-review.ts mostPackages',
  'failed targets in the table of `kurel fleet`': 'kurel/src/cli/fleet/print-run.ts mostRows',
  'characters in a column of a table': 'kurel/src/cli/terminal.ts widestColumn',
  'versions of a kind in a hint': 'kurel/src/validate/validate-objects.ts mostVersions',
  'shards of a fleet': 'kurel/src/fleet/target-names.ts mostShards',
  'pairs of list items to compare': 'kurel/src/diff/common-subsequence.ts mostCells',
  'path steps of all fields that differ': 'kurel/src/diff/diff-values.ts mostSteps',
  'edits in a diff of lines': 'kurel/src/cli/unified-diff.ts mostEdits',
  'squares of such edits, for all files together': 'kurel/src/cli/unified-diff.ts mostSquares',
};

/** Flags of the first table, by the constant that is their highest value. */
const highest: Readonly<Record<string, string>> = {
  'max-file-size': 'largestFile',
  'max-package-size': 'largestPackage',
  'max-resources': 'highestCount',
  'max-patches': 'highestCount',
  'max-objects': 'highestCount',
  'max-jq-steps': 'highestSteps',
  'max-values': 'highestSteps',
  'max-changes': 'highestSteps',
  'max-pattern-steps': 'highestSteps',
  'max-rule-steps': 'highestSteps',
  'max-fleet-steps': 'highestSteps',
  'max-findings': 'highestCount',
  timeout: 'longestSeconds',
  'max-program-memory': 'largestMemory',
};

const page = readFileSync(join(repository, 'docs', 'limits.md'), 'utf8');
const tables = Array.from(page.matchAll(/^\| (.+?) \|$/gm), ([, row]) => row!.split(' | ').map((cell) => cell.trim()));
const rows = tables.filter(([first = '']) => !/^(?:flag|limit|`--|-+\|)/.test(first));
const flagRows = tables.filter(([first = '']) => first.startsWith('`--'));
const flags = { ...buildLimitFlags, ...fileLimitFlags, ...packageLimitFlags, ...fleetLimitFlags };

describe('the page about limits', () => {
  it('has a row for each limit', () => {
    expect(rows.map(([first]) => first!)).toEqual(Object.keys(limits));
  });

  it.each(rows)('%s: %s', (name = '', value = '') => {
    const [file, ...words] = limits[name]!.split(' ');
    expect(value).toBe(show(valueOf(`packages/${file!}`, words.join(' ')), value));
  });

  it('names flags and findings that there are', () => {
    const known = new Set([...Object.keys(flags), 'max-depth', 'set', 'format', 'target', 'watch']);
    for (const [, flag] of page.matchAll(/--([a-z][a-z-]*)/g)) expect([...known]).toContain(flag);
    const codes = rows.flatMap(([, , happens = '']) =>
      Array.from(happens.matchAll(/`([a-z-]+)`/g), ([, code]) => code!),
    );
    const definitions = { ...problemDefinitions, ...hostProblems.definitions };
    expect(codes.filter((code) => !Object.hasOwn(definitions, code))).toEqual([]);
  });

  it('has every flag, with its default and its highest value', () => {
    const named = flagRows.map(([first]) => first!.slice(3, -1));
    expect(named.toSorted()).toEqual([...Object.keys(flags), 'max-depth'].toSorted());
    for (const [first, , usual = '', span = ''] of flagRows) {
      const name = first!.slice(3, -1) as keyof typeof flags | 'max-depth';
      const { summary } = { ...flags, ...packageFlags }[name];
      expect(summary, `the default of --${name}`).toMatch(new RegExp(`[Dd]efaults to ${usual}`));
      const constant = highest[name];
      if (constant === undefined) continue;
      const most = valueOf('packages/kurel/src/cli/limits.ts', constant);
      expect(span.endsWith(`to ${span.endsWith('Mi') ? `${most / 1024 ** 2}Mi` : most}`), `${first}: ${span}`).toBe(
        true,
      );
    }
  });

  // Limits of messages, of Kubernetes and other systems, and of caches are not limits of the input.
  it('leaves nothing out', () => {
    const listed = new Set(Object.values(limits));
    const found = ['jq', 'kurel'].flatMap((name) =>
      readSources(join(repository, 'packages', name, 'src'))
        .filter(({ path }) => !/\.test\.ts$|-cases\.ts$/.test(path))
        .flatMap(({ path, text }) =>
          Array.from(text.matchAll(named), ([, constant]) => `${name}/src/${path} ${constant!}`),
        ),
    );
    const missing = found.filter((one) => !listed.has(one) && !others.some((other) => other.test(one)));
    expect(missing).toEqual([]);
    expect(others.filter((other) => !found.some((one) => other.test(one)))).toEqual([]);
  });
});

const named =
  /^(?:export )?const ((?:most|much|deepest|largest|highest|usual|longest|furthest|max)[A-Z]?\w*|DEEPEST) = [\d(][^;]*;/gm;

const others: readonly RegExp[] = [
  // shown
  /^kurel\/src\/cli\/fleet\/(?:format-review\.ts longestValue|list-targets\.ts mostTargets|print-run\.ts mostSlow)$/,
  /^jq\/src\/(?:compile\/unknown-name\.ts longestName|program\.ts longestMessage)$/,
  /^kurel\/src\/accept\/acceptance\.ts mostGuesses$/,
  /^kurel\/src\/(?:cli\/(?:explain|report)|diagnostics|provenance\/problems)\S* \w+$/,
  /^kurel\/src\/cli\/diff\/(?:change-lines|format-markdown|show-value)\.ts \w+$/,
  /^kurel\/src\/cli\/format-field\.ts \w+$/,
  /^kurel\/src\/(?:diff\/difference|patch\/apply\/format-path|patch\/kpatch\/cursor|yaml\/reading)\.ts longest\w*$/,
  /^kurel\/src\/host\/fetch-hop\.ts longest$/,
  /^kurel\/src\/parameters\/(?:declared\/fill-application|problems)\.ts mostShown$/,
  /^kurel\/src\/forms\/application\/sources\/lock\.ts longestName$/,
  /^kurel\/src\/forms\/patch-package\/schema\/(?:build-schema\.ts (?:mostNames|longest)|(?:describe-parameter|list-uses|problems)\.ts \w+)$/,
  /^kurel\/src\/provenance\/parameter-sources\.ts deepest$/,
  /^kurel\/src\/forms\/patch-package\/schema\/(?:validate-values\.ts (?:mostTries|longestPattern))$/,
  /^kurel\/src\/validate\/cel\/create-cel-rules\.ts furthest$/,
  /^kurel\/src\/schema\/check\/(?:constraints\.ts longestAdvised|elsewhere\.ts furthest\w+|names\.ts (?:mostListed|mostMisspelt))$/,
  /^kurel\/src\/(?:patch\/apply\/problems\.ts most|patch\/json-patch\/read-operations\.ts mostListed)$/,
  /^kurel\/src\/forms\/patch-package\/(?:read-resources|unreplaced-references)\.ts (?:mostCompared|longestName)$/,
  /^kurel\/src\/(?:forms\/patch-package\/report-parameters|validate\/validate-objects)\.ts mostGuesses$/,
  /^kurel\/src\/validate\/(?:policy\/explain-field\.ts longestImage|package-services\.ts mostDescribed)$/,
  /^kurel\/src\/(?:forms\/package-info\.ts longest|cli\/(?:(?:command|parse-flags)\.ts mostNamed|read-request\.ts most|commands\/(?:info\.ts longest|explain\.ts longestScalar))|validate\/object-table\.ts mostPods|(?:yaml\/read-plain|model\/read-json)\.ts longestShown|yaml\/read-yaml\.ts longestNumber)$/,
  /^kurel\/src\/parameters\/layers\.ts mostReferences$/,
  /^kurel\/src\/cli\/signing\/(?:compare-files|require-signatures)\.ts \w+$/,
  // of the waiting for changes, and for the end of programs
  /^kurel\/src\/(?:cli\/(?:run-watched|show-progress)|host\/(?:run-process|read-record|watch-\w+))\.ts \w+$/,
  // of the cache that machines share: what exceeds them is built again
  /^kurel\/src\/cli\/fleet\/cache\/\S+ \w+$/,
  // kept in memory or made faster
  /^kurel\/src\/(?:reads\/keep-reads\.ts mostCharacters|fleet\/placeholders\.ts mostTexts|parameters\/layer-index\.ts mostWithoutIndex|provenance\/secret-parameters\.ts (?:longestKey|mostAlike))$/,
  /^kurel\/src\/yaml\/(?:resolve-plain-scalar\.ts \w+|read-plain\.ts longestLine)$/,
  /^kurel\/src\/schema\/pattern\/compile-pattern\.ts (?:mostRemembered|longestRemembered)$/,
  /^kurel\/src\/validate\/kinds\/read-amount\.ts mostKnown$/,
  /^jq\/src\/values\/scalars\.ts longestForHost$/,
  // what names, numbers and texts of other systems may be
  /^jq\/src\/compile\/calls\.ts maxAssumptions$/,
  /^jq\/src\/values\/(?:access\.ts maxIndex|arithmetic\.ts largestInteger|scalars\.ts maxExactDigits)$/,
  /^kurel\/src\/cli\/limits\.ts (?!usualJqSteps)\w+$/,
  /^kurel\/src\/host\/(?:relative-path\.ts maxNameBytes|git-objects\.ts longestHeader)$/,
  /^kurel\/src\/kube\/(?:image-reference|label-selector|quantity|workload-fields)\.ts \w+$/,
  /^kurel\/src\/layout\/(?:one-file-each|flux)\.ts longest\w*$/,
  /^kurel\/src\/documents\/\S+ \w+$/,
  /^kurel\/src\/forms\/application\/(?!sources)\S+ \w+$/,
  /^kurel\/src\/registry\/(?:registry-token\.ts longest|(?:oci-reference|version)\.ts \w+)$/,
  /^kurel\/src\/archive\/write-archive\.ts longestName$/,
  /^kurel\/src\/forms\/chart\/helm-source\.ts longestReleaseName$/,
  /^kurel\/src\/(?:validate\/kinds\/\S+|schema\/check\/(?:text-)?formats\.ts) (?:longest|largest|most|usual)\w*$/,
];

/** The first number assigned to a name in a file. */
function valueOf(file: string, name: string): number {
  const text = readFileSync(join(repository, file), 'utf8');
  const given = new RegExp(
    `\\b${name.replaceAll(/[.?]/g, String.raw`\$&`)}(?:: number)?\\s*[=:]?\\s*(\\d[\\w *<]*)`,
  ).exec(text);
  expect(given, `${name} in ${file}`).not.toBeNull();
  return calculate(given![1]!.replaceAll('_', ''));
}

function calculate(text: string): number {
  if (text.includes('<<')) {
    const [number, bits] = text.split('<<').map(calculate) as [number, number];
    return number << bits;
  }
  if (text.includes('**')) {
    const [number, power] = text.split('**').map(calculate) as [number, number];
    return number ** power;
  }
  if (text.includes('*'))
    return text
      .split('*')
      .map(calculate)
      .reduce((product, factor) => product * factor, 1);
  return text.trim() === 'mebibyte' ? 1024 ** 2 : Number(text);
}

/** A number, in the unit that the page has it in. */
function show(value: number, like: string): string {
  if (like.endsWith(' GiB')) return `${value / 1024 ** 3} GiB`;
  if (like.endsWith(' MiB')) return `${value / 1024 ** 2} MiB`;
  if (like.endsWith(' s')) return `${value / 1000} s`;
  return value.toLocaleString('en-US');
}
