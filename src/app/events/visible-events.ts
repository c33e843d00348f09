// The events that a caller with limits sees: those of the services and DNS records within them, and all that are about
// neither.
import { mayConcernService } from '#contract/events/service-events.ts';
import { serviceOperations } from '#contract/service-operations.ts';
import type { Queries } from '#store/store.ts';
import { eventData, type StoredEvent } from '#store/work/events.ts';
import type { Caller } from '../caller.ts';
import { visibleDnsEvents } from '../dns/visible-events.ts';
import { isServiceVisible } from '../services/limits.ts';

export type EventReader = Pick<Caller, 'account' | 'dnsLimits' | 'services'>;

export async function visibleEvents(
  queries: Queries,
  reader: EventReader,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const { services } = reader;
  const within = services === undefined ? events : events.filter((event) => isVisible(reader, event));
  return visibleDnsEvents(queries, reader, within);
}

/** An event that names no service, though it can be about one, is from before events of its type did, or about several. */
function isVisible({ services }: EventReader, { service_id, type, data }: StoredEvent): boolean {
  if (service_id !== null) return isServiceVisible(services, service_id);
  if (!type.startsWith('plan.')) return !mayConcernService(type);
  const { operation } = eventData.decode(data) as { readonly operation: string };
  return !serviceOperations.has(`v2.${operation}`);
}
