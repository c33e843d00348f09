// hostyard server reload and rescue: reinstalling a device, and booting its rescue system.
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Client } from '#sdk/v2.ts';
import { apiCommand, serviceTextCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { findDevice, resolveServiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Entry } from '../command-tree.ts';
import { runAndWait } from '../wait.ts';

export interface SshKeyOption {
  readonly sshKey?: readonly string[];
}
interface InstallOptions extends SshKeyOption, WaitOption, YesOption {}

function withInstallOptions(command: Command): Command {
  return withSshKeys(withWait(withYes(command)));
}

export function withSshKeys(command: Command): Command {
  return command.option(
    '--ssh-key <key>',
    'Name of a saved SSH key, or a public key file, for root; can be repeated',
    (file: string, previous: readonly string[] = []) => [...previous, file],
  );
}

/** Returns saved keys by their names, and reads the others from files in the format of ssh-keygen. */
export async function readSshKeys(client: Client, { sshKey }: SshKeyOption): Promise<{ sshkeys?: string[] }> {
  if (sshKey === undefined) return {};
  const saved = new Map((await client.sshKeyList()).map(({ name, key }) => [name, key]));
  return { sshkeys: sshKey.map((name) => saved.get(name) ?? readKeyFile(name)) };
}

function readKeyFile(name: string): string {
  if (!existsSync(name))
    throw new CommandError(
      `${name} is neither a saved SSH key nor a file. Save a key with hostyard ssh-key create FILE.`,
      exitCodes.usage,
    );
  return readFileSync(name, 'utf8').trim();
}

export const reloadCommands: readonly Entry[] = [
  apiCommand({
    usage: 'templates <service>',
    summary: 'List the operating systems that can be installed',
    async run({ client, print }, { service }) {
      const templates = await client.deviceTemplateList({ service: await resolveServiceId(client, service) });
      await print.table(templates, ['value', 'name']);
    },
  }),
  apiCommand({
    usage: 'start <service> <template>',
    summary: 'Erase the device, reinstall it and print the new root password',
    options: withInstallOptions,
    async run(session, { service: name, template }, options: InstallOptions) {
      const { client, shell } = session;
      const sshkeys = await readSshKeys(client, options);
      const { service, hostname } = await findDevice(client, name);
      await confirm(shell, `Erase ${hostname} (service ${service}) and install ${template}?`, options);
      await runAndWait(session, options, 'deviceReloadStart', { service, value: template, ...sshkeys });
    },
  }),
  apiCommand({
    usage: 'cancel <service>',
    summary: 'Cancel the reload in progress; the device boots from its disk',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const { service, hostname } = await findDevice(client, args.service);
      await confirm(shell, `Cancel the reload of ${hostname} (service ${service})?`, options);
      await print.text(await client.deviceReloadCancel({ service }));
    },
  }),
];

/** Only a dedicated server reports the progress of a reload. */
export const serverReloadCommands: readonly Entry[] = [
  ...reloadCommands,
  serviceTextCommand('status <service>', 'Show the progress of the reload', (client, input) =>
    client.deviceReloadStatus(input),
  ),
  apiCommand({
    usage: 'log <service>',
    summary: 'Show the log of the last reload',
    async run({ client, print }, { service }) {
      const lines = await client.deviceReloadLog({ service: await resolveServiceId(client, service) });
      await print.table(lines, ['time', 'status', 'text']);
    },
  }),
];

export const rescueCommands = [
  apiCommand({
    usage: 'on <service>',
    summary: 'Boot the rescue system and print its root password',
    options: withInstallOptions,
    async run(session, args, options: InstallOptions) {
      const { client, shell } = session;
      const sshkeys = await readSshKeys(client, options);
      const { service, hostname } = await findDevice(client, args.service);
      await confirm(shell, `Restart ${hostname} (service ${service}) into the rescue system?`, options);
      await runAndWait(session, options, 'deviceRescueStart', { service, ...sshkeys });
    },
  }),
  apiCommand({
    usage: 'off <service>',
    summary: 'Leave the rescue system and boot from disk',
    options: (command) => withWait(withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { client, shell } = session;
      const { service, hostname } = await findDevice(client, args.service);
      await confirm(shell, `Restart ${hostname} (service ${service}) from its disk?`, options);
      await runAndWait(session, options, 'deviceRescueEnd', { service });
    },
  }),
  serviceTextCommand('status <service>', 'Show whether the rescue system is running', (client, input) =>
    client.deviceRescueStatus(input),
  ),
];
