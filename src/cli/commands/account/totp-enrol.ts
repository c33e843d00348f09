// hostyard account totp enrol: a secret for an app, and at once its first code, so that nobody is left half way.
import { asked } from '../../ask.ts';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) => {
    const { secret, url } = await client.totpEnrol();
    shell.err.write(`Give this to your app: ${secret}\nor, as a link: ${url}\n`);
    const code = (await asked(shell, 'Code that it shows: ')).trim();
    await client.totpConfirm({ code });
    await show.word('From now on signing in with the password needs a code.');
  });
