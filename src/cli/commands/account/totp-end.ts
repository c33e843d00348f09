// hostyard account totp end: with the password, typed unseen or on standard input.
import { askedSecretly } from '../../ask.ts';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) => {
    await client.totpEnd({ password: await askedSecretly(shell, 'Password: ') });
    await show.word('Signing in needs no code any more.');
  });
