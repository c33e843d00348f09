// The entry point of the command line. It loads only names and summaries: `hostyard --help` and a customer's command must not
// wait for the server's code.
import { runProgram } from '#cli/program.ts';
import { processShell } from '#cli/shell.ts';
import { program } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2), program, processShell());
