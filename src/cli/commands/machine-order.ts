// What the commands that order virtual machines share: options, and a question with the price.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { confirm } from '../prompt.ts';
import type { Session } from '../session.ts';
import { findGroup } from './machine-group.ts';
import { readSshKeys, withSshKeys, type SshKeyOption } from './server-install.ts';

export interface OrderOptions extends SshKeyOption, WaitOption, YesOption {
  readonly location?: string;
  readonly userData?: string;
  readonly group?: string;
}

export function withOrderOptions(command: Command): Command {
  return withSshKeys(withWait(withYes(command)))
    .option('--location <name>', 'Location (default: any with room)')
    .option('--user-data <file>', 'File for cloud-init: a script or a cloud-config')
    .option('--group <name>', 'Group whose machines run on different hypervisors');
}

/** Asks whether to order the machine, and returns what was chosen. */
export async function confirmOrder({ client, shell }: Session, hostname: string, plan: string, options: OrderOptions) {
  const { location, userData, group } = options;
  const price = (await client.machineOptions()).plans.find(({ name }) => name === plan);
  const cost = price === undefined ? '' : `, ${price.hourly || price.price} ${price.currency}`;
  const optional = {
    location,
    userdata: userData === undefined ? undefined : readFileSync(userData, 'utf8'),
    group: group === undefined ? undefined : await findGroup(client, group),
  };
  const keys = await readSshKeys(client, options);
  await confirm(shell, `Order ${hostname} (${plan}${cost}${price?.hourly ? ' an hour' : ''})?`, options);
  return { ...keys, ...optional };
}
