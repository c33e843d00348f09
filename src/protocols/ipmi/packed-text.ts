// The type/length byte of FRU and sensor records with its text, in the four encodings of the specification.

export interface PackedText {
  text: string;
  /** The offset after the field. */
  end: number;
}

export const endOfFields = 0xc1;
const latin1 = 0b11;

export function encodePackedText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1').subarray(0, 0x3f);
  // A latin-1 field of one byte would look like the end-of-fields marker, so a space is appended.
  const padded = bytes.length === 1 ? Buffer.concat([bytes, Buffer.from(' ')]) : bytes;
  return Buffer.concat([Buffer.from([(latin1 << 6) | padded.length]), padded]);
}

/** Returns the field at this offset, or undefined at the end of the fields or bytes. */
export function decodePackedText(bytes: Buffer, offset: number): PackedText | undefined {
  const head = bytes[offset];
  if (head === undefined || head === endOfFields) return undefined;
  const start = offset + 1;
  const end = start + (head & 0x3f);
  if (end > bytes.length) return undefined;
  return { text: readText(head >> 6, bytes.subarray(start, end)).trimEnd(), end };
}

function readText(encoding: number, bytes: Buffer): string {
  if (encoding === 0) return bytes.toString('hex');
  if (encoding === 1) return [...bytes].map((pair) => bcdPlus(pair >> 4) + bcdPlus(pair & 0x0f)).join('');
  if (encoding === 2) return sixBit(bytes);
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
}

function bcdPlus(digit: number): string {
  return '0123456789 -.:,_'.charAt(digit);
}

/** Four 6-bit characters in three bytes, lowest bits first; 0 is a space. */
function sixBit(bytes: Buffer): string {
  let text = '';
  for (let bit = 0; bit + 6 <= bytes.length * 8; bit += 6) {
    const pair = (bytes[bit >> 3] ?? 0) | ((bytes[(bit >> 3) + 1] ?? 0) << 8);
    text += String.fromCharCode(0x20 + ((pair >> (bit & 7)) & 0x3f));
  }
  return text;
}
