import type { PackageTemplate } from '../form-types.ts';

export const template: PackageTemplate = {
  flags: ' --profile PATH/examples/cluster.yaml --values PATH/examples/production.yaml',
  files: {
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
};
