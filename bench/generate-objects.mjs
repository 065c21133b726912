// Manifests as people have them: mixed kinds, some comments, about 1.5 KB each. The same count gives the same text. Eight objects
// in a row belong together and refer to one another only, so that validation has something to follow and finds nothing wrong.

const kinds = [deployment, service, configMap, ingress, cronJob, deployment, secret, networkPolicy];

export function generateObjects(count) {
  const documents = [];
  for (let index = 0; index < count; index += 1) documents.push(kinds[index % kinds.length](index));
  return documents.join('---\n');
}

/** The smallest manifests that people have many of, about 260 bytes each. */
export function generateConfigMaps(count) {
  return Array.from(
    { length: count },
    (_, index) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-${index}
  namespace: ${team(index)}
  labels:
    app.kubernetes.io/name: settings-${index}
    app.kubernetes.io/part-of: suite-${index % 12}
data:
  LOG_LEVEL: info
  LISTEN: ":8080"
  TIMEOUT: "${index % 60}s"
`,
  ).join('---\n');
}

/** The object of the same application that comes at this place in `kinds`. */
function sibling(index, place) {
  return `app-${index - (index % kinds.length) + place}`;
}

export function team(index) {
  return `team-${Math.floor(index / kinds.length) % 40}`;
}

function metadata(index, indent = '') {
  return `metadata:
${indent}  name: app-${index}
${indent}  namespace: ${team(index)}
${indent}  labels:
${indent}    app.kubernetes.io/name: app-${index}
${indent}    app.kubernetes.io/part-of: suite-${index % 12}
${indent}    tier: ${['frontend', 'backend', 'batch'][index % 3]}
${indent}  annotations:
${indent}    example.com/owner: "${team(index)}@example.com"
${indent}    example.com/runbook: https://runbooks.example.com/app-${index}
`;
}

function container(index) {
  const variables = Array.from(
    { length: 8 },
    (_, at) => `            - name: SETTING_${at}\n              value: "${index * 31 + at}"\n`,
  );
  return `        - name: main
          image: registry.example.com/${team(index)}/app-${index}:1.${index % 20}.${index % 7}
          args: ["--listen=:8080", "--log-level=info"]
          ports:
            - name: http
              containerPort: 8080
            - name: metrics
              containerPort: 9090
          env:
${variables.join('')}            - name: PASSWORD
              valueFrom:
                secretKeyRef:
                  name: ${sibling(index, 6)}
                  key: password
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi # no CPU limit on purpose
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /live
              port: http
            initialDelaySeconds: 10
          volumeMounts:
            - name: config
              mountPath: /etc/app
              readOnly: true
`;
}

function deployment(index) {
  return `# app-${index}: owned by ${team(index)}
apiVersion: apps/v1
kind: Deployment
${metadata(index)}spec:
  replicas: ${(index % 5) + 1}
  selector:
    matchLabels:
      app.kubernetes.io/name: app-${index}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-${index}
    spec:
      serviceAccountName: default
      containers:
${container(index)}      volumes:
        - name: config
          configMap:
            name: ${sibling(index, 2)}
`;
}

function service(index) {
  return `apiVersion: v1
kind: Service
${metadata(index)}spec:
  selector:
    app.kubernetes.io/name: ${sibling(index, 0)}
  ports:
    - name: http
      port: 80
      targetPort: http
    - name: metrics
      port: 9090
      targetPort: 9090
`;
}

function configMap(index) {
  const lines = Array.from({ length: 24 }, (_, at) => `    setting.${at}.name = value number ${at * index}\n`);
  return `apiVersion: v1
kind: ConfigMap
${metadata(index)}data:
  app.properties: |
${lines.join('')}  mode: "on"
  timeout: "30"
`;
}

function ingress(index) {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
${metadata(index)}spec:
  ingressClassName: nginx
  tls:
    - hosts: [app-${index}.example.com]
  rules:
    - host: app-${index}.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: ${sibling(index, 1)}
                port:
                  name: http
`;
}

function cronJob(index) {
  return `apiVersion: batch/v1
kind: CronJob
${metadata(index)}spec:
  schedule: "${index % 60} 3 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          containers:
${container(index).replaceAll(/^/gm, '    ').trimEnd()}
          volumes:
            - name: config
              configMap:
                name: ${sibling(index, 2)}
`;
}

function secret(index) {
  return `apiVersion: v1
kind: Secret
${metadata(index)}type: Opaque
stringData:
  password: "change-me-${index}"
  certificate: |
${Array.from({ length: 20 }, (_, at) => `    ${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(2)}${at}\n`).join('')}`;
}

function networkPolicy(index) {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
${metadata(index)}spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: ${sibling(index, 0)}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: team-${(index + 1) % 40}
      ports:
        - protocol: TCP
          port: 8080
`;
}
