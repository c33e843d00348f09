// The completion scripts. They call `hostyard __complete` for every completion.
export const completionScripts = {
  bash: `# bash completion for hostyard: source <(hostyard completion bash)
_hostyard() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <("$1" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _hostyard hostyard
`,
  zsh: `#compdef hostyard
# zsh completion for hostyard: source <(hostyard completion zsh), after compinit
_hostyard() {
  local word about
  local -a found
  while IFS=$'\\t' read -r word about; do
    found+=("\${word//:/\\\\:}:$about")
  done < <("$words[1]" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe -t values hostyard found; else _files; fi
}
if [[ "$funcstack[1]" == _hostyard ]]; then _hostyard "$@"; else compdef _hostyard hostyard; fi
`,
  fish: `# fish completion for hostyard: hostyard completion fish | source
function __hostyard_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] __complete $words[2..-1] "$current" 2>/dev/null
end
complete -c hostyard -f -a '(__hostyard_complete)'
`,
} as const;
