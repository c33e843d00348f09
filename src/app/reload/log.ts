// The log of a server's last reload, as a list and as a stream that ends with the reload. A cursor is the reload's id and the
// number of lines read.
import type { Static } from 'typebox';
import type { ReloadLogLine } from '#contract/shapes/device.ts';
import { invalid } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { reloadLoad, reloadLogList, reloadLogTips } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf } from '../servers/servers.ts';
import { createFeed, type Feed } from '#store/feed.ts';
import { streamPageSize, type LogStream } from '../events/log-stream.ts';
import type { Context, App } from '../app.ts';
import { lastNetworkBoot } from './network-boots.ts';

type Line = Static<typeof ReloadLogLine>;

/** More than an installation that reports every percent writes. */
const listedLines = 500;

/** Returns the oldest line first. */
export async function reloadLog(context: Context, service: Service): Promise<Line[]> {
  const id = (await lastNetworkBoot(context, service, 'reload'))?.id;
  return id === undefined ? [] : lines(context, id, 0, listedLines);
}

export function reloadLogFeed(app: App): Feed<string> {
  return createFeed(app, reloadLogTips);
}

/** A reader that reconnects receives the rest of the reload it followed, even if another has started since. */
export async function reloadLogStream(
  context: Context,
  service: Service,
  resumedAfter: string | undefined,
  feed: Feed<string>,
): Promise<LogStream> {
  const { id, start } =
    resumedAfter === undefined
      ? { id: (await lastNetworkBoot(context, service, 'reload'))?.id, start: 0 }
      : await parseCursor(context, service, resumedAfter);
  return {
    start,
    async page(after) {
      if (id === undefined) return { entries: [], position: after, isLast: true };
      // Read before the lines: the last one is written together with the end.
      const hasEnded = (await reloadLoad(context.queries, id))?.ended_at !== null;
      const values = await lines(context, id, after, streamPageSize);
      return {
        entries: values.map((value, index) => ({ position: after + index + 1, value })),
        position: after + values.length,
        isLast: hasEnded && values.length < streamPageSize,
      };
    },
    cursor: (position) => `${id}.${position}`,
    listen: (listener) => (id === undefined ? () => {} : feed.listen(id, listener)),
  };
}

async function parseCursor(context: Context, service: Service, cursor: string): Promise<{ id: string; start: number }> {
  serverOf(service);
  const [, id = '', count = ''] = /^([0-9a-z-]{1,64})\.([0-9]{1,9})$/.exec(cursor) ?? [];
  const reload = await reloadLoad(context.queries, id);
  const isOwned = reload?.account_id === context.caller.account && reload.service_id === service.id;
  if (!isOwned || reload.kind !== 'reload') throw invalid({ 'Last-Event-ID': 'must be a cursor from this stream' });
  return { id, start: Number(count) };
}

async function lines({ queries }: Context, id: string, after: number, limit: number): Promise<Line[]> {
  const rows = await reloadLogList(queries, id, { after, limit });
  return rows.map(({ at, status, text }) => ({ time: timeText(at), status, text }));
}
