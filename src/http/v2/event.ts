// v2: the event log in pages; event-stream.ts opens it as a stream.
import type { eventV2 } from '#contract/v2/event.ts';
import { eventLogGet } from '#app/events/events.ts';
import type { HandlersOf } from '../handler.ts';

export const eventHandlers: HandlersOf<typeof eventV2> = { eventLogGet };
