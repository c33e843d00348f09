// hostyard account: the customer's own account, password and second factor.
import type { PreferencesSetInput } from '#sdk/v2.ts';
import { apiCommand } from '../command.ts';
import { prompt, promptSecret } from '../prompt.ts';
import type { Entry } from '../command-tree.ts';
import { privacyCommands } from './account-privacy.ts';

const totpCommands = [
  apiCommand({
    usage: 'enable',
    formerly: 'enrol',
    summary: 'Require a code when signing in',
    // Asks for the first code right away, so that nobody is left with a secret that is not active yet.
    async run({ client, print, shell }) {
      const { secret, url } = await client.totpEnrol({ password: await promptSecret(shell, 'Password: ') });
      shell.err.write(`Add this secret to your authenticator app: ${secret}\nor open this link: ${url}\n`);
      const code = (await prompt(shell, 'Code from the app: ')).trim();
      await client.totpConfirm({ code });
      await print.text('Enabled. Signing in with your password now requires a code.');
    },
  }),
  apiCommand({
    usage: 'disable',
    formerly: 'end',
    summary: 'Stop requiring a code',
    async run({ client, print, shell }) {
      await client.totpEnd({ password: await promptSecret(shell, 'Password: ') });
      await print.text('Disabled. Signing in no longer requires a code.');
    },
  }),
];

const sessionCommands = [
  apiCommand({
    usage: 'list',
    summary: 'List your sessions',
    run: async ({ client, print }) =>
      print.table(await client.sessionList(), ['id', 'current', 'device', 'address', 'lastused', 'expires']),
  }),
  apiCommand({
    usage: 'end [id]',
    summary: 'End one of your sessions, or all except this one',
    async run({ client, print }, { id }) {
      await client.sessionRevoke({ id });
      await print.text(id === undefined ? 'All other sessions have ended.' : 'Session ended.');
    },
  }),
];

interface PreferenceOptions {
  readonly timezone?: string;
  readonly dateFormat?: PreferencesSetInput['dateformat'];
  readonly language?: string;
}

const preferenceCommands = [
  apiCommand({
    usage: 'show',
    summary: 'Show your time zone, date format and language',
    async run({ client, print }) {
      const { timezone, dateformat, language } = await client.preferencesGet();
      await print.fields({ timezone, dateformat, language });
    },
  }),
  apiCommand({
    usage: 'set',
    summary: 'Set your time zone, date format and language; an empty value restores the default',
    options: (command) =>
      command
        .option('--timezone <name>', 'Such as Europe/Berlin')
        .option('--date-format <format>', 'iso, dmy, dots or mdy')
        .option('--language <code>', 'Language of messages, such as de'),
    async run({ client, print }, _, { timezone, dateFormat: dateformat, language }: PreferenceOptions) {
      await client.preferencesSet({ timezone, dateformat, language });
      await print.text('Preferences saved.');
    },
  }),
];

const supportCommands = [
  apiCommand({
    usage: 'list',
    summary: "List views of the account by the provider's staff",
    run: async ({ client, print }) =>
      print.table(await client.supportAccessList(), ['id', 'operator', 'reason', 'status', 'started', 'ended']),
  }),
  apiCommand({
    usage: 'end <id>',
    summary: 'End a support access',
    async run({ client, print }, { id }) {
      await client.supportAccessEnd({ id });
      await print.text('Support access ended.');
    },
  }),
];

export const commands: readonly Entry[] = [
  apiCommand({
    usage: 'show',
    summary: 'Show the account',
    run: async ({ client, print }) => print.fields(await client.accountGet()),
  }),
  apiCommand({
    usage: 'balance',
    summary: 'Show the amount due',
    run: async ({ client, print }) => print.text(await client.balanceGet()),
  }),
  apiCommand({
    usage: 'session',
    summary: 'Show the owner and the permissions of the current key',
    run: async ({ client, print }) => print.fields(await client.sessionGet()),
  }),
  apiCommand({
    usage: 'password',
    summary: 'Change your password',
    async run({ client, print, shell }) {
      const password = await promptSecret(shell, 'Current password: ');
      const newpassword = await promptSecret(shell, 'New password: ');
      await client.passwordSet({ password, newpassword });
      await print.text('Password changed. All other sessions have been signed out.');
    },
  }),
  {
    usage: 'sessions',
    summary: 'Your sessions, with device and address',
    commands: async () => sessionCommands,
  },
  apiCommand({
    usage: 'recovery-codes',
    summary: 'Create recovery codes for two-factor authentication and print them once',
    async run({ client, print, shell }) {
      const { codes } = await client.recoveryCodesCreate({ password: await promptSecret(shell, 'Password: ') });
      await print.text(codes.join('\n'));
    },
  }),
  {
    usage: 'preferences',
    summary: 'Your time zone, date format and language',
    commands: async () => preferenceCommands,
  },
  {
    usage: 'sign-on',
    summary: 'Single sign-on through your own identity provider',
    commands: async () => (await import('./account-sign-on.ts')).signOnCommands,
  },
  { usage: 'totp', summary: 'Two-factor authentication with an authenticator app', commands: async () => totpCommands },
  ...privacyCommands,
  { usage: 'support', summary: "Views of the account by the provider's staff", commands: async () => supportCommands },
];
