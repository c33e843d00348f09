// Version 2: the event log in pages. As a stream it is opened by event-stream.ts.
import type { Handlers } from '#contract/endpoint.ts';
import type { eventV2 } from '#contract/v2/event.ts';
import { eventLogGet } from '#app/events/events.ts';
import type { Context, Visitor } from '#app/yard.ts';

export const eventHandlers: Handlers<typeof eventV2, Context, Visitor> = { eventLogGet };
