import type { Command } from '../command.ts';
import { flagsOf, quoteForShell } from './flags-of.ts';
import type { CompletedFlag } from './flags-of.ts';

export function zshCompletion(commands: readonly Command[]): string {
  return `#compdef kurel
# kurel completion for zsh; load with: source <(kurel completion zsh)
_kurel() {
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(${commands.map(({ name, summary }) => quoteForShell(`${name}:${summary}`)).join(' ')})
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(commandCase).join('\n')}
  esac
}
compdef _kurel kurel
`;
}

function commandCase(command: Command): string {
  const specs = flagsOf(command).map(flagSpec);
  for (const [index, argument] of command.arguments.entries()) {
    const isLast = index === command.arguments.length - 1;
    specs.push(quoteForShell(`${isLast ? '*' : index + 1}:${argument.name}:${action(argument)}`));
  }
  return `    ${command.name}) shift words; (( CURRENT-- )); _arguments ${specs.join(' ')} ;;`;
}

function flagSpec(flag: CompletedFlag): string {
  const summary = flag.summary.replaceAll(/[[\]:]/g, String.raw`\$&`);
  const value = flag.type === 'switch' ? '' : `:${flag.placeholder ?? 'VALUE'}:${action(flag)}`;
  return quoteForShell(`${flag.type === 'list' ? '*' : ''}--${flag.name}[${summary}]${value}`);
}

function action({ choices, completes }: { readonly choices?: readonly string[]; readonly completes?: 'path' }): string {
  if (choices !== undefined) return `(${choices.join(' ')})`;
  return completes === 'path' ? '_files' : ' ';
}
