import type { OutputFile } from '../model/index.ts';

/** A small working package of each form, as an example: texts by path. */
export const packageTemplates = {
  'patch-package': {
    'README.md': `
# NAME

A patch package: manifests in \`resources/\`, parameters in \`parameters.yaml\`, and patches that put the ones into the others.

| | |
|---|---|
| \`kurel validate NAME.kurel\` | checks everything |
| \`kurel build NAME.kurel\` | prints the manifests |
| \`kurel build NAME.kurel --output manifests/\` | writes them, a directory for each install phase |
| \`kurel build NAME.kurel --values NAME.kurel/examples/production.yaml\` | takes other parameters |
| \`kurel patches list NAME.kurel\` | says which patches are on, and why |
| \`kurel explain NAME.kurel deployment.NAME\` | says where each field comes from |

| | |
|---|---|
| \`parameters.yaml\` | what the package is, and everything that can be set, with its default |
| \`resources/\` | plain manifests, without parameters |
| \`patches/\` | applied in the order of their paths; the directories in it are yours to name |
| \`patches/**/X.yaml\` | beside \`X.kpatch\`: when it is applied, what it requires, what it conflicts with |
| \`examples/\` | parameters to build with; kurel does not read them by itself |

To customise the package, add a directory \`NAME.local.kurel\` next to it with its own \`parameters.yaml\` and \`patches/\`.
`,
    'parameters.yaml': `
# What the package is. \${kurel.name} and the like can be used as parameters too.
kurel:
  name: NAME
  version: 0.1.0
  appVersion: 1.29.1
  description: Say in one sentence what NAME is.

# What everything gets, by patches/00-base.kpatch.
global:
  labels:
    app.kubernetes.io/name: \${kurel.name}
    app.kubernetes.io/version: \${kurel.appVersion}
    app.kubernetes.io/managed-by: kurel

# How many pods there are.
replicas: 1

image:
  repository: docker.io/nginxinc/nginx-unprivileged
  tag: \${kurel.appVersion}

resources:
  requests: { cpu: 50m, memory: 64Mi }
  limits: { memory: 128Mi }

ingress:
  # Whether it can be reached from outside the cluster.
  enabled: false
  # The name it has there.
  host: NAME.example.com

# Whether its pods are spread over nodes, so that it survives the loss of one. Set replicas to 2 or more with it.
production: false
`,
    'resources/deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME
spec:
  selector:
    matchLabels:
      app: NAME
  template:
    metadata:
      labels:
        app: NAME
    spec:
      securityContext: { runAsNonRoot: true, runAsUser: 101 }
      containers:
        - name: NAME
          image: docker.io/nginxinc/nginx-unprivileged
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet: { path: /, port: http }
`,
    'resources/service.yaml': `
apiVersion: v1
kind: Service
metadata:
  name: NAME
spec:
  selector:
    app: NAME
  ports:
    - name: http
      port: 80
      targetPort: http
`,
    'resources/ingress.yaml': `
# Only built when patches/features/10-ingress.kpatch is enabled.
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: NAME
spec:
  rules:
    - host: NAME.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: NAME
                port: { name: http }
`,
    'patches/00-base.kpatch': `
# Entries before the first header are for every object.
metadata.labels: \${global.labels}

[deployment.NAME]
replicas: \${replicas}

[deployment.NAME.containers.name=NAME]
image: \${image.repository}:\${image.tag}
resources: \${resources}

# What is optional is off unless a feature switches it on.
[ingress.NAME]
enabled: false
`,
    'patches/features/10-ingress.kpatch': `
[ingress.NAME]
enabled: true
rules.0.host: \${ingress.host}
`,
    'patches/features/10-ingress.yaml': `
enabled: \${ingress.enabled}
description: Makes NAME reachable from outside the cluster.
`,
    'patches/profiles/10-production.kpatch': `
[deployment.NAME.topologySpreadConstraints[-]]
maxSkew: 1
topologyKey: kubernetes.io/hostname
whenUnsatisfiable: ScheduleAnyway
labelSelector.matchLabels.app: NAME
`,
    'patches/profiles/10-production.yaml': `
enabled: \${production}
description: Spreads the pods of NAME over nodes.
`,
    'examples/production.yaml': `
production: true
replicas: 3
ingress:
  enabled: true
  host: NAME.example.org
`,
  },
  application: {
    'README.md': `
# NAME

An application package: \`app.yaml\` says what runs, \`kurel.yaml\` what can be set. The platform says in a profile
of its own how a route or a certificate is made.

| | |
|---|---|
| \`kurel info NAME\` | parameters, and what it requires from the profile |
| \`kurel validate NAME --profile NAME/examples/cluster.yaml --values NAME/examples/production.yaml\` | validates everything |
| \`kurel build NAME --profile NAME/examples/cluster.yaml --values NAME/examples/production.yaml\` | prints the manifests |
| \`kurel explain NAME deployment.NAME --profile NAME/examples/cluster.yaml --values NAME/examples/production.yaml\` | shows where each field comes from |

| | |
|---|---|
| \`kurel.yaml\` | the parameters, with their types and defaults |
| \`app.yaml\` | components and their traits; \`\${image}\` and the like are parameters |
| \`patches/*.kpatch\` | optional: changes what no property offers |
| \`examples/\` | values and a profile to try it with; kurel does not read them by itself |
`,
    'kurel.yaml': `
apiVersion: launcher.gokure.dev/v1alpha1
kind: Package
metadata:
  name: NAME
  version: 0.1.0
  description: One sentence about NAME.
spec:
  parameters:
  - name: image
    type: string
    required: true
    description: Image with tag, such as registry.example.com/NAME:1.2.3
  - name: domain
    type: string
    required: true
    description: Host name, such as NAME.example.com
  - name: replicas
    type: integer
    default: 2
    minimum: 1
    description: Number of replicas
  - name: scaled
    type: boolean
    default: false
    description: Whether to scale with the load
`,
    'app.yaml': `
apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata:
  name: NAME
spec:
  components:
  - name: NAME
    type: webservice
    properties:
      image: \${image}
      port: 8080
      replicas: \${replicas}
      probes:
        readiness:
          httpGet:
            path: /
            port: http
    traits:
    - type: expose
      properties:
        rules:
        - host: \${domain}
          paths:
          - path: /
        tls:
        - secretName: \${name}-tls
          hosts:
          - \${domain}
    - type: certificate
      properties:
        secretName: \${name}-tls
        dnsNames:
        - \${domain}
    - type: scaler
      enabled: \${scaled}
      properties:
        minReplicas: \${replicas}
        maxReplicas: 10
`,
    'examples/production.yaml': `
image: registry.example.com/NAME:1.0.0
domain: NAME.example.com
replicas: 3
`,
    'examples/cluster.yaml': `
# What the operator of a platform writes once, for all applications on it.
apiVersion: launcher.gokure.dev/v1alpha1
kind: ClusterProfile
metadata:
  name: example
spec:
  capabilities:
    expose:
      rendering:
        controllerType: ingress
        ingressClassName: nginx
    certificate:
      rendering:
        issuerRef:
          name: letsencrypt
`,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The files of a new package: `NAME` is replaced by its name, in quotes where YAML would not read it as a string. */
export function fillTemplate(texts: Readonly<Record<string, string>>, name: string): readonly OutputFile[] {
  const value = yamlWords.test(name) ? `"${name}"` : name;
  return Object.entries(texts).map(([path, text]) => {
    const valued = path.endsWith('.yaml') ? text.replaceAll(/: NAME$/gm, `: ${value}`) : text;
    return { path, text: valued.slice(1).replaceAll('NAME', name) };
  });
}

/** Package names that some YAML readers do not read as strings. */
const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/;
