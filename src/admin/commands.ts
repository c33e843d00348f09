// Where the command line begins. Only the tables are loaded here: `hostyard --help` and a customer's call must not wait for
// the server's code.
import { processShell } from '#cli/shell.ts';
import { customerCommands } from '#cli/customer-commands.ts';
import { runProgram } from '#cli/program.ts';
import { localCommands } from './local-commands.ts';

process.exitCode = await runProgram(
  process.argv.slice(2),
  [
    { heading: 'Your services:', table: customerCommands },
    { heading: 'On the server itself:', table: localCommands },
  ],
  processShell(),
);
