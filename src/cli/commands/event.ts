// hostyard event: what happened in the account, and with --follow what happens.
import type { Client, Event, EventLogGetInput } from '#sdk/v2.ts';
import { oneLine } from '../output/text.ts';
import { listed, onCall } from '../command.ts';
import { serviceId } from '../named.ts';
import type { Define } from '../table.ts';

interface Options {
  readonly follow?: boolean;
  readonly last: string;
  readonly type?: EventLogGetInput['type'];
  readonly service?: string;
}

export const define: Define = (command, shell) => {
  command
    .option('-f, --follow', 'go on as it happens, until you interrupt it')
    .option('--last <number>', 'so many that have been already', '20')
    .option('--type <types>', 'only these, with commas between', listed)
    .option('--service <service>', 'only of this service');
  onCall(command, shell, async ({ client, show }, options: Options) => {
    const { type, service } = options;
    const filter = {
      ...(type === undefined ? {} : { type }),
      ...(service === undefined ? {} : { service: await serviceId(client, service) }),
    };
    const { events, cursor } = await newest(client, filter, Number(options.last));
    const tell = (event: Event): Promise<void> => show.next(event, () => lineOf(event));
    for (const event of events) await tell(event);
    if (options.follow !== true) return;
    for await (const event of client.events({ ...filter, after: cursor })) await tell(event);
  });
};

/** The log is read from its beginning: a cursor leads on from a place, and the end is such a place. */
async function newest(
  client: Client,
  filter: Pick<EventLogGetInput, 'type' | 'service'>,
  count: number,
): Promise<{ events: readonly Event[]; cursor: string }> {
  let events: readonly Event[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await client.eventLogGet({ ...filter, limit: pageSize, ...(after === undefined ? {} : { after }) });
    events = count === 0 ? [] : [...events, ...page.events].slice(-count);
    after = page.cursor;
    if (page.events.length < pageSize) return { events, cursor: after };
  }
}

const pageSize = 1000;

function lineOf({ timestamp, type, service, data }: Event): string {
  return oneLine(`${timestamp}  ${type}  ${service}  ${JSON.stringify(data)}`);
}
