// The types of events that can be about a service. Someone who is limited to certain services gets such an event only if
// it names one of them.
const areas = new Set(['device', 'machine', 'maintenance', 'network', 'plan', 'service', 'software', 'volume']);

export function mayConcernService(type: string): boolean {
  return areas.has(type.split('.')[0]!) || type === 'dns.reverse.changed';
}
