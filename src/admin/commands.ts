// Where the command line begins. Only the tables are loaded here: `hostyard --help` and a customer's call must not wait for
// the server's code.
import { runProgram } from '#cli/program.ts';
import { processShell } from '#cli/shell.ts';
import { sections } from './sections.ts';

process.exitCode = await runProgram(process.argv.slice(2), sections, processShell());
