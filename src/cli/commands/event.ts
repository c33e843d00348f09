// hostyard event: the account's event log, and with --follow new events as they happen.
import { HostyardError, type Client, type Event, type EventLogGetInput } from '#sdk/v2.ts';
import { describeEvent, type EventNames } from '#text/event-sentences.ts';
import { apiHandler, collectList, parseCount } from '../command.ts';
import { serviceFilter } from '../lookup.ts';
import { singleLine } from '../output/text.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly follow?: boolean;
  readonly last: number;
  readonly type?: EventLogGetInput['type'];
  readonly service?: string;
}

const pageSize = 1000;

export const showEvents = apiHandler({
  options: (command) =>
    command
      .option('-f, --follow', 'Print new events until interrupted')
      .option('--last <number>', 'Number of past events', parseCount, 20)
      .option('--type <types>', 'Only these types, separated by commas', collectList)
      .option('--service <service>', 'Only events of this service'),
  async run({ client, print }: Session, _: unknown, { follow, last, type, service }: Options) {
    const filter = { type, ...(await serviceFilter(client, service)) };
    const { events, cursor } = await readNewest(client, filter, last);
    const nameOf = print.format === 'table' ? await loadNames(client) : undefined;
    const printEvent = (event: Event) => print.streamItem(event, () => eventLine(event, nameOf));
    for (const event of events) await printEvent(event);
    if (follow !== true) return;
    for await (const event of client.events({ ...filter, after: cursor })) await printEvent(event);
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
    const page = await client.eventLogGet({ ...filter, limit: pageSize, after });
    events = count === 0 ? [] : [...events, ...page.events].slice(-count);
    after = page.cursor;
    if (page.events.length < pageSize) return { events, cursor: after };
  }
}

/** Names of the servers and people that the key may read. */
async function loadNames(client: Client): Promise<EventNames> {
  const [devices, contacts] = await Promise.all([ifPermitted(client.deviceList()), ifPermitted(client.contactGet())]);
  const names = new Map([
    ...devices.map(({ service, hostname }) => [`service ${service}`, hostname] as const),
    ...contacts.map(({ id, firstname, lastname }) => [`contact ${id}`, `${firstname} ${lastname}`] as const),
  ]);
  return (thing, id) => names.get(`${thing} ${id}`);
}

async function ifPermitted<Item>(list: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof HostyardError && error.code === 'scope_missing') return [];
    throw error;
  }
}

function eventLine(event: Event, nameOf: EventNames | undefined): string {
  const time = event.timestamp.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '');
  return singleLine(`${time}  ${describeEvent(event, nameOf).sentence}`);
}
