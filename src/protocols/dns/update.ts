// Dynamic updates (RFC 2136): what an UPDATE message asks for, whether its prerequisites hold, and the records at its
// names afterwards. Lines that would break the zone are skipped, as section 3.4.2 says.
import { PresentationError, WireError } from './errors.ts';
import { maxTtlSeconds } from './fields.ts';
import type { DecodedMessage, DecodedRecord } from './message.ts';
import { isWithin } from './name.ts';
import { contentToWire, isComputedType, wireToContent } from './rdata.ts';
import { dnsClasses, isDataType, rcodes, rrTypes } from './types.ts';
import { isNewerSerial } from './zone-rules.ts';

/** The message is refused with this response code. */
export class UpdateError extends Error {
  readonly rcode: number;
  constructor(rcode: number, message: string) {
    super(message);
    this.rcode = rcode;
  }
}

interface SetName {
  readonly name: string;
  /** ANY in a line about all types at the name. */
  readonly type: number;
}

export interface Prerequisite extends SetName {
  readonly requires: 'present' | 'absent';
  /** Set if the whole set must consist of these values and the others of the message. */
  readonly rdata?: Buffer;
}

export interface UpdateLine extends SetName {
  readonly action: 'add' | 'delete';
  readonly ttl: number;
  /** Without it, the whole set is deleted. */
  readonly rdata?: Buffer;
}

export interface UpdateRequest {
  readonly zone: string;
  readonly prerequisites: readonly Prerequisite[];
  readonly lines: readonly UpdateLine[];
}

/** A single record. */
export interface ZoneRecord {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Buffer;
}

export function readUpdate({ questions, answers, authorities }: DecodedMessage): UpdateRequest {
  const [question] = questions;
  if (question?.type !== rrTypes.SOA || questions.length > 1) throw malformed('the zone section is not one SOA');
  if (question.class !== dnsClasses.IN) throw new UpdateError(rcodes.NOTAUTH, 'the class is not IN');
  const zone = question.name;
  for (const { name } of [...answers, ...authorities])
    if (!isWithin(name, zone)) throw new UpdateError(rcodes.NOTZONE, `${name} is outside the zone`);
  return { zone, prerequisites: answers.map(readPrerequisite), lines: authorities.map(readLine) };
}

function readPrerequisite(record: DecodedRecord): Prerequisite {
  const { name, type, ttl } = record;
  if (ttl !== 0) throw malformed('a prerequisite has a TTL');
  if (record.class === dnsClasses.IN) return { name, type, requires: 'present', rdata: canonicalRdata(record) };
  requireNoRdata(record);
  if (!isDataType(type) && type !== rrTypes.ANY) throw malformed('a prerequisite is about a type of queries');
  if (record.class === dnsClasses.ANY) return { name, type, requires: 'present' };
  if (record.class === dnsClasses.NONE) return { name, type, requires: 'absent' };
  throw malformed('a prerequisite has another class');
}

function readLine(record: DecodedRecord): UpdateLine {
  const { name, type, ttl } = record;
  switch (record.class) {
    case dnsClasses.IN:
      if (ttl > maxTtlSeconds) throw malformed('a TTL has more than 31 bits (RFC 2181 section 8)');
      return { action: 'add', name, type, ttl, rdata: canonicalRdata(record) };
    case dnsClasses.NONE:
      if (ttl !== 0) throw malformed('a deletion has a TTL');
      return { action: 'delete', name, type, ttl, rdata: canonicalRdata(record) };
    case dnsClasses.ANY:
      if (ttl !== 0) throw malformed('a deletion has a TTL');
      requireNoRdata(record);
      if (!isDataType(type) && type !== rrTypes.ANY) throw malformed('a deletion is of a type of queries');
      return { action: 'delete', name, type, ttl };
    default:
      throw malformed('a line has another class');
  }
}

function requireNoRdata({ rdata }: DecodedRecord): void {
  if (rdata[0]!.length > 0) throw malformed('rdata where none is allowed');
}

/** Records compare as bytes, so each must have one form. */
function canonicalRdata({ type, rdata }: DecodedRecord): Buffer {
  if (!isDataType(type)) throw malformed('a record of a type of queries');
  try {
    return contentToWire(type, wireToContent(type, rdata[0]!, 'plain'));
  } catch (error) {
    if (error instanceof WireError || error instanceof PresentationError) throw malformed(error.message);
    throw error;
  }
}

function malformed(message: string): UpdateError {
  return new UpdateError(rcodes.FORMERR, message);
}

