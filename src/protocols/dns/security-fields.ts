// Fields of DNSSEC record types: timestamps, type bitmaps, and numbers with mnemonics.
import { writeTypeBitmap } from './dnssec/nsec.ts';
import { PresentationError, WireError } from './errors.ts';
import { type Field, number, wordField } from './fields.ts';
import { typeName, typeNumber } from './types.ts';
import type { Writer } from './writer.ts';

export const algorithm = number('algorithm', 'u8', {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  'DSA-NSEC3-SHA1': 6,
  'RSASHA1-NSEC3-SHA1': 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
});

export const certificateType = number('certificate type', 'u16', {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
});

export const coveredType: Field = wordField(
  'type covered',
  (text, out) => out.u16(typeNumber(text)),
  (reader) => typeName(reader.u16()),
);

/** YYYYMMDDHHmmSS in UTC, or seconds since 1970. */
export function timestamp(label: string): Field {
  const write = (text: string, out: Writer) => {
    const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
    const value = parts
      ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`) / 1000
      : Number(/^\d{1,10}$/.test(text) ? text : Number.NaN);
    if (!(value >= 0 && value <= 0xffffffff)) {
      throw new PresentationError(`the ${label} must be YYYYMMDDHHmmSS, not ${JSON.stringify(text)}`);
    }
    out.u32(value);
  };
  return wordField(label, write, (reader) =>
    new Date(reader.u32() * 1000).toISOString().slice(0, 19).replace(/\D/g, ''),
  );
}

/** The types that exist at a name, in windows of 256 (RFC 4034 section 4.1.2). */
export const typeBitmap: Field = {
  label: 'type list',
  parse(words, at, out) {
    writeTypeBitmap(
      out,
      words.slice(at).map((word) => typeNumber(word.text)),
    );
    return words.length - at;
  },
  print(reader) {
    const types: string[] = [];
    let lastWindow = -1;
    while (reader.left > 0) {
      const window = reader.u8();
      const length = reader.u8();
      if (window <= lastWindow || length < 1 || length > 32) throw new WireError('a type bitmap is malformed');
      lastWindow = window;
      reader.slice(length).forEach((byte, index) => {
        for (let bit = 0; bit < 8; bit++)
          if (byte & (0x80 >> bit)) types.push(typeName((window << 8) | (index * 8 + bit)));
      });
    }
    return types.join(' ');
  },
};
