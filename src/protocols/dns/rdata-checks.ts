// Rules between the fields of one record. Name servers reject a whole zone for some of these, so they are checked while
// the customer can still correct them.
import { PresentationError } from './errors.ts';
import { Reader } from './reader.ts';

const digestLengths: Readonly<Record<number, number>> = { 1: 20, 2: 32, 3: 32, 4: 48 };
const fingerprintLengths: Readonly<Record<number, number>> = { 1: 20, 2: 32 };
const associationLengths: Readonly<Record<number, number>> = { 1: 32, 2: 64 };
const dnskeyProtocol = 3;
const noAlgorithm = 0;

export function checkDigest(rdata: Buffer): void {
  checkLength('digest', rdata.length - 4, digestLengths[rdata[3]!]);
}

/** RFC 8078: a record without an algorithm asks the parent to remove the DS records. */
export function checkCds(rdata: Buffer): void {
  if (rdata[2] === noAlgorithm) checkRemoval('CDS', rdata, '0000000000');
  else checkDigest(rdata);
}

export function checkCdnskey(rdata: Buffer): void {
  if (rdata[3] === noAlgorithm) checkRemoval('CDNSKEY', rdata, '0000030000');
  else checkDnskey(rdata);
}

function checkRemoval(type: string, rdata: Buffer, expectedHex: string): void {
  if (rdata.toString('hex') === expectedHex) return;
  throw new PresentationError(
    `a ${type} that removes the DS records is ${type === 'CDS' ? '"0 0 0 00"' : '"0 3 0 AA=="'}`,
  );
}

/** TLSA and SMIMEA: a digest has the length of its algorithm. */
export function checkAssociation(rdata: Buffer): void {
  checkLength('digest', rdata.length - 3, associationLengths[rdata[2]!]);
}

export function checkService(rdata: Buffer): void {
  const reader = new Reader(rdata);
  const isAlias = reader.u16() === 0;
  reader.name();
  if (isAlias && reader.left > 0)
    throw new PresentationError('a record with priority 0 is an alias and has no parameters');
}

export function checkUri(rdata: Buffer): void {
  if (rdata.length === 4) throw new PresentationError('the target is empty');
}

export function checkFingerprint(rdata: Buffer): void {
  checkLength('fingerprint', rdata.length - 2, fingerprintLengths[rdata[1]!]);
}

function checkLength(label: string, length: number, expectedLength: number | undefined): void {
  if (expectedLength === undefined || length === expectedLength) return;
  throw new PresentationError(
    `a ${label} of this type has ${expectedLength * 2} hexadecimal digits, not ${length * 2}`,
  );
}

export function checkDnskey(rdata: Buffer): void {
  if (rdata[2] !== dnskeyProtocol) throw new PresentationError(`the protocol must be ${dnskeyProtocol}`);
  checkKey(rdata);
}

const rsaAlgorithms = new Set([1, 5, 7, 8, 10]);
const publicKeyLengths: Readonly<Record<number, number>> = { 13: 64, 14: 96, 15: 32, 16: 57 };

export function checkKey(rdata: Buffer): void {
  const algorithm = rdata[3]!;
  const key = rdata.subarray(4);
  const expectedLength = publicKeyLengths[algorithm];
  if (expectedLength !== undefined && key.length !== expectedLength) {
    throw new PresentationError(`a key of algorithm ${algorithm} has ${expectedLength} bytes, not ${key.length}`);
  }
  if (!rsaAlgorithms.has(algorithm)) return;
  const exponentLength = key[0] === 0 ? ((key[1] ?? 0) << 8) | (key[2] ?? 0) : key[0]!;
  const exponentAt = key[0] === 0 ? 3 : 1;
  if (exponentLength === 0 || key.length <= exponentAt + exponentLength)
    throw new PresentationError('the RSA key is truncated');
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
    throw new PresentationError('the regular expression starts with a character that cannot be a delimiter');
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
