// hostyard account sign-on: the identity provider of the account, and its domains.
import { apiCommand, collectList, withYes, type YesOption } from '../command.ts';
import { confirm, promptSecret } from '../prompt.ts';
import type { SignOnSettingsSetInput } from '#sdk/v2.ts';

interface SetOptions {
  readonly claim?: string;
  readonly scopes?: string[];
  readonly grant: SignOnSettingsSetInput['grants'];
}

type Grants = SetOptions['grant'];
/** Reads `group=device:read,dns:read`. */
function collectGrant(text: string, previous: Grants = []): Grants {
  const at = text.lastIndexOf('=');
  const permissions = text.slice(at + 1).split(',') as Grants[number]['permissions'];
  return [...previous, { value: text.slice(0, Math.max(at, 0)), permissions }];
}

const domainColumns = ['domain', 'verified', 'required', 'record', 'content'] as const;

export const signOnCommands = [
  apiCommand({
    usage: 'show',
    summary: 'Show the identity provider and its domains',
    async run({ client, print }) {
      const { domains, grants, ...settings } = await client.signOnSettingsGet();
      await print.fields({
        ...settings,
        grants: grants.map(({ value, permissions }) => `${value}=${permissions.join(',')}`),
        domains: domains.map(({ domain }) => domain),
      });
    },
  }),
  apiCommand({
    usage: 'set <issuer> <clientid>',
    summary: 'Set the identity provider; asks for the client secret and your password',
    options: (command) =>
      command
        .requiredOption(
          '--grant <value=permissions>',
          'Permissions for a value of the claim; can be repeated',
          collectGrant,
        )
        .option('--claim <name>', 'The claim that lists groups (default: groups)')
        .option('--scopes <names>', 'Scopes to request, separated by commas', collectList),
    async run({ client, print, shell }, { issuer, clientid }, { grant: grants, ...options }: SetOptions) {
      const clientsecret = await promptSecret(shell, 'Client secret: ');
      const password = await promptSecret(shell, 'Password: ');
      const { redirecturi } = await client.signOnSettingsSet({
        issuer,
        clientid,
        clientsecret,
        grants,
        ...options,
        password,
      });
      await print.text(`Identity provider set. Its redirect URI is ${redirecturi} on this host.`);
    },
  }),
  apiCommand({
    usage: 'remove',
    summary: 'Remove the identity provider',
    options: withYes,
    async run({ client, print, shell }, _, options: YesOption) {
      await confirm(shell, 'Remove the identity provider and sign out everyone who uses it?', options);
      await client.signOnSettingsDelete({ password: await promptSecret(shell, 'Password: ') });
      await print.text('Identity provider removed.');
    },
  }),
  apiCommand({
    usage: 'domains',
    summary: 'List domains and the TXT records that prove them',
    run: async ({ client, print }) => print.table((await client.signOnSettingsGet()).domains, domainColumns),
  }),
  apiCommand({
    usage: 'add-domain <domain>',
    summary: 'Add a domain and print the TXT record that proves it',
    run: async ({ client, print }, { domain }) => print.fields(await client.signOnDomainAdd({ domain })),
  }),
  apiCommand({
    usage: 'verify-domain <domain>',
    summary: 'Look up the TXT record; with --required, people of the domain can sign in only this way',
    options: (command) => command.option('--required', 'Require it').option('--no-required', 'Do not require it'),
    async run({ client, print, shell }, { domain }, options: { readonly required?: boolean }) {
      const password = await promptSecret(shell, 'Password: ');
      await print.fields(await client.signOnDomainVerify({ domain, ...options, password }));
    },
  }),
  apiCommand({
    usage: 'remove-domain <domain>',
    summary: 'Remove a domain',
    options: withYes,
    async run({ client, print, shell }, { domain }, options: YesOption) {
      await confirm(shell, `Remove ${domain} from single sign-on?`, options);
      await client.signOnDomainDelete({ domain, password: await promptSecret(shell, 'Password: ') });
      await print.text('Domain removed.');
    },
  }),
];
