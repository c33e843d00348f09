// What must hold between the fields of one record. Name servers refuse a whole zone for some of these, so they are found
// here, while the customer is still looking.
import { PresentationError } from './errors.ts';
import { Reader } from './reader.ts';

const DIGEST_BYTES: Readonly<Record<number, number>> = { 1: 20, 2: 32, 3: 32, 4: 48 };
const FINGERPRINT_BYTES: Readonly<Record<number, number>> = { 1: 20, 2: 32 };
const DNSKEY_PROTOCOL = 3;

export function checkDigest(rdata: Buffer): void {
  checkLength('digest', rdata.length - 4, DIGEST_BYTES[rdata[3]!]);
}

export function checkFingerprint(rdata: Buffer): void {
  checkLength('fingerprint', rdata.length - 2, FINGERPRINT_BYTES[rdata[1]!]);
}

function checkLength(label: string, length: number, wanted: number | undefined): void {
  if (wanted === undefined || length === wanted) return;
  throw new PresentationError(`a ${label} of this type has ${wanted * 2} hexadecimal digits, not ${length * 2}`);
}

export function checkDnskey(rdata: Buffer): void {
  if (rdata[2] !== DNSKEY_PROTOCOL) throw new PresentationError(`the protocol must be ${DNSKEY_PROTOCOL}`);
  checkKey(rdata);
}

const RSA_ALGORITHMS = new Set([1, 5, 7, 8, 10]);
const KEY_BYTES: Readonly<Record<number, number>> = { 13: 64, 14: 96, 15: 32, 16: 57 };

export function checkKey(rdata: Buffer): void {
  const algorithm = rdata[3]!;
  const key = rdata.subarray(4);
  const wanted = KEY_BYTES[algorithm];
  if (wanted !== undefined && key.length !== wanted) {
    throw new PresentationError(`a key of algorithm ${algorithm} has ${wanted} bytes, not ${key.length}`);
  }
  if (!RSA_ALGORITHMS.has(algorithm)) return;
  const exponentLength = key[0] === 0 ? ((key[1] ?? 0) << 8) | (key[2] ?? 0) : key[0]!;
  const exponentAt = key[0] === 0 ? 3 : 1;
  if (exponentLength === 0 || key.length <= exponentAt + exponentLength)
    throw new PresentationError('the RSA key is cut short');
}

/** RFC 3403: either an expression or a replacement, and an expression has the form `!pattern!replacement!flags`. */
export function checkNaptr(rdata: Buffer): void {
  const reader = new Reader(rdata, 4);
  const flags = reader.slice(reader.u8()).toString('latin1');
  reader.slice(reader.u8());
  const expression = reader.slice(reader.u8()).toString('latin1');
  const replacement = reader.name();
  if (!/^[0-9a-z]*$/i.test(flags)) throw new PresentationError('the flags must be letters and digits');
  if (expression === '') return;
  if (replacement !== '') throw new PresentationError('with a regular expression the replacement must be "."');
  const delimiter = expression[0]!;
  if (/[0-9i\\]/.test(delimiter))
    throw new PresentationError('the regular expression begins with a character that cannot delimit it');
  let delimiters = 0;
  let tail = '';
  for (let at = 0; at < expression.length; at++) {
    if (delimiters === 3) tail += expression[at];
    else if (expression[at] === '\\') at++;
    else if (expression[at] === delimiter) delimiters++;
  }
  if (delimiters !== 3 || (tail !== '' && tail !== 'i')) {
    throw new PresentationError('the regular expression must have the form !pattern!replacement! with an optional i');
  }
}
