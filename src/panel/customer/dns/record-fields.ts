// The fields of each record type, from which the content is built. A type that is not listed is typed as text.
import type { NewRecordType } from './record-types.ts';
import { t } from '../../text/text.ts';

export interface RecordField {
  readonly label: string;
  readonly placeholder: string;
  readonly kind: 'number' | 'name' | 'ipv4' | 'ipv6' | 'hex' | 'text' | 'quoted';
  /** The highest number. */
  readonly max?: number;
  /** Values with their meaning, to choose from. */
  readonly choices?: readonly (readonly [value: string, meaning: string])[];
}

const number = (label: string, placeholder: string, max: number): RecordField => ({
  label,
  placeholder,
  kind: 'number',
  max,
});
const name = (label: string, placeholder: string): RecordField => ({ label, placeholder, kind: 'name' });
const hex = (label: string): RecordField => ({ label, placeholder: '123456789abcdef…', kind: 'hex' });
const choice = (label: string, ...choices: readonly (readonly [string, string])[]): RecordField => ({
  label,
  placeholder: choices[0]![0],
  kind: 'text',
  choices,
});

const maxUint16 = 65_535;
const priority = number(t('Priority'), '10', maxUint16);
const algorithm = choice(
  t('Algorithm'),
  ['13', 'ECDSA P-256'],
  ['8', 'RSA/SHA-256'],
  ['14', 'ECDSA P-384'],
  ['15', 'Ed25519'],
);
const digestType = choice(t('Digest type'), ['2', 'SHA-256'], ['4', 'SHA-384'], ['1', 'SHA-1']);
const certificate = [
  choice(
    t('Usage@@certificate'),
    ['3', t('Own certificate')],
    ['2', t('Own authority')],
    ['1', t('Public certificate')],
    ['0', t('Public authority')],
  ),
  choice(t('Selector'), ['1', t('Public key')], ['0', t('Whole certificate')]),
  choice(t('Matching'), ['1', 'SHA-256'], ['2', 'SHA-512'], ['0', t('Exact')]),
  hex(t('Data')),
];
const delegationSigner = [number(t('Key tag'), '12345', maxUint16), algorithm, digestType, hex(t('Digest'))];

export const recordFields: Readonly<Partial<Record<NewRecordType, readonly RecordField[]>>> = {
  A: [{ label: t('IPv4 address'), placeholder: '192.0.2.10', kind: 'ipv4' }],
  AAAA: [{ label: t('IPv6 address'), placeholder: '2001:db8::10', kind: 'ipv6' }],
  CNAME: [name(t('Target'), 'www.example.net')],
  ALIAS: [name(t('Target'), 'www.example.net')],
  DNAME: [name(t('Target'), 'example.net')],
  NS: [name(t('Name server'), 'ns1.example.net')],
  PTR: [name(t('Hostname'), 'host.example.net')],
  MX: [priority, name(t('Mail server'), 'mail.example.net')],
  SRV: [
    priority,
    number(t('Weight'), '60', maxUint16),
    number(t('Port'), '5060', maxUint16),
    name(t('Target'), 'sip.example.net'),
  ],
  CAA: [
    choice(t('Flags'), ['0', t('Not critical')], ['128', t('Critical')]),
    choice(t('Tag'), ['issue', t('May issue')], ['issuewild', t('May issue wildcards')], ['iodef', t('Report to')]),
    { label: t('Value'), placeholder: 'letsencrypt.org', kind: 'quoted' },
  ],
  TLSA: certificate,
  SMIMEA: certificate,
  SSHFP: [
    choice(t('Algorithm'), ['4', 'Ed25519'], ['3', 'ECDSA'], ['1', 'RSA']),
    choice(t('Fingerprint type'), ['2', 'SHA-256'], ['1', 'SHA-1']),
    hex(t('Fingerprint')),
  ],
  DS: delegationSigner,
  CDS: delegationSigner,
  URI: [
    priority,
    number(t('Weight'), '1', maxUint16),
    { label: 'URI', placeholder: 'https://example.net/', kind: 'quoted' },
  ],
  HINFO: [
    { label: 'CPU', placeholder: 'x86-64', kind: 'quoted' },
    { label: t('System'), placeholder: 'Linux', kind: 'quoted' },
  ],
  RP: [name(t('Mailbox'), 'admin.example.net'), name(t('Text record'), 'info.example.net')],
};

/** Returns the content, or what is wrong with each field by its position. */
export function composeContent(
  fields: readonly RecordField[],
  values: readonly string[],
): { readonly content: string } | { readonly errors: readonly (string | undefined)[] } {
  const typed = fields.map((field, index) => (values[index] ?? '').trim() || (field.choices?.[0]?.[0] ?? ''));
  const errors = fields.map((field, index) => problemOf(field, typed[index]!));
  if (errors.some((error) => error !== undefined)) return { errors };
  return { content: fields.map((field, index) => contentOf(field, typed[index]!)).join(' ') };
}

/** Splits a content into fields, so that switching from text loses nothing; undefined if it does not fit. */
export function splitContent(fields: readonly RecordField[], content: string): readonly string[] | undefined {
  const parts = content.trim().match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? [];
  // The last field may contain spaces, as digests in several parts do.
  const values = [...parts.slice(0, fields.length - 1), parts.slice(fields.length - 1).join(' ')].map(unquote);
  const composed = composeContent(fields, values);
  return 'content' in composed && values.length === fields.length ? values : undefined;
}

function contentOf({ kind }: RecordField, value: string): string {
  if (kind === 'quoted') return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return kind === 'hex' ? value.replaceAll(/\s/g, '') : value;
}

function unquote(part: string): string {
  return part.startsWith('"') && part.endsWith('"') && part.length > 1
    ? part.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
    : part;
}

function problemOf({ kind, max }: RecordField, value: string): string | undefined {
  if (value === '') return t('Required');
  switch (kind) {
    case 'number':
      return /^\d{1,10}$/.test(value) && Number(value) <= max!
        ? undefined
        : t('Enter a number from 0 to {max}', { max: max! });
    case 'ipv4':
      return isIpv4(value) ? undefined : t('Enter an IPv4 address');
    case 'ipv6':
      return value.includes(':') && URL.canParse(`http://[${value}]/`) ? undefined : t('Enter an IPv6 address');
    case 'hex':
      return /^(?:[0-9a-f]{2}|\s)+$/i.test(value) ? undefined : t('Enter hexadecimal digits, two for each byte');
    case 'name':
      return isName(value) ? undefined : t('Enter a valid hostname');
    case 'text':
    case 'quoted':
      return undefined;
  }
}

function isIpv4(value: string): boolean {
  const parts = value.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** The API decides about special characters; a name with spaces or empty labels is never right. */
function isName(value: string): boolean {
  const labels = value.replace(/\.$/, '').split('.');
  return value === '.' || (value.length <= 254 && labels.every((label) => /^[^\s"();]{1,63}$/.test(label)));
}
