// From what a caller writes of a record to what is stored: names in one spelling and inside the zone, content checked for
// its type. A refusal names the parameter and the reason.
import type { RecordType } from '#contract/shapes/dns.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import type { DnsRecord } from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { PresentationError } from '#wire/dns/errors.ts';
import { isWithin, parseName } from '#wire/dns/name.ts';
import { contentToWire, isComputedType, wireToContent } from '#wire/dns/rdata.ts';
import { TYPE, typeName } from '#wire/dns/types.ts';
import { ownerProblem } from '#wire/dns/zone-rules.ts';

export const defaultTtlSeconds = 3600;

export interface RecordData {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly content: string;
  readonly rdata: Buffer;
  /** Of a reverse record: the address, as the store keeps it. */
  readonly address: string | null;
}

export interface GivenRecord {
  /** Under which parameter the name came. */
  readonly nameField: 'record' | 'name';
  readonly name: string;
  readonly type: RecordType;
  readonly content: string;
  readonly ttl: number | undefined;
}

export function recordData(zone: Zone, given: GivenRecord): RecordData {
  const type = TYPE[given.type];
  if (isComputedType(type))
    throw new Fault('computed_record', {
      message: `The name server computes records of type ${given.type} itself.`,
      fields: { type: 'is computed by the name server itself' },
    });
  const name = nameInZone(zone, given);
  const problem = ownerProblem(zone.name, name, type);
  if (problem !== undefined) throw invalid({ [given.nameField]: `does not fit: ${problem}` });
  return { name, type, ttl: given.ttl ?? defaultTtlSeconds, ...contentData(type, given.content), address: null };
}

/** v2 has full names only; on legacy a name that is not inside the zone, and has no dot at its end, is relative to it. */
function nameInZone(zone: Zone, { nameField, name }: GivenRecord): string {
  return readable(nameField, () => {
    if (name === '@') return zone.name;
    const absolute = parseName(name);
    const relative = nameField === 'name' && !name.endsWith('.') && !isWithin(absolute, zone.name);
    return relative ? parseName(name, zone.name) : absolute;
  });
}

export function contentData(type: number, content: string): Pick<RecordData, 'content' | 'rdata'> {
  return readable('content', () => {
    const rdata = contentToWire(type, content);
    return { rdata, content: wireToContent(type, rdata, 'plain') };
  });
}

export function dataOfWire(name: string, type: number, ttl: number, wire: Uint8Array): RecordData {
  const rdata = Buffer.from(wire);
  return { name, type, ttl, rdata, content: wireToContent(type, rdata, 'plain'), address: null };
}

export function readable<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PresentationError) throw invalid({ [field]: `is not valid: ${error.message}` });
    throw error;
  }
}

/** A record as lists and differences show it. */
export function recordLine(record: Pick<RecordData, 'name' | 'type' | 'ttl' | 'content'>): {
  name: string;
  type: string;
  ttl: string;
  content: string;
} {
  return { name: record.name, type: typeName(record.type), ttl: String(record.ttl), content: record.content };
}

export function recordShown(record: Pick<DnsRecord, 'id' | 'zone_id' | 'name' | 'type' | 'ttl' | 'content'>): {
  id: string;
  domain_id: string;
  name: string;
  type: string;
  content: string;
  ttl: string;
} {
  return {
    id: String(record.id),
    domain_id: String(record.zone_id),
    name: record.name,
    type: typeName(record.type),
    content: record.content,
    ttl: String(record.ttl),
  };
}
