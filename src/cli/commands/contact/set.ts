// hostyard contact set: changes what is given of a contact.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

const members = [
  'firstname',
  'lastname',
  'email',
  'company',
  'phone',
  'address1',
  'address2',
  'city',
  'state',
  'zipcode',
  'country',
] as const;

export const define: Define = (command, shell) => {
  for (const name of members) command.option(`--${name} <text>`);
  onCall(command, shell, async ({ client, show }, options: Partial<Record<(typeof members)[number], string>>, id) => {
    await client.contactUpdate({ id: id!, ...options });
    await show.word('The contact is changed.');
  });
};
