// v2: the event log in pages; event-stream.ts opens it as a stream.
import type { Handlers } from '#contract/endpoint.ts';
import type { eventV2 } from '#contract/v2/event.ts';
import { eventLogGet } from '#app/events/events.ts';
import type { Context, Visitor } from '#app/app.ts';

export const eventHandlers: Handlers<typeof eventV2, Context, Visitor> = { eventLogGet };
