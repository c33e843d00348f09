// hostyard machine-backup: backups of virtual machines outside of their hypervisor.
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findDevice, resolveServiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { printAndFollow } from '../wait.ts';
import { confirmOrder, withOrderOptions, type OrderOptions } from './machine-order.ts';

interface ScheduleOptions {
  readonly frequency?: 'off' | 'daily' | 'weekly';
  readonly weekday?: string;
  readonly hour?: string;
  readonly daily?: string;
  readonly weekly?: string;
  readonly monthly?: string;
  readonly volumes?: 'included' | 'excluded';
}
interface VolumeOptions extends WaitOption {
  readonly volume?: string;
  readonly target?: string;
}

export const commands = [
  apiCommand({
    usage: 'list <service>',
    summary: 'List the backups of a machine',
    async run({ client, print }, { service }) {
      const backups = await client.machineBackupList({ service: await resolveServiceId(client, service) });
      await print.table(backups, ['id', 'status', 'created', 'source', 'system', 'size', 'added', 'verified']);
    },
  }),
  apiCommand({
    usage: 'create <service>',
    summary: 'Back up a machine, which keeps running',
    options: withWait,
    async run(session, { service: given }, options: WaitOption) {
      const service = await resolveServiceId(session.client, given);
      await printAndFollow(session, await session.client.machineBackupCreate({ service }), options);
    },
  }),
  apiCommand({
    usage: 'restore <service> <backup>',
    summary: 'Restore a machine from a backup; the current content of its disk is lost',
    options: (command) => withWait(withYes(command)),
    async run(session, { service: given, backup }, options: WaitOption & YesOption) {
      const { client, shell } = session;
      const { service, hostname } = await findDevice(client, given);
      const question = `Restore ${hostname} (service ${service}) from backup ${backup}? The current content of its disk will be lost.`;
      await confirm(shell, question, options);
      await printAndFollow(session, await client.machineBackupRestore({ service, backup, hostname }), options);
    },
  }),
  apiCommand({
    usage: 'order <service> <backup> <hostname> <plan>',
    summary: 'Order a new machine with the system disk of a backup; billing starts now',
    options: withOrderOptions,
    async run(session, { service: given, backup, hostname, plan }, options: OrderOptions) {
      const { client } = session;
      const service = await resolveServiceId(client, given);
      const choices = await confirmOrder(session, hostname, plan, options);
      const machine = await client.machineBackupOrder({ service, backup, hostname, plan, ...choices });
      await printAndFollow(session, machine, options);
    },
  }),
  apiCommand({
    usage: 'volume <service> <backup> <name>',
    summary: 'Restore a disk of a backup to a new volume, for example to read single files',
    options: (command) =>
      withWait(command)
        .option('--volume <id>', 'Volume of the backup (default: its system disk)')
        .option('--target <service>', 'Machine to attach it to (default: the machine of the backup)'),
    async run(session, { service: given, backup, name }, { volume, target, ...options }: VolumeOptions) {
      const { client } = session;
      const service = await resolveServiceId(client, given);
      const machine = target === undefined ? undefined : await resolveServiceId(client, target);
      const created = await client.machineBackupVolumeCreate({ service, backup, name, volume, target: machine });
      await printAndFollow(session, created, options);
    },
  }),
  apiCommand({
    usage: 'delete <service> <backup>',
    summary: 'Delete a backup',
    options: withYes,
    async run({ client, print, shell }, { service: given, backup }, options: YesOption) {
      const { service, hostname } = await findDevice(client, given);
      await confirm(shell, `Delete the backup ${backup} of ${hostname}? This cannot be undone.`, options);
      await print.text(`${await client.machineBackupDelete({ service, backup })}.`);
    },
  }),
  apiCommand({
    usage: 'schedule <service>',
    summary: 'Print the backup schedule of a machine, or change it',
    options: (command) =>
      command
        .option('--frequency <frequency>', 'off, daily or weekly')
        .option('--weekday <number>', 'Day of a weekly backup; 0 is Sunday')
        .option('--hour <hour>', 'Hour of the day, in UTC')
        .option('--daily <count>', 'Number of days whose last backup is kept')
        .option('--weekly <count>', 'Number of weeks whose last backup is kept')
        .option('--monthly <count>', 'Number of months whose last backup is kept')
        .option('--volumes <choice>', 'included or excluded: the attached volumes'),
    async run({ client, print }, { service: given }, { frequency, volumes, ...texts }: ScheduleOptions) {
      const service = await resolveServiceId(client, given);
      const numbers = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));
      const change = { ...(frequency && { frequency }), ...(volumes && { volumes }), ...numbers };
      const schedule =
        Object.keys(change).length > 0
          ? await client.machineBackupScheduleSet({ service, ...change })
          : await client.machineBackupScheduleGet({ service });
      await print.fields(schedule);
    },
  }),
];
