{{- define "deep.name" -}}
{{ fail "no name" }}
{{- end }}
