// The kinds of parameter that callers send. Each is a JSON Schema with `x-reason`, the sentence a caller gets when the
// value does not fit. Every pattern here runs in linear time: no nested repetition over the same characters.
import { Type, type TSchema, type TString } from 'typebox';
import { Set as setFormat } from 'typebox/format';
import ipaddr from 'ipaddr.js';

const largestId = Number.MAX_SAFE_INTEGER;

setFormat(
  'ip',
  (text: string) =>
    text.length <= 45 &&
    !text.includes('%') &&
    ipaddr.isValid(text) &&
    (text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text)),
);
setFormat('cidr', (text: string) => text.length <= 49 && isCidr(text));

/** Only the plain forms: `10.1/8` and `0x0a000000/8` are networks to some programs and not to others. */
function isCidr(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const plain = address.includes(':')
    ? !address.includes('%') && ipaddr.IPv6.isValid(address)
    : ipaddr.IPv4.isValidFourPartDecimal(address);
  const bits = address.includes(':') ? 128 : 32;
  return (
    plain && rest.length === 0 && (length === undefined || (/^[0-9]{1,3}$/.test(length) && Number(length) <= bits))
  );
}

function reasoned(reason: string): { 'x-reason': string } {
  return { 'x-reason': reason };
}

export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema);
}
/** An optional text that may also be given empty, which clears it. */
export function clearable(schema: TString) {
  const { minLength: _, pattern, ...rest } = schema as TString & { minLength?: number; pattern?: string };
  return Type.Optional(Type.String({ ...rest, ...(pattern === undefined ? {} : { pattern: `^$|${pattern}` }) }));
}
/** An optional parameter that the public documents do not list. */
export function added<T extends TSchema>(schema: T) {
  return Type.Optional({ ...schema, 'x-addition': true } as T);
}

export const Id = Type.Integer({
  minimum: 0,
  maximum: largestId,
  ...reasoned('must be digits, at most 9007199254740991'),
});
export const Timestamp = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  ...reasoned('must be a Unix timestamp in seconds'),
});
export function Whole(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum, ...reasoned(`must be a whole number from ${minimum} to ${maximum}`) });
}
export const Flag = Type.Boolean(reasoned('must be true or false'));

export function Choice<const Values extends readonly string[]>(...values: Values) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...reasoned(`must be one of ${values.join(', ')}`),
  });
}

export function Text(limit: { min?: number; max?: number } = {}) {
  const { min = 1, max = 255 } = limit;
  return Type.String({ minLength: min, maxLength: max, ...reasoned(`must be text of ${min} to ${max} characters`) });
}
function Pattern(pattern: string, reason: string, max = 255) {
  return Type.String({ minLength: 1, maxLength: max, pattern, ...reasoned(`${reason}, at most ${max} characters`) });
}

/** Groups of letters, each group at least three, as the documents' `([a-zA-Z]{3,30}\s*)+` accepts them, in linear time. */
export const PersonName = Pattern('^[a-zA-Z]{3,}(?:\\s+[a-zA-Z]{3,})*\\s*$', 'must be words of at least 3 letters');
export const PostalCode = Pattern(
  '^[a-zA-Z0-9]{3,}(?:\\s+[a-zA-Z0-9]{3,})*\\s*$',
  'must be groups of at least 3 letters or digits',
);
/** The documents name what is refused: anything but letters, digits, hyphen, dot and underscore; spaces between words pass. */
export const PlainWords = Pattern(
  '^[\\w.-]+(?: +[\\w.-]+)*$',
  'must be letters, digits, hyphen, dot, underscore and single spaces between words',
);
export const StreetAddress = Pattern(
  "^[a-zA-Z0-9'.,\\s-]+$",
  'must be letters, digits, apostrophe, period, hyphen, comma and spaces',
);
export const Email = Pattern(
  '^[^\\s@.]+(?:\\.[^\\s@.]+)*@[^\\s@.]+(?:\\.[^\\s@.]+)+$',
  'must be an e-mail address',
  254,
);
export const Password = Text({ max: 128 });
declare const hashBrand: unique symbol;
export type PasswordHash = string & { readonly [hashBrand]: true };
/** A password that is to be stored. It is hashed as soon as it is checked: no handler ever sees it. */
export const NewPassword = Type.Unsafe<PasswordHash>({ ...Password, 'x-hashed': true });
/** A server by its name, or a virtual machine as its node calls it. */
export const DeviceName = Pattern(
  '^[a-zA-Z0-9][a-zA-Z0-9.-]*$',
  'must be the name of a server, or vm- and the number of a machine',
  64,
);
/** The name of one of the provider's staff; case does not matter. */
export const OperatorName = Pattern(
  '^[a-zA-Z][a-zA-Z0-9._-]*$',
  'must be a letter and then letters, digits, dot, underscore or hyphen',
  64,
);
/** As an app on a phone shows it. */
export const OneTimeCode = Pattern('^[0-9]{6}$', 'must be the six digits that the app shows', 6);
/** Ids of actions sort by the time of their start. */
/** Of a job: a number, or what PostgreSQL's queue makes. */
export const JobId = Pattern('^[A-Za-z0-9-]{1,64}$', 'must be the id of a job', 64);
export const ActionId = Pattern('^[a-z0-9]{12,40}$', 'must be the id of an action', 40);
export const CountryCode = Pattern('^[A-Za-z]{2}$', 'must be a country code of two letters', 2);
export const CurrencyCode = Pattern('^[A-Z]{3}$', 'must be a currency code of three capital letters', 3);
export const IpAddress = Type.String({ format: 'ip', maxLength: 45, ...reasoned('must be an IPv4 or IPv6 address') });
export const Cidr = Type.String({
  format: 'cidr',
  maxLength: 49,
  ...reasoned('must be an address or a network such as 192.0.2.0/24'),
});
/** An address and a port; port 0 lets the system choose. */
export const ListenAddress = Pattern(
  '^(?:[0-9.]{7,15}|\\[[0-9a-fA-F:.]{2,45}\\]):[0-9]{1,5}$',
  'must be an address and a port, such as 192.0.2.53:53 or [2001:db8::53]:53',
  53,
);
/** A URL that we are to call. Where it leads is checked before any transaction begins, and again at every call. */
export const DialledUrl = Type.String({
  maxLength: 2048,
  pattern: '^[hH][tT][tT][pP][sS]?://[\\x21-\\x7e]+$',
  'x-dialled': true,
  ...reasoned('must be a URL that begins with http:// or https://, at most 2048 characters'),
});
/** Case does not matter; the one form with and the one without the node number behind a hyphen. */
export const ServerName = Pattern(
  '^[dD][cC][0-9]{2}[rR][0-9]{2}[dD][sS][0-9]{2}(?:-[0-9]{2})?$',
  'must be a server name such as dc01r01ds01 or dc01r01ds01-01',
  14,
);
/** Label rule of the documents. The length of the last label is checked by the app, where the operator's setting is known. */
export const DomainName = Pattern(
  '^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,63}\\.?$',
  'must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only',
  254,
);

