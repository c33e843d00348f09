// Version 2, our addition: the account's event log, in pages and as a stream.
import { endpoint } from '../endpoint.ts';
import { eventTypes } from '../events.ts';
import * as p from '../parameters.ts';
import { EventPage } from '../shapes/event.ts';

export const eventV2 = {
  eventLogGet: endpoint({
    method: 'GET',
    path: '/v2/event',
    tag: 'event',
    access: 'event:read',
    addition: true,
    streams: true,
    summary: 'What happened in the account, oldest first, from a cursor on',
    description:
      'Numbered without gaps in the order in which it was committed. With `Accept: text/event-stream` the same as ' +
      'server-sent events, without an end: each carries its cursor as `id`, so that `Last-Event-ID` resumes after it, ' +
      'at this or another node. A cursor belongs to the account and the installation that gave it. With `newest` it ' +
      'is the last `limit` events, and the cursor behind them; not together with `after`, and a stream is none of it.',
    params: {
      after: p.optional(p.Text({ max: 128 })),
      limit: p.optional(p.Whole(1, 1000)),
      newest: p.optional(p.Flag),
      type: p.optional(p.List(p.Choice(...eventTypes), { max: eventTypes.length })),
      service: p.optional(p.Id),
    },
    result: EventPage,
  }),
} as const;
