/** The completion script of each shell. All of them ask `kurel __complete`, which knows the package on the command line. */
export const scripts = {
  bash: `# kurel completion for bash
_kurel() {
  local -a lines
  local line
  COMPREPLY=()
  mapfile -t lines < <(kurel __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  for line in "\${lines[@]}"; do
    case "$line" in
      :end) ;;
      :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *[=.] ]]; then compopt -o nospace; fi
}
complete -F _kurel kurel
`,
  zsh: `#compdef kurel
# kurel completion for zsh
_kurel() {
  local line files=0
  local -a described
  for line in "\${(@f)$(kurel __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :end|'') ;;
      :files) files=1 ;;
      *) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( files )) && _files
  (( \${#described} )) && _describe kurel described
}
compdef _kurel kurel
`,
  fish: `# kurel completion for fish
function __kurel_complete
  set -l words (commandline -opc)[2..-1]
  for line in (kurel __complete $words (commandline -ct) 2>/dev/null)
    switch $line
      case :end
      case :files
        __fish_complete_path (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c kurel -f -a '(__kurel_complete)'
`,
  powershell: `# kurel completion for PowerShell
Register-ArgumentCompleter -Native -CommandName kurel -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '""' }
  kurel __complete @words 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`,
} as const;

export type Shell = keyof typeof scripts;
