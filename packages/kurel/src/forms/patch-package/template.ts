import type { PackageTemplate } from '../form-types.ts';

export const template: PackageTemplate = {
  files: {
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
};
