// Version 2, our addition: the account's event log, paged and streamed.
import { endpoint } from '../endpoint.ts';
import { eventTypes } from '../events/events.ts';
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
    history: true,
    summary: 'List events, oldest first',
    description:
      'Numbered without gaps in commit order. With `Accept: text/event-stream`, streams events as ' +
      'server-sent events without an end: each has its cursor as `id`, and `Last-Event-ID` resumes after it, ' +
      'on any instance. A cursor is valid only for the account and installation that issued it. `newest` returns ' +
      'the last `limit` events and the cursor after them; it cannot be combined with `after` or a stream.',
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
