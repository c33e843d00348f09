// hostyard dns record set: another content or time to live, in place.
import { onCall } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly content?: string;
  readonly ttl?: string;
}

export const define: Define = (command, shell) => {
  command
    .option('--content <text>', 'what it says from now on')
    .option('--ttl <seconds>', 'how long others may keep it');
  onCall(command, shell, async ({ client, show }, options: Options, zone: string, record: string) => {
    const { domain_id: domain } = await zoneNamed(client, zone);
    const { content, ttl } = options;
    const changes = {
      ...(content === undefined ? {} : { content }),
      ...(ttl === undefined ? {} : { ttl: Number(ttl) }),
    };
    await show.word(await client.recordUpdate({ domain, record, ...changes }));
  });
};
