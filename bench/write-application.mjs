import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeTree } from './write-tree.mjs';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

/** An application package of many webservices, each with expose, and profiles with an Ingress and with a Gateway for it. */
export function writeApplication(directory, count) {
  const application = join(directory, 'application');
  const profile = join(directory, 'profile.yaml');
  const components = Array.from({ length: count }, (_, index) => writeComponent(index));
  writeTree(application, {
    'app.yaml': `${head}kind: Application\nmetadata:\n  name: bench\n  namespace: bench\nspec:\n  components:\n${components.join('')}`,
  });
  writeFileSync(profile, profileText);
  const gatewayProfile = join(directory, 'gateway.yaml');
  writeFileSync(gatewayProfile, gatewayText);
  return { application, profile, gatewayProfile };
}

/** Of a webservice, here and in the chart. */
export const imageOf = (index) => `registry.example.com/team-${index % 40}/web-${index}:1.${index % 20}.0`;

function writeComponent(index) {
  return `  - name: web-${index}
    type: webservice
    properties:
      image: ${imageOf(index)}
      port: 8080
      replicas: ${(index % 4) + 1}
      env:
      - name: LOG_LEVEL
        value: info
      - name: POD_NAME
        valueFrom:
          fieldRef:
            fieldPath: metadata.name
      resources:
        requests:
          cpu: 100m
          memory: 128Mi
      probes:
        readiness:
          httpGet:
            path: /ready
            port: http
    traits:
    - type: expose
      properties:
        rules:
        - host: web-${index}.example.com
          paths:
          - path: /
            port: 8080
`;
}

const writeProfile = (rendering) => `${head}kind: ClusterProfile
metadata:
  name: bench
spec:
  capabilities:
    expose:
      rendering:
${rendering}`;

const gatewayText = writeProfile(`        controllerType: gateway
        gatewayName: public
        gatewayNamespace: gateways
        allowedHostnameWildcard: "*.example.com"
`);

const profileText = writeProfile(`        controllerType: ingress
        ingressClassName: nginx
        certManagerClusterIssuer: letsencrypt
`);
