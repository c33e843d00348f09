// The whole command line: commands that use the API, and commands that run on the server itself.
import { customerCommands } from '#cli/customer-commands.ts';
import type { Program } from '#cli/program.ts';
import { version } from '#lib/version.ts';
import { localCommands } from './local-commands.ts';

export const program: Program = {
  version,
  sections: [
    { heading: 'Your services:', commands: customerCommands },
    { heading: 'On the server itself:', commands: localCommands },
  ],
};
