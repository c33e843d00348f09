// hostyard contact: contacts, and the subaccounts they sign in with.
import { Option } from 'commander';
import type { Client, Contact, ContactSettingsInput, InvitationCreateInput } from '#sdk/v2.ts';
import { apiCommand, collectList, servicesInput, withYes, type YesOption } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { notFound } from '../lookup.ts';
import { confirm, promptSecret } from '../prompt.ts';

const required = ['firstname', 'lastname', 'email', 'address1', 'city', 'state', 'zipcode', 'country'] as const;
const optional = ['company', 'phone', 'address2'] as const;
type Required = Readonly<Record<(typeof required)[number], string>>;
type Optional = Readonly<Partial<Record<(typeof optional)[number], string>>>;

const notifications = ['domain', 'general', 'invoice', 'product', 'support', 'affiliate'] as const;
type Settings = Omit<ContactSettingsInput, 'id'>;
interface AccessOptions {
  readonly signIn?: 'yes' | 'no';
  readonly permissions?: Settings['permissions'];
  readonly services?: string[];
  readonly mails?: string[];
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List contacts',
    run: async ({ client, print }) =>
      print.table(await client.contactGet(), ['id', 'firstname', 'lastname', 'email', 'phonenumber', 'status']),
  }),
  apiCommand({
    usage: 'show <id>',
    summary: 'Show a contact',
    run: async ({ client, print }, { id }) => print.fields(await findContact(client, id)),
  }),
  apiCommand({
    usage: 'add',
    summary: 'Add a contact and print its id',
    options(command) {
      for (const name of required) command.requiredOption(`--${name} <text>`);
      for (const name of optional) command.option(`--${name} <text>`);
    },
    async run({ client, print, shell }, _, options: Required & Optional) {
      const password = await promptSecret(shell, 'Password of the contact: ');
      await print.text((await client.contactCreate({ ...options, password })).contactid);
    },
  }),
  apiCommand({
    usage: 'invite',
    summary: "Invite a contact to sign in with their own password, and print the invitation's id",
    options: (command) =>
      command
        .option('--contact <id>', 'An existing contact')
        .option('--firstname <text>')
        .option('--lastname <text>')
        .option('--email <address>')
        .requiredOption('--permissions <scopes>', 'Permissions, separated by commas', collectList)
        .option('--services <ids>', 'The only services that the person can see, separated by commas', collectList),
    run: async ({ client, print }, _, options: InvitationCreateInput) =>
      print.text((await client.invitationCreate(options)).id),
  }),
  apiCommand({
    usage: 'invitations',
    summary: 'List invitations that have not been accepted yet',
    run: async ({ client, print }) =>
      print.table(await client.invitationGet(), ['id', 'contact', 'email', 'invitedby', 'status', 'expires']),
  }),
  apiCommand({
    usage: 'reinvite <invitation>',
    summary: 'Send an invitation again, with a new link',
    async run({ client, print }, { invitation }) {
      await client.invitationResend({ id: invitation });
      await print.text('Invitation sent.');
    },
  }),
  apiCommand({
    usage: 'uninvite <invitation>',
    summary: 'Revoke an invitation',
    async run({ client, print }, { invitation }) {
      await client.invitationDelete({ id: invitation });
      await print.text('Invitation revoked.');
    },
  }),
  apiCommand({
    usage: 'set <id>',
    summary: 'Update a contact',
    options(command) {
      for (const name of [...required, ...optional]) command.option(`--${name} <text>`);
    },
    async run({ client, print }, { id }, options: Partial<Required> & Optional) {
      await client.contactUpdate({ id, ...options });
      await print.text('Contact updated.');
    },
  }),
  apiCommand({
    usage: 'access <id>',
    summary: 'Set the access, permissions and notifications of a contact',
    options: (command) =>
      command
        .addOption(new Option('--sign-in <answer>', 'Whether the contact can sign in').choices(['yes', 'no']))
        .option('--permissions <scopes>', 'Permissions, separated by commas', collectList)
        .option(
          '--services <ids>',
          'The only services that the contact can see, separated by commas, or all',
          collectList,
        )
        .option(
          '--mails <kinds>',
          `Notifications, separated by commas: ${notifications.join(', ')} or none`,
          collectList,
        ),
    async run({ client, print }, { id }, options: AccessOptions) {
      await client.contactSettings({ id, ...settingsOf(options) });
      await print.text('Contact updated.');
    },
  }),
  apiCommand({
    usage: 'delete <id>',
    summary: 'Delete a contact',
    options: withYes,
    async run({ client, print, shell }, { id }, options: YesOption) {
      const { firstname, lastname, email } = await findContact(client, id);
      await confirm(shell, `Delete the contact ${firstname} ${lastname} (${email})?`, options);
      await client.contactDelete({ id });
      await print.text('Contact deleted.');
    },
  }),
];

async function findContact(client: Client, id: string): Promise<Contact> {
  const [contact] = await client.contactGet({ id });
  if (contact === undefined) throw notFound('Contact', id);
  return contact;
}

function settingsOf({ signIn, permissions, services, mails }: AccessOptions): Settings {
  return {
    ...servicesInput(services),
    permissions,
    subaccount: signIn === undefined ? undefined : signIn === 'yes',
    ...(mails === undefined ? {} : notificationSettings(mails)),
  };
}

function notificationSettings(selected: readonly string[]): Settings {
  const unknown = selected.find((kind) => kind !== 'none' && !notifications.some((known) => known === kind));
  if (unknown !== undefined) throw new CommandError(`Unknown notification: ${unknown}.`, exitCodes.usage);
  return Object.fromEntries(notifications.map((kind) => [`${kind}emails`, selected.includes(kind)]));
}
