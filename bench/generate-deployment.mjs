/** Nothing in it points to another object, so that all programs check the same: fields. */
export function generateDeployment(index) {
  const variables = Array.from(
    { length: 8 },
    (_, at) => `            - name: SETTING_${at}\n              value: "${index * 31 + at}"\n`,
  );
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index}
  labels:
    app.kubernetes.io/name: app-${index}
    app.kubernetes.io/part-of: suite-${index % 12}
  annotations:
    example.com/owner: "team-${index % 40}@example.com"
spec:
  replicas: ${(index % 5) + 1}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 25%
      maxSurge: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: app-${index}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-${index}
    spec:
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
      containers:
        - name: main
          image: registry.example.com/team-${index % 40}/app-${index}:1.${index % 20}.${index % 7}
          args: ["--listen=:8080", "--log-level=info"]
          ports:
            - name: http
              containerPort: 8080
          env:
${variables.join('')}          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
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
            - name: cache
              mountPath: /var/cache/app
      volumes:
        - name: cache
          emptyDir:
            sizeLimit: 1Gi
`;
}
