// hostyard doctor, told to people line by line or to programs as JSON or YAML. It ends with 1 where something is wrong; a
// warning is something to see to, and nothing that stops.
import type { Command } from 'commander';
import type { Finding } from '#app/doctor/check.ts';
import { CommandError } from '#cli/exit-codes.ts';
import { showOn, type Format } from '#cli/output/show.ts';
import type { Shell } from '#cli/shell.ts';
import { readConfig } from '#kernel/config.ts';
import { diagnose } from '../doctor/doctor.ts';
import { thisMachine } from '../doctor/machine.ts';

const marks = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const;

export function doctor(command: Command, shell: Shell): void {
  command.action(async () => {
    const findings = await diagnose({ config: readConfig(process.env), machine: thisMachine });
    const faults = findings.filter(({ state }) => state === 'fault').length;
    const show = showOn(shell, command.optsWithGlobals<{ output: Format }>().output);
    await show.drawn({ healthy: faults === 0, findings }, () => `${linesOf(findings).join('\n')}\n`);
    if (faults > 0) throw new CommandError(`${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong.`);
  });
}

function linesOf(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.flatMap(({ check, state, says, mend }) => [
    `${marks[state]}  ${check.padEnd(width)}  ${says}`,
    ...(mend === undefined ? [] : [`${' '.repeat(marks[state].length + width + 4)}-> ${mend}`]),
  ]);
}
