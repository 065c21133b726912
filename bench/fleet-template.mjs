/** The objects of a target of the fleet as a template of a chart, with the name of the release as the name of the application. */
export const fleetTemplate = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: {{ .Release.Namespace }}, labels: { app: web } }
spec:
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      serviceAccountName: web
      containers:
      - name: web
        image: {{ .Values.image }}
        imagePullPolicy: IfNotPresent
        ports:
        - { name: http, containerPort: 8080, protocol: TCP }
        env:
        - { name: LOG_LEVEL, value: {{ .Values.level }} }
        resources:
          requests: { cpu: 100m, memory: 128Mi }
          limits: { memory: 128Mi }
        readinessProbe:
          httpGet: { path: /ready, port: http }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: {{ .Release.Namespace }}, labels: { app: web } }
spec:
  type: ClusterIP
  selector: { app: web }
  ports:
  - { name: http, port: 8080, targetPort: 8080, protocol: TCP }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: web, namespace: {{ .Release.Namespace }}, labels: { app: web } }
automountServiceAccountToken: false
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web-ingress
  namespace: {{ .Release.Namespace }}
  labels: { app: web }
  annotations:
    cert-manager.io/cluster-issuer: letsencrypt
spec:
  ingressClassName: nginx
  tls:
  - hosts: [{{ .Release.Name }}.{{ .Values.domain }}]
    secretName: web-tls
  rules:
  - host: {{ .Release.Name }}.{{ .Values.domain }}
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: web
            port: { number: 8080 }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: {{ .Release.Namespace }}, labels: { app: web } }
data:
  app.conf: |
    level={{ .Values.level }}
    domain={{ .Values.domain }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web-hpa, namespace: {{ .Release.Namespace }}, labels: { app: web } }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: {{ .Values.replicas }}
  maxReplicas: 5
  metrics:
  - type: Resource
    resource:
      name: cpu
      target: { type: Utilization, averageUtilization: 80 }
`;
