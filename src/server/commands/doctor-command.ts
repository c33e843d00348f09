// hostyard doctor: prints the findings as lines, JSON or YAML. It exits with 1 if there is a fault; warnings do not count.
import type { Command } from 'commander';
import type { Finding } from '#app/doctor/check.ts';
import { CommandError } from '#cli/exit-codes.ts';
import { createPrinter, type Format } from '#cli/output/printer.ts';
import type { Shell } from '#cli/shell.ts';
import { readConfig } from '#lib/config.ts';
import { countText } from '#lib/count-text.ts';
import { diagnose } from '../doctor/doctor.ts';
import { thisMachine } from '../doctor/machine.ts';

const marks = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const;

export function doctor(command: Command, shell: Shell): void {
  command.action(async () => {
    const findings = await diagnose({ config: readConfig(process.env), machine: thisMachine });
    const faults = findings.filter(({ state }) => state === 'fault').length;
    const print = createPrinter(shell, command.optsWithGlobals<{ output: Format }>().output);
    await print.value(
      { healthy: faults === 0, findings: findings.map(outputOf) },
      () => `${findingLines(findings).join('\n')}\n`,
    );
    if (faults > 0) throw new CommandError(`${countText(faults, 'fault')} found.`);
  });
}

/** Programs read these field names, so they stay. */
function outputOf({ check, state, message, fix }: Finding) {
  return { check, state, says: message, ...(fix === undefined ? {} : { mend: fix }) };
}

function findingLines(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.flatMap(({ check, state, message, fix }) => [
    `${marks[state]}  ${check.padEnd(width)}  ${message}`,
    ...(fix === undefined ? [] : [`${' '.repeat(marks[state].length + width + 4)}-> ${fix}`]),
  ]);
}
