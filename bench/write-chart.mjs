import { join } from 'node:path';

import { imageOf } from './write-application.mjs';
import { writeTree } from './write-tree.mjs';

/** A chart that gives the same objects, from values that say as much as the application does. */
export function writeChart(directory, count) {
  return {
    chart: writeOne(join(directory, 'chart'), count, ingress),
    gatewayChart: writeOne(join(directory, 'gateway-chart'), count, route),
  };
}

function writeOne(chart, count, access) {
  const values = Array.from({ length: count }, (_, index) => writeValue(index));
  writeTree(chart, {
    'Chart.yaml': 'apiVersion: v2\nname: bench\nversion: 1.0.0\n',
    'values.yaml': `namespace: bench\nwebservices:\n${values.join('')}`,
    'templates/webservices.yaml': `${workload}${access}{{- end }}\n`,
  });
  return chart;
}

function writeValue(index) {
  return `- name: web-${index}
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
    limits:
      memory: 128Mi
  readiness:
    httpGet:
      path: /ready
      port: http
  host: web-${index}.example.com
`;
}

const workload = `{{- range .Values.webservices }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  namespace: {{ $.Values.namespace }}
  labels:
    app: {{ .name }}
spec:
  replicas: {{ .replicas }}
  selector:
    matchLabels:
      app: {{ .name }}
  template:
    metadata:
      labels:
        app: {{ .name }}
    spec:
      serviceAccountName: {{ .name }}
      {{- if gt (int .replicas) 1 }}
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: kubernetes.io/hostname
        whenUnsatisfiable: DoNotSchedule
        labelSelector:
          matchLabels:
            app: {{ .name }}
      {{- if gt (int .replicas) 2 }}
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: ScheduleAnyway
        labelSelector:
          matchLabels:
            app: {{ .name }}
      {{- end }}
      {{- end }}
      containers:
      - name: {{ .name }}
        image: {{ .image }}
        imagePullPolicy: IfNotPresent
        ports:
        - name: http
          containerPort: {{ .port }}
          protocol: TCP
        env:
        {{- toYaml .env | nindent 8 }}
        resources:
          {{- toYaml .resources | nindent 10 }}
        readinessProbe:
          {{- toYaml .readiness | nindent 10 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  namespace: {{ $.Values.namespace }}
  labels:
    app: {{ .name }}
spec:
  type: ClusterIP
  selector:
    app: {{ .name }}
  ports:
  - name: http
    port: {{ .port }}
    targetPort: {{ .port }}
    protocol: TCP
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  namespace: {{ $.Values.namespace }}
  labels:
    app: {{ .name }}
automountServiceAccountToken: false
---
`;

const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .name }}-ingress
  namespace: {{ $.Values.namespace }}
  labels:
    app: {{ .name }}
  annotations:
    cert-manager.io/cluster-issuer: letsencrypt
spec:
  ingressClassName: nginx
  tls:
  - hosts:
    - {{ .host }}
    secretName: {{ .name }}-tls
  rules:
  - host: {{ .host }}
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: {{ .name }}
            port:
              number: {{ .port }}
---
`;

const route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ .name }}
  namespace: {{ $.Values.namespace }}
  labels:
    app: {{ .name }}
spec:
  parentRefs:
  - name: public
    namespace: gateways
  hostnames:
  - {{ .host }}
  rules:
  - matches:
    - path:
        type: PathPrefix
        value: /
    backendRefs:
    - name: {{ .name }}
      port: {{ .port }}
---
`;
