// hostyard server rescue on: boots the rescue system; answers the password of root there.
import { sshKeysOf, withSshKeys, type SshKeyOptions } from '../../ssh-keys.ts';
import { confirmed } from '../../ask.ts';
import { onCall, withWait, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import { awaited } from '../../waiting.ts';
import type { Define } from '../../table.ts';

interface Options extends SshKeyOptions {
  readonly wait?: boolean;
  readonly yes?: boolean;
}

export const define: Define = (command, shell) => {
  withSshKeys(withWait(withYes(command)));
  onCall(command, shell, async (session, options: Options, name: string) => {
    const { client, show } = session;
    const sshkeys = sshKeysOf(options);
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `Restart ${hostname} (service ${service}) into the rescue system?`, options);
    const operation = 'deviceRescueStart';
    await awaited(
      session,
      shell,
      { ...options, service, operation },
      () => client[operation]({ service, ...sshkeys }),
      show.word,
    );
  });
};
