// hostyard dns record set: another content or time to live, in place.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { recordIn } from '../../named.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly content?: string;
  readonly ttl?: string;
  readonly yes?: boolean;
}

export const define: Define = (command, shell) => {
  withYes(command)
    .option('--content <text>', 'what it says from now on')
    .option('--ttl <seconds>', 'how long others may keep it');
  onCall(command, shell, async ({ client, show }, options: Options, zone: string, id: string) => {
    const { domain, record } = await recordIn(client, zone, id);
    await confirmed(shell, `Change ${record.name} ${record.type} ${record.content}?`, options);
    const { content, ttl } = options;
    const changes = {
      ...(content === undefined ? {} : { content }),
      ...(ttl === undefined ? {} : { ttl: Number(ttl) }),
    };
    await show.word(await client.recordUpdate({ domain, record: id, ...changes }));
  });
};
