// hostyard event: the account's event log, and with --follow new events as they happen.
import type { Client, Event, EventLogGetInput } from '#sdk/v2.ts';
import { apiHandler, collectList, omitUndefined } from '../command.ts';
import { serviceFilter } from '../lookup.ts';
import { fieldText } from '../output/fields.ts';
import { singleLine } from '../output/text.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly follow?: boolean;
  readonly last: string;
  readonly type?: EventLogGetInput['type'];
  readonly service?: string;
}

const pageSize = 1000;

export const showEvents = apiHandler({
  options: (command) =>
    command
      .option('-f, --follow', 'Print new events until interrupted')
      .option('--last <number>', 'Number of past events', '20')
      .option('--type <types>', 'Only these types, separated by commas', collectList)
      .option('--service <service>', 'Only events of this service'),
  async run({ client, print }: Session, _: unknown, { follow, last, type, service }: Options) {
    const filter = { ...omitUndefined({ type }), ...(await serviceFilter(client, service)) };
    const { events, cursor } = await readNewest(client, filter, Number(last));
    for (const event of events) await print.streamItem(event, () => eventLine(event));
    if (follow !== true) return;
    for await (const event of client.events({ ...filter, after: cursor }))
      await print.streamItem(event, () => eventLine(event));
  },
});

/** Reads the log from its start, because cursors only lead forward. */
async function readNewest(
  client: Client,
  filter: Pick<EventLogGetInput, 'type' | 'service'>,
  count: number,
): Promise<{ events: readonly Event[]; cursor: string }> {
  let events: readonly Event[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await client.eventLogGet({ ...filter, limit: pageSize, ...omitUndefined({ after }) });
    events = count === 0 ? [] : [...events, ...page.events].slice(-count);
    after = page.cursor;
    if (page.events.length < pageSize) return { events, cursor: after };
  }
}

function eventLine({ timestamp, type, service, data }: Event): string {
  const time = timestamp.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '');
  const subject = service === '' ? '' : `service ${service}  `;
  return singleLine(`${time}  ${subject}${type}  ${fieldText(data)}`);
}
