// The types of parameters. Each is a JSON Schema with `x-reason`, which completes the error message for a value that
// does not match. Every pattern runs in linear time: no nested repetition over the same characters.
import { Type, type TOptional, type TProperties, type TSchema, type TString } from 'typebox';
import { Set as setFormat } from 'typebox/format';
import ipaddr from 'ipaddr.js';
import type { Permission } from './roles.ts';

setFormat('ip', (text: string) => text.length <= 45 && isAddress(text));
setFormat('cidr', (text: string) => text.length <= 49 && isCidr(text));

/** Only the common forms: `10.1` and `0x0a000000` are addresses to some programs and not to others. */
function isAddress(text: string): boolean {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text);
  return !text.includes('%') && ipaddr.IPv6.isValid(text);
}

function isCidr(text: string): boolean {
  const [address = '', length = '0', ...rest] = text.split('/');
  const bits = address.includes(':') ? 128 : 32;
  return isAddress(address) && rest.length === 0 && /^[0-9]{1,3}$/.test(length) && Number(length) <= bits;
}

function withReason(reason: string): { 'x-reason': string } {
  return { 'x-reason': reason };
}

export const optional = Type.Optional;
/** The same parameters, all of them optional: for an update. */
export function allOptional<P extends TProperties>(params: P) {
  return Object.fromEntries(Object.entries(params).map(([name, schema]) => [name, optional(schema)])) as {
    [Name in keyof P]: TOptional<P[Name]>;
  };
}
/** An optional text that can be cleared with an empty value. */
export function clearable(schema: TString) {
  const { minLength: _, pattern, ...rest } = schema as TString & { minLength?: number; pattern?: string };
  return Type.Optional(Type.String({ ...rest, ...(pattern === undefined ? {} : { pattern: `^$|${pattern}` }) }));
}
/** An optional parameter that the public specifications do not have. */
export function addition<T extends TSchema>(schema: T) {
  return Type.Optional({ ...schema, 'x-addition': true } as T);
}

/** A field that needs a further permission than its endpoint. */
export function needsPermission<T extends TSchema>(permission: Permission, schema: T): T {
  return { ...schema, 'x-permission': permission };
}

export const Id = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  ...withReason('must be a numeric id'),
});
export const Timestamp = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  ...withReason('must be a Unix timestamp in seconds'),
});
export function Whole(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum, ...withReason(`must be a whole number from ${minimum} to ${maximum}`) });
}
/** The parameters of a list that is returned in pages: `after` is what identifies the last entry of the previous page. */
export function pageAfter<T extends TSchema>(entry: T) {
  return { limit: optional(Whole(1, 1000)), after: optional(entry) };
}
/** The same for a list that begins with the newest entry. */
export function pageBefore<T extends TSchema>(entry: T) {
  return { limit: optional(Whole(1, 1000)), before: optional(entry) };
}
export const Flag = Type.Boolean(withReason('must be true or false'));

export function Choice<const Values extends readonly string[]>(...values: Values) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...withReason(`must be one of ${values.join(', ')}`),
  });
}

/** Marks the values of a choice that the public specifications do not have. */
export function withAddedValues<T extends TSchema>(schema: T, values: readonly string[]): T {
  return { ...schema, 'x-added-values': values };
}

export function Text(limit: { min?: number; max?: number } = {}) {
  const { min = 1, max = 255 } = limit;
  return Type.String({ minLength: min, maxLength: max, ...withReason(`must be text of ${min} to ${max} characters`) });
}
export function Pattern(pattern: string, reason: string, max = 255) {
  return FixedPattern(pattern, `${reason}, at most ${max} characters`, max);
}
/** For values whose length follows from the reason: `must be the six digits that the app shows`. */
export function FixedPattern(pattern: string, reason: string, max: number) {
  return Type.String({ minLength: 1, maxLength: max, pattern, ...withReason(reason) });
}
/** For values that only a pattern limits. */
export function Matching(pattern: string, reason: string) {
  return Type.String({ pattern, ...withReason(reason) });
}

