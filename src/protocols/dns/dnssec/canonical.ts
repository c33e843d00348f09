// The canonical order of names and the canonical form of RRsets (RFC 4034 section 6), which signers and validators have
// to agree on. Names in our rdata are lower case and uncompressed already.
import { labelBytes, splitLabels, wireLength } from '../name.ts';
import type { Rrset } from '../rrset.ts';
import { Writer } from '../writer.ts';

const classIn = 1;
const recordHeaderBytes = 10;

/**
 * Returns a text whose order is the canonical order of names: the labels from the right, as bytes. The separator sorts
 * before every byte of a label, because a name comes before the names below it.
 */
export function orderKey(name: string): string {
  let key = '';
  for (const label of splitLabels(name).reverse()) {
    key += '\0';
    if (!label.includes('\\')) key += label;
    // Only escaped bytes can be as low as the separator; two characters keep them above it, in their order.
    else
      for (const byte of labelBytes(label))
        key += byte < 2 ? `\u0001${String.fromCharCode(byte + 1)}` : String.fromCharCode(byte);
  }
  return key;
}

export function compareNames(left: string, right: string): number {
  const [leftKey, rightKey] = [orderKey(left), orderKey(right)];
  return leftKey < rightKey ? -1 : Number(leftKey > rightKey);
}

/** Returns the number of labels as signatures count them: without the root and a wildcard. */
export function countLabels(name: string): number {
  const labels = splitLabels(name);
  return labels[0] === '*' ? labels.length - 1 : labels.length;
}

/** Returns the records as they are signed, sorted by their data. */
export function canonicalForm(set: Rrset): Buffer {
  const { rdata } = set;
  if (rdata.length === 1) return encodeRecords(set);
  return encodeRecords({ ...set, rdata: rdata.toSorted((left, right) => Buffer.compare(left, right)) });
}

/** Returns the records one after the other, without name compression. */
export function encodeRecords({ name, type, ttl, rdata }: Rrset): Buffer {
  const out = new Writer(rdata.reduce((sum, data) => sum + wireLength(name) + recordHeaderBytes + data.length, 0));
  for (const data of rdata) {
    out.name(name);
    out.u16(type);
    out.u16(classIn);
    out.u32(ttl);
    out.u16(data.length);
    out.bytes(data);
  }
  return out.finish();
}
