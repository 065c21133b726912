import { formatBill } from '../../packages/kurel/src/cli/report/images-to-cyclonedx.ts';

export interface BillSources {
  readonly version: string;
  readonly bunVersion: string;
  /** What each package.json of a bundled package has. */
  readonly packages: readonly { readonly name: string; readonly version: string; readonly license: string }[];
  /** schemas/NOTICE.txt, which names each module that data is made from with its licence. */
  readonly schemaNotice: string;
}

interface Part {
  readonly type: 'library' | 'platform' | 'data';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly license: string;
}

/** What an executable contains, in CycloneDX: bundled packages, the runtime, and the sources of the schemas. */
export function createBill({ version, bunVersion, packages, schemaNotice }: BillSources): string {
  const parts: readonly Part[] = [
    ...packages.map((one): Part => ({ type: 'library', ...one, purl: npmPurl(one.name, one.version) })),
    {
      type: 'platform',
      name: 'bun',
      version: bunVersion,
      purl: `pkg:github/oven-sh/bun@bun-v${bunVersion}`,
      license: 'MIT AND LGPL-2.1-or-later',
    },
    ...listSchemaSources(schemaNotice),
  ];
  const components = parts.map(({ type, name, version: partVersion, purl, license }) => ({
    type,
    'bom-ref': purl,
    name,
    version: partVersion,
    purl,
    licenses: [{ expression: license }],
  }));
  const ref = npmPurl('kurel', version);
  return formatBill({
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name: 'kurel',
        version,
        purl: ref,
        licenses: [{ expression: 'Apache-2.0' }],
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((component) => component['bom-ref']) }],
  });
}

function npmPurl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Lines such as `k8s.io/api@v0.37.1: Apache-2.0`. */
function listSchemaSources(notice: string): readonly Part[] {
  return Array.from(
    notice.matchAll(/^(\S+)@(v\S+): ([\w.-]+)/gm),
    ([, name = '', version = '', license = '']): Part => ({
      type: 'data',
      name,
      version,
      purl: `pkg:golang/${name.toLowerCase()}@${version}`,
      license,
    }),
  );
}
