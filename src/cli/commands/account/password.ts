// hostyard account password: one's own, for who has signed in with it. Both are typed unseen, or come on standard input.
import { askedSecretly } from '../../ask.ts';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) => {
    const password = await askedSecretly(shell, 'Present password: ');
    const newpassword = await askedSecretly(shell, 'New password: ');
    await client.passwordSet({ password, newpassword });
    await show.word('The password is changed; other sessions have ended.');
  });
