import { Argument, type Command } from 'commander';
import { joined, shown, visible } from '../../../base/text.ts';
import type { Context } from '../../context.ts';

export function completionCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Print a completion script for commands, flags, coins, networks, open orders and profiles. It reads only local files.',
    )
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices([...SHELLS]))
    .addHelpText(
      'after',
      `
Add one of these to ~/.bashrc, to ~/.zshrc after compinit, or to ~/.config/fish/config.fish.

Examples:
  $ source <(swapctl completion bash)
  $ source <(swapctl completion zsh)
  $ swapctl completion fish | source`,
    )
    .action((shell: Shell) => runCompletion(context(), shell));
}

/** Prints the script of a shell. */
export async function runCompletion({ streams }: Context, shell: Shell): Promise<void> {
  const script = SCRIPTS[shell];
  if (streams.format === 'json') return streams.printLine({ shell, script });
  await streams.write(joined(script.split('\n').map(visible), shown`\n`));
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Name of a shell with a completion script. */
export type Shell = (typeof SHELLS)[number];

// None of the scripts evaluates outside text: no eval, no `compgen -W`, no expansion of an answer.
const BASH = `# Completion of swapctl for bash: source <(swapctl completion bash)
_swapctl() {
  local line word kept
  local typed=\${COMP_LINE:0:COMP_POINT}
  COMPREPLY=()
  # Bash breaks words at = and : and completes only what is behind the last of them.
  word=\${typed##*[[:space:]]}
  kept=
  [[ $COMP_WORDBREAKS == *:* && $word == *:* ]] && kept=\${word%:*}:
  [[ $COMP_WORDBREAKS == *=* && \${word#"$kept"} == *=* ]] && kept=\${word%=*}=
  {
    IFS= read -r line || return
    if [[ $line == files ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    while IFS= read -r line; do
      COMPREPLY+=("\${line:\${#kept}}")
    done
  } < <(command swapctl __complete bash "$typed" 2>/dev/null)
}
complete -F _swapctl swapctl
`;

const ZSH = String.raw`#compdef swapctl
# Completion of swapctl for zsh: source <(swapctl completion zsh), or as a file _swapctl in a folder of $fpath.
_swapctl() {
  local line
  local -a lines values told
  lines=("${'$'}{(@f)$(command swapctl __complete zsh swapctl "${'$'}{(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  if [[ $lines[1] == files ]]; then
    _files
    return
  fi
  for line in "${'$'}{(@)lines[2,-1]}"; do
    [[ -n $line ]] || continue
    values+=("${'$'}{line%%$'\t'*}")
    told+=("${'$'}{line/$'\t'/  -- }")
  done
  (( $#values )) || return 1
  compadd -M 'm:{a-zA-Z}={A-Za-z}' -l -d told -a values
}
if [[ $funcstack[1] == _swapctl ]]; then
  _swapctl "$@"
else
  compdef _swapctl swapctl
fi
`;

const FISH = String.raw`# Completion of swapctl for fish: swapctl completion fish | source
function __swapctl_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command swapctl __complete fish $before "$current" 2>/dev/null)
    set -q lines[1]; or return
    if test "$lines[1]" = files
        __fish_complete_path "$current"
        return
    end
    set -e lines[1]
    set -q lines[1]; and printf '%s\n' $lines
end
complete -c swapctl -e
complete -c swapctl -f -a '(__swapctl_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
