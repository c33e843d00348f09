// hostyard doctor, told to people line by line or to programs as JSON. It ends with 1 where something is wrong; a warning is
// something to see to, and nothing that stops.
import { Option, type Command } from 'commander';
import type { Finding } from '#app/doctor/check.ts';
import { CommandError } from '#cli/exit-codes.ts';
import { readConfig } from '#kernel/config.ts';
import { say } from './command-line.ts';
import { diagnose } from './doctor/doctor.ts';
import { thisMachine } from './doctor/machine.ts';

const marks = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const;

export function doctor(command: Command): void {
  command
    .addOption(new Option('-o, --output <form>', 'how it is told').choices(['table', 'json']).default('table'))
    .action(async ({ output }: { output: 'table' | 'json' }) => {
      const findings = await diagnose({ config: readConfig(process.env), machine: thisMachine });
      const faults = findings.filter(({ state }) => state === 'fault').length;
      if (output === 'json') say(JSON.stringify({ healthy: faults === 0, findings }, null, 2));
      else for (const line of linesOf(findings)) say(line);
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