/** The text of a file, which the command line reads from the file that is named. */
export function FileText(limit: { max: number }) {
  return Type.String({
    minLength: 1,
    maxLength: limit.max,
    'x-file': true,
    ...withReason('must be the text of a file'),
  });
}
/** Groups of at least three letters, as the specification's `([a-zA-Z]{3,30}\s*)+` accepts them, in linear time. */
export const PersonName = Pattern('^[a-zA-Z]{3,}(?:\\s+[a-zA-Z]{3,})*\\s*$', 'must be words of at least 3 letters');
export const PostalCode = Pattern(
  '^[a-zA-Z0-9]{3,}(?:\\s+[a-zA-Z0-9]{3,})*\\s*$',
  'must be groups of at least 3 letters or digits',
);
/**
 * The specification rejects everything but letters, digits, hyphen, dot and underscore; spaces between words are
 * accepted.
 */
export const PlainWords = Pattern(
  '^[\\w.-]+(?: +[\\w.-]+)*$',
  'must be letters, digits, hyphen, dot, underscore and single spaces between words',
);
export const StreetAddress = Pattern(
  "^[a-zA-Z0-9'.,\\s-]+$",
  'must be letters, digits, apostrophe, period, hyphen, comma and spaces',
);
const mailCharacters = '[^\\s@.\\x00-\\x1f\\x7f-\\x9f]+';
export const Email = Pattern(
  `^${mailCharacters}(?:\\.${mailCharacters})*@${mailCharacters}(?:\\.${mailCharacters})+$`,
  'must be an email address',
  254,
);
/** A field of a response that may be sent back, but not changed. */
export const Unchanged = Type.String({ maxLength: 4096, ...withReason('must be unchanged') });
/** Text that often consists of digits, which JSON may carry as a number. */
export function digitsToo<T extends TSchema>(schema: T): T {
  return { ...schema, 'x-digits': true };
}
declare const secretBrand: unique symbol;
/** A value that must not be written to the audit log. */
export type Secret = string & { readonly [secretBrand]: true };
export const Password = Type.Unsafe<Secret>(Text({ max: 128 }));
/** Bought from the vendor of some software; secret, because whoever has it can use it up. */
export const LicenceKey = Type.Unsafe<Secret>(Text({ max: 4096 }));
declare const hashBrand: unique symbol;
export type PasswordHash = string & { readonly [hashBrand]: true };
/** A password to store. It is hashed before the transaction starts; handlers receive the hash, never the text. */
function hashedPassword(min: number) {
  return Type.Unsafe<PasswordHash>({ ...Text({ min, max: 128 }), 'x-hashed': true });
}
/** Staff reach every customer. */
export const minPasswordLength = { customer: 10, staff: 12 };
export const NewPassword = hashedPassword(minPasswordLength.customer);
export const NewStaffPassword = hashedPassword(minPasswordLength.staff);
/** How the caller's password compared with the hash that was stored before the transaction started. */
export interface PasswordCheck {
  readonly isCorrect: boolean;
  readonly hash: string | null;
}
/**
 * The caller's own password, as confirmation. It is verified before the transaction starts; handlers receive the
 * outcome.
 */
