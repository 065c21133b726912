// Deployments with a comment wherever people write one. The same number gives the same text.

export function generateCommented(count) {
  return Array.from({ length: count }, (_, index) => writeCommented(index)).join('---\n');
}

function writeCommented(index) {
  return `# app-${index}: owned by team-${index % 40}
# Ask there before you change it.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index} # also the name of its Service
  namespace: team-${index % 40}
  labels:
    # What the dashboards select.
    app: app-${index}
spec:
  # Two are enough at night.
  replicas: ${(index % 5) + 1} # see the autoscaler
  selector:
    matchLabels:
      app: app-${index}
  template:
    metadata:
      labels:
        app: app-${index} # the same as above
    spec:
      containers:
        # The program itself.
        - name: main
          image: registry.example.com/team-${index % 40}/app-${index}:1.${index % 20}.0 # pinned
          args: ["--listen=:8080", "--log-level=info"] # flow style on purpose
          ports:
            - name: http
              containerPort: 8080 # not 80: no privileges
          env:
            # Settings, in the order of the manual.
            - name: SETTING
              value: "${index * 31}"
            - name: MODE
              value: 'on' # a text, not a boolean
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi # no CPU limit on purpose
        # Sends the logs away.
        - name: logs
          image: registry.example.com/logs:2.1.0
      # Ends quickly.
      terminationGracePeriodSeconds: 5
`;
}
