{{- define "parley.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "parley.host" -}}
{{ (urlParse .Values.publicUrl).host }}
{{- end }}

{{- /* The setting `kubernetes`: the Jobs run this image, and go by the release's name. */ -}}
{{- define "parley.jobs" -}}
{{- $image := printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- $name := include "parley.name" . -}}
{{- $jobs := dict "image" $image "name" $name "service_account" (printf "%s-calls" $name) "pull_policy" .Values.image.pullPolicy -}}
{{- $_ := set $jobs "cpu" .Values.jobs.cpu -}}
{{- $_ := set $jobs "most_cpu" .Values.jobs.mostCpu -}}
{{- $_ := set $jobs "memory" .Values.jobs.memory -}}
{{- $_ := set $jobs "start_s" .Values.jobs.startSeconds -}}
{{- $_ := set $jobs "most_s" .Values.jobs.mostSeconds -}}
{{- $_ := set $jobs "node_selector" .Values.jobs.nodeSelector -}}
{{- $_ := set $jobs "tolerations" .Values.jobs.tolerations -}}
{{- toJson $jobs -}}
{{- end }}

{{- /* The model list: what the values say, and LiteLLM's proxy. */ -}}
{{- define "parley.models" -}}
{{- if and .Values.models .Values.litellm.url }}{{ fail "Set either models or litellm.url: a model list can name LiteLLM's proxy itself." }}{{ end }}
{{- if .Values.litellm.url }}
providers:
  - {id: litellm, connector: openai, base_url: {{ .Values.litellm.url | quote }}, api_key: "${LITELLM_KEY:-}"}
models:
{{- range .Values.litellm.models }}
  - {id: {{ . | replace "/" "-" | quote }}, routes: [{provider: litellm, model: {{ . | quote }}}]}
{{- end }}
{{- else }}{{ .Values.models }}{{ end }}
{{- end }}