/** The sets at one name, by type. A message can have thousands of lines for one set, so each is applied at a constant cost. */
type Node = Map<number, { ttl: number; readonly values: Map<string, Buffer> }>;

function buildNodes(records: readonly ZoneRecord[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  for (const { name, type, ttl, rdata } of records) addValue(nodeAt(nodes, name), type, ttl, rdata);
  return nodes;
}

function nodeAt(nodes: Map<string, Node>, name: string): Node {
  return nodes.get(name) ?? nodes.set(name, new Map()).get(name)!;
}

/** All records of a set have one TTL, the one given last. */
function addValue(node: Node, type: number, ttl: number, rdata: Buffer): void {
  const set = node.get(type) ?? node.set(type, { ttl, values: new Map() }).get(type)!;
  set.ttl = ttl;
  set.values.set(keyOf(rdata), rdata);
}

function keyOf(rdata: Buffer): string {
  return rdata.toString('latin1');
}

/** Throws unless all prerequisites hold (section 3.2). `records` are all those at their names. */
export function checkPrerequisites(prerequisites: readonly Prerequisite[], records: readonly ZoneRecord[]): void {
  const nodes = buildNodes(records);
  const required = new Map<string, Node>();
  for (const { name, type, requires, rdata } of prerequisites) {
    if (rdata !== undefined) {
      addValue(nodeAt(required, name), type, 0, rdata);
      continue;
    }
    const isAboutName = type === rrTypes.ANY;
    const isPresent = isAboutName ? nodes.has(name) : nodes.get(name)?.has(type) === true;
    if (requires === 'present' && !isPresent)
      throw new UpdateError(isAboutName ? rcodes.NXDOMAIN : rcodes.NXRRSET, `${name} is missing`);
    if (requires === 'absent' && isPresent)
      throw new UpdateError(isAboutName ? rcodes.YXDOMAIN : rcodes.YXRRSET, `${name} exists`);
  }
  for (const [name, node] of required)
    for (const [type, { values }] of node) {
      const current = nodes.get(name)?.get(type)?.values;
      if (current?.size !== values.size || ![...values.keys()].every((value) => current.has(value)))
        throw new UpdateError(rcodes.NXRRSET, `${name} has other values`);
    }
}

/**
 * Returns the records at the names of the lines after them (section 3.4.2). `records` are all those at these names and
 * at the apex.
 */
export function applyLines(zone: string, records: readonly ZoneRecord[], lines: readonly UpdateLine[]): ZoneRecord[] {
  const nodes = buildNodes(records);
  for (const line of lines) {
    const node = nodeAt(nodes, line.name);
    if (line.action === 'add') addTo(node, zone, line);
    else deleteFrom(node, zone, line);
  }
  return [...nodes].flatMap(([name, node]) =>
    [...node].flatMap(([type, { ttl, values }]) => [...values.values()].map((rdata) => ({ name, type, ttl, rdata }))),
  );
}

function addTo(node: Node, zone: string, { name, type, ttl, rdata }: UpdateLine): void {
  const isOnly = (): boolean => [...node.keys()].every((other) => other === type || isComputedType(other));
  switch (type) {
    case rrTypes.SOA: {
      const [current] = node.get(type)?.values.values() ?? [];
      if (name !== zone || current === undefined || !isNewerSerial(serialIn(rdata!), serialIn(current))) return;
      node.delete(type);
      break;
    }
    case rrTypes.CNAME:
      if (!isOnly()) return;
      node.delete(type);
      break;
    case rrTypes.DNAME:
      node.delete(type);
      break;
    default:
      if (node.has(rrTypes.CNAME)) return;
  }
  addValue(node, type, ttl, rdata!);
}

function deleteFrom(node: Node, zone: string, { name, type, rdata }: UpdateLine): void {
  const isRequired = (other: number): boolean => name === zone && (other === rrTypes.SOA || other === rrTypes.NS);
  if (rdata === undefined) {
    const types = type === rrTypes.ANY ? [...node.keys()] : [type];
    for (const deleted of types) if (!isRequired(deleted)) node.delete(deleted);
    return;
  }
  const values = node.get(type)?.values;
  const isLast = values?.size === 1 && values.has(keyOf(rdata));
  if (type === rrTypes.SOA || (isLast && isRequired(type))) return;
  values?.delete(keyOf(rdata));
  if (values?.size === 0) node.delete(type);
}

function serialIn(soa: Buffer): number {
  return soa.readUInt32BE(soa.length - 20);
}
