import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

const go = process.platform === 'win32' ? 'go.exe' : 'go';

/** The directory of a Go module, fetched through the module proxy that Go is set up with; Go checks its sums. */
export function downloadModule(moduleAtVersion) {
  const { GOFLAGS: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(go, ['mod', 'download', '-json', moduleAtVersion], {
    // Outside of any module, and with leave to fetch the newer Go that some modules ask for before they unpack.
    cwd: tmpdir(),
    env: { ...inherited, GOTOOLCHAIN: 'auto', GOWORK: 'off' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`go mod download ${moduleAtVersion} failed\n${stderr}${stdout}`);
  return JSON.parse(stdout).Dir;
}

export function hasGo() {
  return spawnSync(go, ['version']).status === 0;
}
