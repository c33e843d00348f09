// hostyard dns tsig: keys with which DNS tools update and transfer zones.
import { dnsLimitsText } from '#text/dns-limits-text.ts';
import type { TsigKeyCreateInput } from '#sdk/v2.ts';
import { apiCommand, collectList, withYes, type YesOption } from '../command.ts';
import { dnsLimitsInput, withDnsLimits, type DnsLimitOptions } from '../dns-limits.ts';
import { notFound } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { expiryInput } from '../time.ts';

interface CreateOptions extends DnsLimitOptions {
  readonly name: string;
  readonly algorithm?: TsigKeyCreateInput['algorithm'];
  readonly allow?: string[];
  readonly expires?: string;
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List TSIG keys, without their secrets',
    run: async ({ client, print }) =>
      print.table(await client.tsigKeyList(), [
        'id',
        'name',
        'tsigname',
        'algorithm',
        ['dns', ({ dns }) => dnsLimitsText(dns)],
        'status',
        'expires',
        'lastused',
      ]),
  }),
  apiCommand({
    usage: 'create',
    summary: 'Create a TSIG key and print it once, as BIND’s tools read it',
    options: (command) =>
      withDnsLimits(
        command
          .option('--name <name>', 'Purpose of the key', 'created on the command line')
          .option('--algorithm <name>', 'hmac-sha256 or hmac-sha512 (default: hmac-sha256)')
          .option('--allow <networks>', 'Networks from which it can be used, separated by commas', collectList)
          .option('--expires <time>', 'Expiry, such as 2027-01-31T12:00:00Z (default: never)'),
      ),
    async run({ client, print }, _, options: CreateOptions) {
      const { name, algorithm, allow, expires } = options;
      const key = await client.tsigKeyCreate({
        name,
        algorithm,
        allow,
        ...dnsLimitsInput(options),
        ...expiryInput(expires),
      });
      await print.value(key, () =>
        [`key "${key.tsigname}" {`, `  algorithm ${key.algorithm};`, `  secret "${key.secret}";`, '};', ''].join('\n'),
      );
    },
  }),
  apiCommand({
    usage: 'delete <id>',
    summary: 'Delete a TSIG key',
    options: withYes,
    async run({ client, print, shell }, { id }, options: YesOption) {
      const key = (await client.tsigKeyList()).find((listed) => listed.id === id);
      if (key === undefined) throw notFound('TSIG key', id);
      await confirm(shell, `Delete the TSIG key ${key.tsigname} (${key.name})?`, options);
      await print.text(`${await client.tsigKeyDelete({ id })}.`);
    },
  }),
];
