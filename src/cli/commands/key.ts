// hostyard key: the customer's own API keys. The handlers are exported for the commands on the server itself, which can also
// manage the keys of another account.
import type { Command } from 'commander';
import { dnsLimitsText } from '#text/dns-limits-text.ts';
import type { KeyCreateInput } from '#sdk/v2.ts';
import { apiCommand, collectList, servicesInput, withYes, type YesOption } from '../command.ts';
import { dnsLimitsInput, withDnsLimits, type DnsLimitOptions } from '../dns-limits.ts';
import { notFound } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Session } from '../session.ts';
import { expiryInput } from '../time.ts';

export interface KeyOptions extends DnsLimitOptions {
  readonly services?: string[];
  readonly name: string;
  readonly scopes: KeyCreateInput['scopes'];
  readonly allow?: string[];
  readonly expires?: string;
}
interface SetOptions extends Partial<KeyOptions> {
  readonly dnsAll?: true;
}

export const commands = [
  apiCommand({ usage: 'list', summary: 'List keys, without their secrets', run: listOwnKeys }),
  apiCommand({
    usage: 'create',
    formerly: 'make',
    summary: 'Create a key and print it once',
    options: withKeyOptions,
    run: (session, _, options: KeyOptions) => createOwnKey(session, options),
  }),
  apiCommand({
    usage: 'set <id>',
    summary: 'Update a key',
    options: (command) =>
      withDnsLimits(
        command
          .option('--name <name>', 'Purpose of the key')
          .option('--scopes <list>', 'Permissions, separated by commas', collectList)
          .option('--allow <networks>', 'Networks from which it can be used, separated by commas', collectList)
          .option(
            '--services <ids>',
            'The only services that the key can see, separated by commas, or all',
            collectList,
          )
          .option('--expires <time>', 'Expiry, such as 2027-01-31T12:00:00Z'),
      ).option('--dns-all', 'Remove its limits to certain DNS records'),
    async run({ client, print }, { id }, { expires, name, scopes, allow, services, dnsAll, ...limits }: SetOptions) {
      await client.keyUpdate({
        id,
        name,
        scopes,
        allow,
        ...servicesInput(services),
        ...(dnsAll === true ? { dns: [] } : dnsLimitsInput(limits)),
        ...expiryInput(expires),
      });
      await print.text('Key updated.');
    },
  }),
  apiCommand({
    usage: 'rotate <id>',
    summary: 'Give a key a new secret and print it once',
    options: (command) => command.option('--overlap <seconds>', 'How long the old secret stays valid', '3600'),
    async run({ client, print }, { id }, { overlap }: { readonly overlap: string }) {
      const key = await client.keyUpdate({ id, rotate: true, overlap: Number(overlap) });
      await print.value(key, () => `${key.key}\n`);
    },
  }),
  apiCommand({
    usage: 'revoke <id>',
    summary: 'Revoke a key immediately',
    options: withYes,
    run: (session, { id }, options: YesOption) => revokeOwnKey(session, id, options),
  }),
];

export function withKeyOptions(command: Command): Command {
  return withDnsLimits(
    command
      .option('--name <name>', 'Purpose of the key', 'created on the command line')
      .option('--scopes <list>', 'Permissions, separated by commas', collectScopes, ['all'])
      .option('--allow <networks>', 'Networks from which it can be used, separated by commas', collectList)
      .option('--services <ids>', 'The only services that the key can see, separated by commas', collectList)
      .option('--expires <time>', 'Expiry, such as 2027-01-31T12:00:00Z (default: never)'),
  );
}

/** The first value replaces the default. */
function collectScopes(value: string, previous: readonly string[]): string[] {
  return collectList(value, previous.includes('all') ? [] : previous);
}

export async function listOwnKeys({ client, print }: Session): Promise<void> {
  await print.table(await client.keyGet(), [
    'id',
    'name',
    'scopes',
    'services',
    ['dns', ({ dns }) => dnsLimitsText(dns)],
    'allow',
    'status',
    'expires',
    'lastused',
  ]);
}

export async function createOwnKey({ client, print }: Session, options: KeyOptions): Promise<void> {
  const { name, scopes, allow, expires } = options;
  const key = await client.keyCreate({
    name,
    scopes,
    allow,
    ...servicesInput(options.services),
    ...dnsLimitsInput(options),
    ...expiryInput(expires),
  });
  await print.value(key, () => `${key.key}\n`);
}

export async function revokeOwnKey(session: Session, id: string, options: YesOption): Promise<void> {
  const { client, print, shell } = session;
  const [key] = await client.keyGet({ id });
  if (key === undefined) throw notFound('Key', id);
  await confirm(shell, `Revoke the key ${id} (${key.name})? This cannot be undone.`, options);
  await client.keyDelete({ id });
  await print.text('Key revoked.');
}