/** Either form of label takes other first characters than the next, so there is one way only to match a name. */
const recordLabel = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?|_[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,60}[a-zA-Z0-9])?)';
/** Beyond the label rule a record may begin labels with an underscore and be a wildcard: SRV, DKIM and DMARC need it. */
export const RecordName = Pattern(
  `^(?:\\*\\.)?(?:${recordLabel}\\.)+[a-zA-Z]{2,63}\\.?$`,
  'must be a full name inside the zone; labels may begin with an underscore, the first may be *',
  254,
);
/** In the legacy interface a record's name may also be relative to its zone, or `@` for the zone itself. */
export const ZoneRecordName = Pattern(
  `^(?:@|\\*|(?:\\*\\.)?${recordLabel}(?:\\.${recordLabel})*\\.?)$`,
  'must be a name relative to the zone, a full name inside it, or @',
  254,
);
export const ReverseName = Pattern('^[\\w.-]+$', 'must be letters, digits, hyphen, dot and underscore', 254);
export const RecordContent = Text({ max: 4096 });
export const ZoneFile = Text({ max: 1_000_000 });
export const TimeToLive = Whole(60, 604_800);
export const BmcUsername = Pattern(
  '^[a-zA-Z][a-zA-Z0-9._-]*$',
  'must be a letter and then letters, digits, dot, underscore or hyphen',
  16,
);
/** A public key as it stands in authorized_keys, without options before it; no commas, so that several can be given as text. */
export const SshKey = Pattern(
  '^(?:ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,3}(?: [\\x21-\\x2b\\x2d-\\x7e]+)*$',
  'must be a public key such as ssh-ed25519 AAAA… name',
  4096,
);
export const NetblockSize = Choice('/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64');

/** Several values in one parameter: a JSON array, or text with commas between. */
export function List<T extends TSchema>(item: T, limit: { max: number }) {
  const reason = (item as { 'x-reason'?: string })['x-reason'] ?? 'must fit';
  return Type.Array(item, {
    maxItems: limit.max,
    ...reasoned(`must be at most ${limit.max} values, each of which ${reason}`),
  });
}

const PlainValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
/** The parameters of another call, in one parameter: a JSON object, in a form body its text. */
export const Values = Type.Record(
  Type.String(),
  Type.Union([PlainValue, Type.Array(Type.Union([PlainValue, Type.Record(Type.String(), Type.String())]))]),
  reasoned('must be a JSON object of parameters'),
);

/** Several objects in one parameter: a JSON array, in a form body its text. */
export function ObjectList<P extends Record<string, TSchema>>(members: P, limit: { max: number }) {
  const names = Object.keys(members).join(' and ');
  return Type.Array(Type.Object(members, { additionalProperties: false }), {
    minItems: 1,
    maxItems: limit.max,
    ...reasoned(`must be a JSON array of 1 to ${limit.max} objects with ${names}`),
  });
}
