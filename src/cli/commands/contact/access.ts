// hostyard contact access: whether a contact can sign in, what it may do then, and which mails it gets.
import { Option } from 'commander';
import type { ContactSettingsInput } from '#sdk/v2.ts';
import { listed, onCall } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

const mails = ['domain', 'general', 'invoice', 'product', 'support', 'affiliate'] as const;
type Settings = Omit<ContactSettingsInput, 'id'>;
interface Options {
  readonly signIn?: 'yes' | 'no';
  readonly permissions?: Settings['permissions'];
  readonly mails?: string[];
}

export const define: Define = (command, shell) => {
  command
    .addOption(new Option('--sign-in <answer>', 'whether it can sign in').choices(['yes', 'no']))
    .option('--permissions <scopes>', 'what it may do, with commas between', listed)
    .option('--mails <kinds>', `which mails it gets, of ${mails.join(', ')}; with commas between, or none`, listed);
  onCall(command, shell, async ({ client, show }, options: Options, id: string) => {
    await client.contactSettings({ id, ...settingsOf(options) });
    await show.word('The contact is changed.');
  });
};

function settingsOf({ signIn, permissions, mails: wanted }: Options): Settings {
  return {
    ...(signIn === undefined ? {} : { subaccount: signIn === 'yes' }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(wanted === undefined ? {} : mailSettings(wanted)),
  };
}

function mailSettings(wanted: readonly string[]): Settings {
  const unknown = wanted.find((kind) => kind !== 'none' && !mails.some((each) => each === kind));
  if (unknown !== undefined) throw new CommandError(`There are no ${unknown} mails.`, exitCodes.usage);
  return Object.fromEntries(mails.map((kind) => [`${kind}emails`, wanted.includes(kind)]));
}
