// The types of events that can be about a service. Someone who is limited to certain services gets such an event only if
// it names one of them.
const areas = new Set(['device', 'maintenance', 'network', 'plan', 'service', 'software']);

export function mayConcernService(type: string): boolean {
  return areas.has(type.split('.')[0]!) || type === 'dns.reverse.changed';
}
