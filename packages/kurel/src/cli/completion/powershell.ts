import type { Command } from '../command.ts';
import { flagsOf } from './flags-of.ts';

export function powershellCompletion(commands: readonly Command[]): string {
  return `# kurel completion for PowerShell; load with: kurel completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName kurel -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $previous = if ($word -eq '') { $words[-1] } elseif ($words.Count -ge 2) { $words[-2] } else { '' }
  $command = if ($words.Count -ge 2) { $words[1] } else { '' }
  $atCommand = $words.Count -eq 1 -or ($words.Count -eq 2 -and $word -ne '')
  $found = if ($atCommand) { @(${list(commands.map(({ name }) => name))}) } else {
    switch ("$command $previous") {
${commands.flatMap(valueCases).join('\n')}
      default {
        switch ($command) {
${commands.map(commandCase).join('\n')}
        }
      }
    }
  }
  $found | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function valueCases(command: Command): string[] {
  return flagsOf(command).flatMap(({ name, choices }) =>
    choices === undefined ? [] : [`      '${command.name} --${name}' { @(${list(choices)}) }`],
  );
}

function commandCase(command: Command): string {
  const [argument] = command.arguments;
  const words = [...(argument?.choices ?? []), ...flagsOf(command).map(({ name }) => `--${name}`)];
  return `          '${command.name}' { @(${list(words)}) }`;
}

function list(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ');
}
