// Installs the pinned programs that tests and benchmarks compare with into the git-ignored `.tools` directory:
// `node scripts/tools.mjs`             helm, kustomize, kubeconform, actionlint, a registry, crane and our oracles, built by Go, into .tools/bin;
//                                     and the applications of go-sources.json, into the module cache of Go
//                                     on Debian and Ubuntu also nginx, as their package has it
// `node scripts/tools.mjs bench`       also helmfile, which only a benchmark needs
// `node scripts/tools.mjs full`        also the plugin server of Argo CD, the control plane of Kubernetes, the source controller of Flux,
//                                     cosign and sops, which only `npm run ci:full` needs; their names instead of `full` choose some of them
// `node scripts/tools.mjs --node-lts`  a current Node.js LTS from the npm registry; prints the path of the binary
// `node scripts/tools.mjs --bun [TARGET …]`  bun, which executables are made of; prints the path of its binary for each target
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { bunVersion } from './release/targets.mjs';

const root = resolve(import.meta.dirname, '..');
const tools = join(root, '.tools');
const bin = join(tools, 'bin');
const executable = process.platform === 'win32' ? '.exe' : '';
const go = `go${executable}`;

const goPrograms = [
  {
    name: 'helm',
    version: 'v3.22.0',
    module: 'helm.sh/helm/v3/cmd/helm',
    // As in helm's own releases, charts see the Kubernetes version of the client library that helm is built with.
    variables: {
      'helm.sh/helm/v3/internal/version.version': 'v3.22.0',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '37',
    },
  },
  {
    // Charts are tested with both major versions of helm. `go install` would call this one `helm`, too.
    name: 'helm-4',
    version: 'v4.3.1',
    source: 'helm.sh/helm/v4',
    target: './cmd/helm',
    variables: { 'helm.sh/helm/v4/internal/version.version': 'v4.3.1' },
  },
  {
    name: 'kustomize',
    version: 'v5.8.2',
    module: 'sigs.k8s.io/kustomize/kustomize/v5',
    variables: { 'sigs.k8s.io/kustomize/api/provenance.version': 'v5.8.2' },
  },
  {
    name: 'kubeconform',
    version: 'v0.8.0',
    module: 'github.com/yannh/kubeconform/cmd/kubeconform',
    variables: { 'main.version': 'v0.8.0' },
  },
  {
    name: 'actionlint',
    version: 'v1.7.12',
    module: 'github.com/rhysd/actionlint/cmd/actionlint',
    variables: { 'github.com/rhysd/actionlint.version': 'v1.7.12' },
  },
  {
    // A real OCI registry, which tests start on this machine.
    name: 'registry',
    version: 'v3.0.0',
    module: 'github.com/distribution/distribution/v3/cmd/registry',
    variables: { 'github.com/distribution/distribution/v3/version.version': 'v3.0.0' },
  },
  {
    // Reads what kurel pushes to that registry.
    name: 'crane',
    version: 'v0.22.1',
    module: 'github.com/google/go-containerregistry/cmd/crane',
    variables: { 'github.com/google/go-containerregistry/cmd/crane/cmd.Version': 'v0.22.1' },
  },
];
// Built in its own module: `go install` refuses a module that replaces others.
const benchPrograms = [
  {
    name: 'helmfile',
    version: 'v1.8.0',
    source: 'github.com/helmfile/helmfile',
    variables: { 'go.szostok.io/version.version': 'v1.8.0' },
  },
];
// Slow to build: only `npm run ci:full` needs it.
const fullPrograms = [
  {
    name: 'cosign',
    version: 'v3.1.3',
    module: 'github.com/sigstore/cosign/v3/cmd/cosign',
    variables: { 'sigs.k8s.io/release-utils/version.gitVersion': 'v3.1.3' },
  },
  { name: 'sops', version: 'v3.13.3', module: 'github.com/getsops/sops/v3/cmd/sops' },
];
// Our own programs around other implementations, built anew when their files change.
const oracles = ['yaml-live'].map(oracleOf);
const fullOracles = [
  oracleOf('argocd-cmp'),
  versionKubernetes(oracleOf('control-plane')),
  { ...oracleOf('source-controller'), target: 'github.com/fluxcd/source-controller' },
];
// Applications that the tests migrate to packages, each pinned by the checksum of its files.
const sources = JSON.parse(readFileSync(join(root, 'scripts', 'go-sources.json'), 'utf8'));
const nodeLts = '24.21.0';
const withoutGo = 'Go is not on PATH; install it and run `npm run tools` again';

