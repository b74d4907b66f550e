{{- define "barograph.labels" -}}
app.kubernetes.io/name: barograph
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "barograph.scheme" -}}
{{- if .Values.tls.secretName }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}
