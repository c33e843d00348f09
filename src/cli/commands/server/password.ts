// hostyard server password: a new root password. A virtual machine has it at once; a dedicated server is booted into the rescue
// system for it, and has it when that has ended.
import { confirmed } from '../../ask.ts';
import { onCall, withWait, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import { awaited } from '../../waiting.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withWait(withYes(command));
  onCall(command, shell, async (session, options: { wait?: boolean; yes?: boolean }, name: string) => {
    const { client, show } = session;
    const { service, hostname, type } = await deviceNamed(client, name);
    const restarts = type === 'dedicated' ? ' The server is restarted twice for it.' : '';
    await confirmed(shell, `Give root of ${hostname} (service ${service}) a new password?${restarts}`, options);
    await awaited(
      session,
      shell,
      { ...options, service, operation: 'devicePasswordReset' },
      () => client.devicePasswordReset({ service }),
      async (password) => {
        if (password !== '') await show.word(password);
        else if (options.wait !== true) shell.err.write(`It is under way. Later: ${collecting} ${service}\n`);
      },
    );
    if (type === 'dedicated' && options.wait === true) await show.word(await client.devicePasswordCollect({ service }));
  });
};

const collecting = 'hostyard server password-collect';
