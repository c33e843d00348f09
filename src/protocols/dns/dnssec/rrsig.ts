// RRSIG records (RFC 4034 section 3): what a signature covers, and the record that contains it.
import type { Rrset } from '../rrset.ts';
import { Writer } from '../writer.ts';
import { canonicalForm, countLabels } from './canonical.ts';

export interface SignatureTerms {
  readonly algorithm: number;
  readonly keyTag: number;
  /** The zone's name. */
  readonly signer: string;
  readonly inceptionSeconds: number;
  readonly expirationSeconds: number;
}

/** Returns the record's data without the signature. An RRset at a wildcard is signed as such (RFC 4035 section 2.2). */
export function rrsigHeader(set: Rrset, terms: SignatureTerms): Buffer {
  const out = new Writer(64);
  out.u16(set.type);
  out.u8(terms.algorithm);
  out.u8(countLabels(set.name));
  out.u32(set.ttl);
  out.u32(terms.expirationSeconds);
  out.u32(terms.inceptionSeconds);
  out.u16(terms.keyTag);
  out.name(terms.signer);
  return out.finish();
}

export function bytesToSign(header: Uint8Array, set: Rrset): Buffer {
  return Buffer.concat([header, canonicalForm(set)]);
}