export const CurrentPassword = Type.Unsafe<PasswordCheck>({ ...Password, 'x-verified': true });
/** A password that a person without a session chooses. Its handler hashes it, once the rest of the call is valid. */
export const ChosenPassword = Type.Unsafe<Secret>(Text({ min: minPasswordLength.customer, max: 128 }));
export const ChosenStaffPassword = Type.Unsafe<Secret>(Text({ min: minPasswordLength.staff, max: 128 }));
const nameCharacters = '[^\\s\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069<>"@:;/\\\\={}|]+';
/** A name in any script: Müller, O’Brien, 東京. Without characters that names do not have and links do. */
export const HumanName = Pattern(`^${nameCharacters}(?: ${nameCharacters})*$`, 'must be a name', 100);
/** A line about a person or a company, in any script. */
export const PersonLine = Pattern(
  '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+$',
  'must be text without control characters',
);
/** The token of a link that was sent by email. */
export const LinkToken = Type.Unsafe<Secret>(
  FixedPattern('^[A-Za-z0-9_-]{43}$', 'must be the 43 characters after the # of the link', 43),
);
/** A password that the server generates, shows once and stores as a hash. */
export interface GeneratedPassword {
  readonly password: string;
  readonly hash: PasswordHash;
}
/** A server by its name, or a virtual machine by its name on the hypervisor. */
export const DeviceName = Pattern(
  '^[a-zA-Z0-9][a-zA-Z0-9._-]*$',
  'must be the name of a server, or vm- followed by the number of a machine',
  64,
);
/** The name of an operator, case-insensitive. */
export const OperatorName = Pattern(
  '^[a-zA-Z][a-zA-Z0-9._-]*$',
  'must start with a letter and contain only letters, digits, dot, underscore or hyphen',
  64,
);
export const OneTimeCode = Type.Unsafe<Secret>(
  FixedPattern('^[0-9]{6}$', 'must be the six digits that the app shows', 6),
);
/** The second factor of a sign-in: a code of the app, or one of the recovery codes. */
export const SignInCode = Type.Unsafe<Secret>(
  FixedPattern(
    '^(?:[0-9]{6}|[A-Za-z2-7]{4}(?:-?[A-Za-z2-7]{4}){3})$',
    'must be the six digits that the app shows, or a recovery code',
    19,
  ),
);
/** A number on SQLite, a UUID on PostgreSQL. */
export const JobId = Pattern('^[A-Za-z0-9-]{1,64}$', 'must be the id of a job', 64);
export const ActionId = Pattern('^[a-z0-9]{12,40}$', 'must be the id of an action', 40);
export const CalendarDate = FixedPattern('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'must be a date such as 2026-01-31', 10);
/** How money was paid, such as banktransfer. */
export const PaymentMethodName = Pattern('^[a-z0-9][a-z0-9-]*$', 'must be lower-case letters, digits or hyphens', 32);
export const LanguageCode = FixedPattern('^[a-z]{2}$', 'must be a language code such as en', 2);
export const CountryCode = FixedPattern('^[A-Za-z]{2}$', 'must be a two-letter country code', 2);
/** Documents contain it unchanged, and their formats want capitals. */
export const CapitalCountryCode = FixedPattern('^[A-Z]{2}$', 'must be a country code of two capital letters', 2);
export const PaymentAmount = Pattern('^[0-9]{1,9}(?:\\.[0-9]{1,2})?$', 'must be an amount such as 12.50', 12);
export const CurrencyCode = FixedPattern('^[A-Z]{3}$', 'must be a currency code of three capital letters', 3);
export const IpAddress = Type.String({ format: 'ip', maxLength: 45, ...withReason('must be an IPv4 or IPv6 address') });
export const Cidr = Type.String({
  format: 'cidr',
  maxLength: 49,
  ...withReason('must be an address or a network such as 192.0.2.0/24'),
});
/** Port 0 lets the system choose. */
export const ListenAddress = Pattern(
  '^(?:[0-9.]{7,15}|\\[[0-9a-fA-F:.]{2,45}\\]):[0-9]{1,5}$',
  'must be an address and a port, such as 192.0.2.53:53 or [2001:db8::53]:53',
  53,
);
/** A URL that we call. Its destination is checked before any transaction starts, and again at every call. */
export const CallbackUrl = Type.String({
  maxLength: 2048,
  pattern: '^[hH][tT][tT][pP][sS]?://[\\x21-\\x7e]+$',
  'x-called': true,
  ...withReason('must be a URL that starts with http:// or https://, at most 2048 characters'),
});
/** A server by the provider's name, case-insensitive. With a letter, so that it is neither an id nor an address. */
export const ServerName = Pattern(
  '^(?:[0-9][0-9._-]*)?[a-zA-Z](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$',
  'must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter',
  64,
);
/** A server by its name in the legacy API: case-insensitive, with or without the node number after a hyphen. */
export const LegacyServerName = FixedPattern(
  '^[dD][cC][0-9]{2}[rR][0-9]{2}[dD][sS][0-9]{2}(?:-[0-9]{2})?$',
  'must be a server name such as dc01r01ds01 or dc01r01ds01-01',
  14,
);
const hostLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
/** Letters, or a top-level domain in another script. */
const lastLabel = '(?:[a-zA-Z]{2,63}|[xX][nN]--[a-zA-Z0-9-]{0,58}[a-zA-Z0-9])';
/**
 * The label rule of the specification. The app checks the length of the last label, because it depends on a setting.
 */
export const DomainName = Pattern(
  `^(?:${hostLabel}\\.)+${lastLabel}\\.?$`,
  'must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only',
  254,
);
/** A mailbox in DNS: an email address, or the same with a dot instead of the @. */
export const Hostmaster = Pattern(
  `^(?:[\\w.+-]+@)?(?:${hostLabel}\\.)+[a-zA-Z]{2,63}\\.?$`,
  'must be an email address, or the same with a dot instead of the @',
  254,
);
/** A domain name, or a single label. */
export const HostName = Pattern(
  `^(?:${hostLabel}|(?:${hostLabel}\\.)+${lastLabel}\\.?)$`,
  'must be a host name: one label, or several separated by dots, the last of letters only',
  254,
);

/** A domain that the caller controls, and what becomes of the zones of others at or below it. */
export interface DomainProof {
  readonly name: string;
  readonly token: string;
  /** Ids of zones below it that are not delegated to the provider's name servers. */
  readonly undelegated: readonly number[];
  /** Ids of those that are. */
  readonly delegated: readonly number[];
}
/**
 * A domain whose proof of control is looked up in the public DNS before the transaction starts; handlers receive the
 * proof.
 */
export const ProvenDomain = Type.Unsafe<DomainProof>({ ...DomainName, 'x-proven': true });

/**
 * A domain of single sign-on, looked up before the transaction starts: the token that was found in its DNS, or why there
 * is none, which the caller learns after proving their identity.
 */
export type SignOnDomainProof = { readonly domain: string; readonly token: string } | { readonly failure: Error };
export const SignOnDomainName = Type.Unsafe<SignOnDomainProof>({ ...DomainName, 'x-sign-on': true });

/** Beyond the label rule, labels of a record may have underscores and stars, which SRV, DKIM and wildcards need. */
const recordLabel = '[a-zA-Z0-9_*](?:[a-zA-Z0-9_*-]{0,61}[a-zA-Z0-9_*])?';
export const RecordName = Pattern(
  `^(?:${recordLabel}\\.)+${recordLabel}\\.?$`,
  'must be a full name inside the zone: labels of letters, digits, underscores, stars and inner hyphens',
  254,
);
/** In the legacy API, a record's name may also be relative to its zone, or `@` for the zone itself. */
export const ZoneRecordName = Pattern(
  `^(?:@|${recordLabel}(?:\\.${recordLabel})*\\.?)$`,
  'must be a name relative to the zone, a full name inside it, or @',
  254,
);
/** A zone as PowerDNS identifies it: with or without the trailing dot, and with `=2F` for a slash. */
export const ZoneName = Pattern('^[^\\s:]+$', 'must be the name of a zone', 765);
export const ChallengeName = Pattern('^[^\\s:]+$', 'must be the full name of a record', 255);
export const ReverseName = Pattern('^[\\w.-]+$', 'must be letters, digits, hyphen, dot and underscore', 254);
export const RecordContent = Text({ max: 4096 });
export const BmcUsername = Pattern(
  '^[a-zA-Z][a-zA-Z0-9._-]*$',
  'must start with a letter and contain only letters, digits, dot, underscore or hyphen',
  16,
);
/** A customer's own label of a service. */
export const Label = Pattern(
  '^[a-z0-9](?:[a-z0-9._:=/-]*[a-z0-9])?$',
  'must be lower-case letters and digits, with . _ : = / or - between them',
  63,
);
/** Spaces and punctuation are ignored; the digits are checked later, by country. */
export const VatNumber = Pattern(
  '^[A-Za-z]{2}[ .-]?[A-Za-z]{0,2}[ .-]?[0-9][A-Za-z0-9 .+*-]{1,25}$',
  'must be a VAT number with the prefix of its country, such as BE0428759497',
  30,
);
/** An electronic address for e-invoices: a scheme of the EAS code list, and an identifier in it. */
export const InvoiceEndpoint = Pattern(
  '^[0-9A-Z]{2,4}:[\\x21-\\x7e]{1,60}$',
  'must be a scheme and an identifier, such as 0208:0428759497',
  65,
);
export const PlanName = Text({ max: 64 });
export const CouponCode = Pattern('^[A-Za-z0-9-]{4,}$', 'must be at least 4 letters, digits and hyphens', 32);
export const Discount = Pattern(
  '^(?:100|[0-9]{1,2}(?:\\.[0-9]{1,2})?)%$|^[0-9]{1,9}(?:\\.[0-9]{1,2})?$',
  'must be a percentage such as 25%, or an amount such as 10.00',
  12,
);
export const Quantity = Pattern('^[0-9]{1,9}(?:\\.[0-9]{1,3})?$', 'must be a number with at most three decimals', 13);
/** A time zone of the IANA database. */
export const TimeZone = Pattern('^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$', 'must be a time zone such as Europe/Berlin', 64);
export const InterfaceName = Pattern('^[a-zA-Z0-9][a-zA-Z0-9._-]*$', 'must be the name of a network interface', 15);
const blockSizes = ['/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64'] as const;
export const NetblockSize = Choice(...blockSizes);
/** Also a single IPv4 address, which the public specifications do not have. */
export const AddressSize = Choice('/32', ...blockSizes);

/** Several values in one parameter: a JSON array, or comma-separated text. */
export function List<T extends TSchema>(item: T, limit: { max: number }) {
  const reason = (item as { 'x-reason'?: string })['x-reason'] ?? 'must be valid';
  return Type.Array(item, {
    maxItems: limit.max,
    ...withReason(`must be at most ${limit.max} values, each of which ${reason}`),
  });
}

/** The only services that a person or key gets to see; empty for all. */
export const ServiceLimits = List(Id, { max: 1000 });

const PlainValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
/** The parameters of another call in one parameter: a JSON object, or its text in a form body. */
export const Values = Type.Record(
  Type.String(),
  Type.Union([PlainValue, Type.Array(Type.Union([PlainValue, Type.Record(Type.String(), PlainValue)]))]),
  withReason('must be a JSON object of parameters'),
);

/** An object that may have no other members. */
export function StrictObject<P extends TProperties>(members: P) {
  return Type.Object(members, { additionalProperties: false });
}
/** Several objects in one parameter: a JSON array, or its text in a form body. */
export function ObjectList<P extends TProperties>(members: P, limit: { max: number }) {
  const [required, others] = [false, true].map((isOptional) =>
    Object.keys(members).filter((name) => Type.IsOptional(members[name]!) === isOptional),
  ) as [string[], string[]];
  const names = `${required.join(' and ')}${others.length > 0 ? `, and optionally ${others.join(', ')}` : ''}`;
  return Type.Array(StrictObject(members), {
    minItems: 1,
    maxItems: limit.max,
    ...withReason(`must be a JSON array of 1 to ${limit.max} objects with ${names}`),
  });
}
