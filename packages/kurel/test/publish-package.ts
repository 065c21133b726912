import { createPackageArtifact, pushArtifact } from '../src/artifact/index.ts';
import { networkFetcher } from '../src/host/index.ts';
import { openRepository, parseOciReference } from '../src/registry/index.ts';
import { publishedForm } from './published-forms.ts';

export interface PublishedFiles {
  /** `oci://host/path:tag`. */
  readonly reference: string;
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Defaults to the tag, if that is a version. */
  readonly version?: string | undefined;
}

/** Puts a package into a registry on this machine, whatever its tag was before. Returns its digest. */
export async function publishPackage({ reference, files, version }: PublishedFiles): Promise<string> {
  const { host, path, tag } = parseOciReference(reference);
  const own = version ?? (/^\d+\.\d+\.\d+/.test(tag!) ? tag!.replaceAll('_', '+') : undefined);
  const artifact = await createPackageArtifact({
    form: publishedForm('parameters.yaml' in files ? 'patch-package' : 'application'),
    name: path.slice(path.lastIndexOf('/') + 1),
    version: own,
    description: undefined,
    files: Object.entries(files).map(([name, text]) => ({ path: name, bytes: new TextEncoder().encode(text) })),
    schema: '{}',
    annotations: {},
  });
  const access = { fetcher: networkFetcher({ allowPrivate: true }), allowHost: () => true, plainHttp: true };
  const repository = openRepository({ host, path }, access, 'pull,push');
  await pushArtifact(artifact, repository, { url: `oci://${host}/${path}`, tags: [tag!], force: true });
  return artifact.digest;
}

/** An application with one component, whose image has the version. */
export function applicationFiles(version: string, name = 'shop'): Readonly<Record<string, string>> {
  return {
    'kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Package
metadata: {name: ${name}, version: ${version}}
spec:
  parameters:
    - {name: replicas, type: integer, default: 2}
`,
    'app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: ${name}}
spec:
  components:
    - name: ${name}
      type: webservice
      properties:
        image: registry.example.com/${name}:${version}
        port: 8080
        replicas: \${replicas}
`,
  };
}