if (process.argv.includes('--node-lts')) installNodeLts();
else if (process.argv[2] === '--bun') installBun(process.argv.slice(3));
else installGoPrograms();

function installGoPrograms() {
  mkdirSync(bin, { recursive: true });
  const wanted = [
    ...goPrograms,
    ...oracles,
    ...(process.argv.includes('bench') ? benchPrograms : []),
    ...[...fullOracles, ...fullPrograms].filter(
      ({ name }) => process.argv.includes('full') || process.argv.includes(name),
    ),
  ];
  const missing = wanted.filter((program) => {
    if (!isInstalled(program)) return true;
    console.log(`${program.name} ${program.version}: present`);
    return false;
  });
  const hasGo = spawnSync(go, ['version']).status === 0;
  for (const program of missing) {
    if (hasGo) build(program);
    else reportMissing(program, withoutGo);
  }
  for (const source of sources) {
    if (hasGo) fetchSource(source);
    else reportMissing(source, withoutGo);
  }
  if (process.platform === 'linux') installNginx();
}

/** A real web server for the cache of a fleet. The package is unpacked, not installed: nothing outside of .tools changes. */
function installNginx() {
  const program = { name: 'nginx', version: 'of Debian' };
  if (isInstalled(program)) return console.log(`${program.name} ${program.version}: present`);
  const directory = join(tools, 'nginx-package');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const run = (command, args) =>
    spawnSync(command, args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] }).status === 0;
  // The lists of packages of a fresh machine may be empty, and only root may change them.
  const [lists, archives] = [join(directory, 'lists'), join(directory, 'cache', 'archives')];
  for (const place of [lists, archives]) mkdirSync(join(place, 'partial'), { recursive: true });
  const apt = (...args) =>
    run('apt-get', ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${join(directory, 'cache')}`, ...args]);
  const isFetched = apt('update') && apt('download', 'nginx');
  const file = isFetched && readdirSync(directory).find((name) => name.endsWith('.deb'));
  if (!file || !run('dpkg-deb', ['--extract', file, 'root'])) {
    rmSync(directory, { recursive: true, force: true });
    // Other systems have no such package, so this does not fail, not even in CI.
    console.error(`nginx: NOT INSTALLED, the tests with it are skipped: it cannot be downloaded with apt-get`);
    return;
  }
  copyFileSync(join(directory, 'root', 'usr', 'sbin', 'nginx'), programFile('nginx'));
  rmSync(directory, { recursive: true, force: true });
  writeFileSync(markerOf('nginx'), `${program.version}\n`);
  console.log(`${program.name} ${program.version}: installed`);
}

function fetchSource({ name, module, version, sum }) {
  const fetched = download(module, version);
  if (fetched === undefined) reportMissing({ name, version }, `\`go mod download ${module}\` failed`);
  else if (fetched.Sum === sum) console.log(`${name} ${version}: present`);
  else {
    console.error(`${name} ${version}: the checksum is ${fetched.Sum}, but scripts/go-sources.json says ${sum}`);
    process.exitCode = 1;
  }
}

