// hostyard contact add: answers the id of the new contact. Its password is asked for, or read from standard input.
import { askedSecretly } from '../../ask.ts';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

const required = ['firstname', 'lastname', 'email', 'address1', 'city', 'state', 'zipcode', 'country'] as const;
const optional = ['company', 'phone', 'address2'] as const;
type Options = Readonly<Record<(typeof required)[number], string>> &
  Readonly<Partial<Record<(typeof optional)[number], string>>>;

export const define: Define = (command, shell) => {
  for (const name of required) command.requiredOption(`--${name} <text>`);
  for (const name of optional) command.option(`--${name} <text>`);
  onCall(command, shell, async ({ client, show }, options: Options) => {
    const password = await askedSecretly(shell, 'Password of the contact: ');
    await show.word((await client.contactCreate({ ...options, password })).contactid);
  });
};
