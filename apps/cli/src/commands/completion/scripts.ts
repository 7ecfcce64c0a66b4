export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

export const COMPLETE_COMMAND = '__complete';

/** The output that tells a script to let the shell complete file names. */
export const FILES = ':files';

// The typed text is never evaluated: it is passed to roster as words. bash also splits words at `=` and `:`, and expects
// only the part after the last split.
const bash = `# bash completion for roster
_roster() {
  local rest="$COMP_LINE" word candidate last=-1 i
  local -a words=() candidates=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if ((last < 0)) || [[ "$rest" == [[:space:]]* ]]; then
      last=$((last + 1))
      words[last]=""
    fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    rest="\${rest#"$word"}"
    words[last]+="$word"
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    if [[ "$candidate" == ${FILES} ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    candidates+=("$candidate")
  done < <(roster ${COMPLETE_COMMAND} -- "\${words[@]:1}" 2>/dev/null)
  local current="\${words[last]}"
  local cut="\${current%"\${current##*[=:]}"}"
  for candidate in "\${candidates[@]}"; do COMPREPLY+=("\${candidate#"$cut"}"); done
}
complete -F _roster roster
`;

const zsh = `#compdef roster
# zsh completion for roster
_roster() {
  local -a lines described
  local line
  lines=("\${(@f)$(roster ${COMPLETE_COMMAND} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$lines[1]" == ${FILES} ]]; then
    _files
    return
  fi
  for line in $lines; do
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe roster described
}
if [[ "\${funcstack[1]}" == _roster ]]; then
  _roster "$@"
else
  compdef _roster roster
fi
`;

const fish = `# fish completion for roster
function __roster_complete
  set -l words (commandline -opc)
  set -l candidates (roster ${COMPLETE_COMMAND} -- $words[2..-1] (commandline -ct) 2>/dev/null)
  if test "$candidates[1]" = ${FILES}
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $candidates
  end
end
complete -c roster -f -k -a '(__roster_complete)'
`;

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