function build({
  name,
  version,
  module,
  source,
  variables = {},
  directory = source && download(source, version)?.Dir,
  target = '.',
}) {
  const settings = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
  rmSync(markerOf(name), { force: true });
  const { GOFLAGS: _, ...inherited } = process.env;
  const flags = ['-trimpath', `-ldflags=-s -w ${settings.join(' ')}`];
  const [cwd, args] =
    directory === undefined
      ? [tools, ['install', ...flags, `${module}@${version}`]]
      : [directory, ['build', ...flags, '-o', programFile(name), target]];
  const env = { ...inherited, GOBIN: bin, CGO_ENABLED: '0' };
  const { status } = spawnSync(go, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0 || !existsSync(programFile(name))) {
    return reportMissing({ name, version }, `\`go ${args[0]} ${module ?? source ?? directory}\` failed`);
  }
  writeFileSync(markerOf(name), `${version}\n`);
  console.log(`${name} ${version}: installed`);
}

/** A module in the cache of Go: its directory and the checksum of its files. */
function download(source, version) {
  const args = ['mod', 'download', '-json', `${source}@${version}`];
  const { stdout } = spawnSync(go, args, { cwd: tools, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const fetched = JSON.parse(stdout);
    return fetched.Dir === undefined ? undefined : fetched;
  } catch {
    return undefined;
  }
}

// The rest of the project can be worked on without these programs; only a CI run must not pass without their tests.
function reportMissing({ name, version }, reason) {
  console.error(`${name} ${version}: NOT INSTALLED, the tests that compare with it are skipped: ${reason}`);
  if (process.env.CI === 'true') process.exitCode = 1;
}

function isInstalled({ name, version }) {
  return existsSync(programFile(name)) && readMarker(name) === version;
}

function oracleOf(name) {
  const directory = join(root, 'test', 'oracles', name);
  return { name, directory, version: hashOf(directory) };
}

/** As in its own releases, the servers of Kubernetes know their version; programs that ask for it may not understand anything else. */
function versionKubernetes(oracle) {
  const text = readFileSync(join(oracle.directory, 'go.mod'), 'utf8');
  const [, version, major, minor] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(text);
  const settings = { gitVersion: version, gitMajor: major, gitMinor: minor };
  const named = Object.entries(settings).map(([name, value]) => [`k8s.io/component-base/version.${name}`, value]);
  return { ...oracle, variables: Object.fromEntries(named) };
}

/** Of everything that an oracle is built from. */
function hashOf(directory) {
  const files = readdirSync(directory).filter((file) => /\.go$|^go\.(?:mod|sum)$/.test(file));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(join(directory, file)));
  return hash.digest('hex').slice(0, 12);
}

function programFile(name) {
  return join(bin, name + executable);
}

function markerOf(name) {
  return join(tools, `${name}.version`);
}

function readMarker(name) {
  return existsSync(markerOf(name)) ? readFileSync(markerOf(name), 'utf8').trim() : undefined;
}

function installNodeLts() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const binary = installPackage('node-lts', name, nodeLts, join('bin', `node${executable}`));
  if (binary !== undefined) console.log(binary);
}

/** A target is named as bun names its packages: `linux-x64`, `linux-aarch64-musl`, `darwin-aarch64`, `windows-x64`. */
function installBun(targets) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const own = `${platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  for (const target of targets.length === 0 ? [own] : targets) {
    const file = join('bin', target.startsWith('windows') ? 'bun.exe' : 'bun');
    const binary = installPackage(`bun-${target}`, `@oven/bun-${target}`, bunVersion, file);
    if (binary !== undefined) console.log(binary);
  }
}

/** Installs one package of the npm registry by itself, also one for another platform; returns the path of its file. */
function installPackage(tool, name, version, file) {
  const directory = join(tools, tool);
  const path = join(directory, 'node_modules', name, file);
  if (existsSync(path) && readMarker(tool) === version) return path;
  mkdirSync(directory, { recursive: true });
  // npm is a script that Windows starts only through a shell; every word here is a constant of this file.
  const flags = ['--prefix', '.', '--force', '--ignore-scripts', '--no-save', '--no-package-lock'];
  const { status } = spawnSync('npm', ['install', ...flags, `${name}@${version}`], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0 || !existsSync(path)) {
    console.error(`${name} ${version}: NOT installed, npm could not fetch it`);
    process.exitCode = 1;
    return undefined;
  }
  writeFileSync(markerOf(tool), `${version}\n`);
  return path;
}
