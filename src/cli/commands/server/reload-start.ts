// hostyard server reload start: erases the device and installs it anew; answers the new root password.
import { readFileSync } from 'node:fs';
import { confirmed } from '../../ask.ts';
import { onCall, withWait, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import { awaited } from '../../waiting.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly sshKey?: string[];
  readonly wait?: boolean;
  readonly yes?: boolean;
}

export const define: Define = (command, shell) => {
  withWait(withYes(command)).option('--ssh-key <file>', 'a public key for root; may be given again', gathered);
  onCall(command, shell, async (session, options: Options, name: string, value: string) => {
    const { client, show } = session;
    const sshkeys = (options.sshKey ?? []).map((file) => readFileSync(file, 'utf8').trim());
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `Erase ${hostname} (service ${service}) and install ${value}?`, options);
    await awaited(
      session,
      shell,
      { ...options, service },
      () => client.deviceReloadStart({ service, value, ...(sshkeys.length === 0 ? {} : { sshkeys }) }),
      show.word,
    );
  });
};

function gathered(file: string, before: readonly string[] = []): string[] {
  return [...before, file];
}
