import type { Command } from '../command.ts';
import { flagsOf } from './flags-of.ts';

export function bashCompletion(commands: readonly Command[]): string {
  return `# kurel completion for bash; load with: source <(kurel completion bash)
_kurel() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "$command:$previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$command" in
${commands.map(commandCase).join('\n')}
  esac
}
complete -F _kurel kurel
`;
}

function valueCases(command: Command): string[] {
  return flagsOf(command)
    .filter(({ type }) => type !== 'switch')
    .map(({ name, short, choices, completes }) => {
      const patterns = [`${command.name}:--${name}`, ...(short === undefined ? [] : [`${command.name}:-${short}`])];
      const reply = choices !== undefined ? words(choices) : completes === 'path' ? paths : '';
      return `    ${patterns.join('|')}) ${reply}${reply === '' ? '' : '; '}return ;;`;
    });
}

function commandCase(command: Command): string {
  const flags = flagsOf(command).map(({ name }) => `--${name}`);
  const [first, second] = command.arguments.map(reply);
  const other = second === undefined ? (first ?? ':') : `if [[ $COMP_CWORD -eq 2 ]]; then ${first}; else ${second}; fi`;
  return `    ${command.name}) if [[ "$current" == -* ]]; then ${words(flags)}; else ${other}; fi ;;`;
}

function reply({ choices, completes }: Command['arguments'][number]): string {
  if (choices !== undefined) return words(choices);
  return completes === 'path' ? paths : ':';
}

const paths = 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current")';

function words(list: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$current"))`;
}
