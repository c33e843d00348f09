// The command line whole: what goes through the API, and what runs beside the server.
import { customerCommands } from '#cli/customer-commands.ts';
import type { Section } from '#cli/program.ts';
import { localCommands } from './local-commands.ts';

export const sections: readonly Section[] = [
  { heading: 'Your services:', table: customerCommands },
  { heading: 'On the server itself:', table: localCommands },
];
