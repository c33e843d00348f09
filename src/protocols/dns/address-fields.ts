// Addresses in rdata: strict dotted quads (no octal or short forms), and IPv6 in any form, printed as in RFC 5952.
import { isIPv4, isIPv6 } from 'node:net';
import { PresentationError } from './errors.ts';
import { type Field, wordField } from './fields.ts';
import type { Writer } from './writer.ts';

export function ipv4(label: string): Field {
  const write = (text: string, out: Writer) => {
    if (!isIPv4(text)) throw new PresentationError(`the ${label} must be an IPv4 address, not ${JSON.stringify(text)}`);
    out.bytes(text.split('.').map(Number));
  };
  return wordField(label, write, (reader) => reader.slice(4).join('.'));
}

export function ipv6(label: string): Field {
  const write = (text: string, out: Writer) => {
    if (!isIPv6(text) || text.includes('%')) {
      throw new PresentationError(`the ${label} must be an IPv6 address, not ${JSON.stringify(text)}`);
    }
    for (const group of groupsOf(text)) out.u16(group);
  };
  return wordField(label, write, (reader) => printGroups(Array.from({ length: 8 }, () => reader.u16())));
}

function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const before = readGroups(head);
  if (tail === undefined) return before;
  const after = readGroups(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [(a << 8) | b, (c << 8) | d];
  });
}

function printGroups(groups: number[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}
