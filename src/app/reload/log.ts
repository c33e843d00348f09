// What happened in the last reload of a server, line by line: as a list, and as a stream that ends with the reload. Lines are
// counted, so a cursor is the reload and how many of its lines were read.
import type { Static } from 'typebox';
import type { ReloadLogLine } from '#contract/shapes/device.ts';
import { invalid } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { reloadLast, reloadLoad, reloadLogList, reloadLogTips } from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf } from '../servers/servers.ts';
import { feedOf, type Feed } from '../events/feed.ts';
import { streamPageSize, type Streamed } from '../events/streamed.ts';
import type { Context, Yard } from '../yard.ts';

type Line = Static<typeof ReloadLogLine>;

/** As many as an installation that reports every percent leaves, and more. */
const listedLines = 500;

/** Oldest first. */
export async function reloadLog(context: Context, service: Service): Promise<Line[]> {
  const id = await lastReload(context, service);
  return id === undefined ? [] : lines(context, id, 0, listedLines);
}

export function reloadLogFeed(yard: Yard): Feed<string> {
  return feedOf(yard, reloadLogTips);
}

/** Whoever comes back is told the rest of the reload that was followed, though another has begun since. */
export async function reloadLogStreamed(
  context: Context,
  service: Service,
  resumedAfter: string | undefined,
  feed: Feed<string>,
): Promise<Streamed> {
  const { id, start } =
    resumedAfter === undefined
      ? { id: await lastReload(context, service), start: 0 }
      : await resumed(context, service, resumedAfter);
  return {
    start,
    async page(after) {
      if (id === undefined) return { entries: [], position: after, isLast: true };
      // Looked at before the lines: its last one is written together with its end.
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

async function lastReload({ queries, caller }: Context, service: Service): Promise<string | undefined> {
  serverOf(service);
  return (await reloadLast(queries, caller.account, service.id, ['reload']))?.id;
}

async function resumed(context: Context, service: Service, cursor: string): Promise<{ id: string; start: number }> {
  serverOf(service);
  const [, id = '', count = ''] = /^([0-9a-z-]{1,64})\.([0-9]{1,9})$/.exec(cursor) ?? [];
  const reload = await reloadLoad(context.queries, id);
  const isOwn = reload?.account_id === context.caller.account && reload.service_id === service.id;
  if (!isOwn || reload.kind !== 'reload') throw invalid({ 'Last-Event-ID': 'must be a cursor that this stream gave' });
  return { id, start: Number(count) };
}

async function lines({ queries }: Context, id: string, after: number, limit: number): Promise<Line[]> {
  const rows = await reloadLogList(queries, id, { after, limit });
  return rows.map(({ at, status, text }) => ({ time: momentText(at), status, text }));
}
