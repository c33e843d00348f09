// The present names of servers, zones, people and keys, as far as the user may see them.
import type { Event } from '#sdk/v2.ts';
import { useScopeDenial } from '../data/identity.ts';
import { useRead } from '../data/operations.ts';
import type { NameOf } from '../parts/audit-sentences.ts';
import type { Person } from '../parts/name-order.ts';
import { t } from '../text/text.ts';

/** Names of everything that an audit entry can name. */
export function useThingNames(): NameOf {
  const may = useMayRead();
  const devices = useRead('deviceList', {}, { enabled: may('device:read') });
  const zones = useRead('zoneList', {}, { enabled: may('dns:read') });
  const contacts = useRead('contactGet', {}, { enabled: may('account:read') });
  const keys = useRead('keyGet', {}, { enabled: may('account:keys') });
  return (thing, id) => {
    switch (thing) {
      case 'service':
        return devices.data?.find(({ service }) => service === id)?.hostname;
      case 'zone':
        return zones.data?.find(({ domain_id }) => domain_id === id)?.name;
      case 'contact':
        return personName(contacts.data, id);
      case 'key': {
        const key = keys.data?.find((candidate) => candidate.id === id);
        return key && t('the API key “{name}”', { name: key.name });
      }
      default:
        return undefined;
    }
  };
}

/** Names of servers and people; reads the contacts only if an event names one. */
export function useEventNames(events: readonly Event[]): NameOf {
  const may = useMayRead();
  const namesPerson = events.some(({ data }) => 'contactid' in data && data.contactid !== '');
  const devices = useRead('deviceList', {}, { enabled: may('device:read') });
  const contacts = useRead('contactGet', {}, { enabled: namesPerson && may('account:read') });
  return (thing, id) =>
    thing === 'contact' ? personName(contacts.data, id) : devices.data?.find(({ service }) => service === id)?.hostname;
}

export function personName(people: readonly Person[] | undefined, id: string): string | undefined {
  const person = people?.find((candidate) => candidate.id === id);
  return person && `${person.firstname} ${person.lastname}`;
}

function useMayRead(): (scope: Parameters<ReturnType<typeof useScopeDenial>>[0]) => boolean {
  const scopeDenial = useScopeDenial();
  return (scope) => scopeDenial(scope) === undefined;
}
