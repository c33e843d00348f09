// hostyard server reload start: erases the device and installs it anew; answers the new root password.
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
  onCall(command, shell, async (session, options: Options, name: string, value: string) => {
    const { client, show } = session;
    const sshkeys = sshKeysOf(options);
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `Erase ${hostname} (service ${service}) and install ${value}?`, options);
    const operation = 'deviceReloadStart';
    const begin = (): Promise<string> => client[operation]({ service, value, ...sshkeys });
    await awaited(session, shell, { ...options, service, operation }, begin, show.word);
  });
};
