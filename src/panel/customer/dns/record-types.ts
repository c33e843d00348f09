// The record types offered for new records, most common first, each with an example of its content.
import type { RecordCreateInput } from '#sdk/v2.ts';

export type NewRecordType = RecordCreateInput['type'];

export const newRecordTypes = {
  A: '192.0.2.10',
  AAAA: '2001:db8::10',
  CNAME: 'www.example.net',
  ALIAS: 'www.example.net',
  MX: '10 mail.example.net',
  TXT: 'v=spf1 mx -all',
  CAA: '0 issue "letsencrypt.org"',
  NS: 'ns1.example.net',
  SRV: '10 60 5060 sip.example.net',
  HTTPS: '1 . alpn=h2,h3',
  SVCB: '1 svc.example.net alpn=h2 port=8443',
  PTR: 'host.example.net',
  TLSA: '3 1 1 123456789abcdef…',
  SSHFP: '4 2 123456789abcdef…',
  DS: '12345 13 2 123456789abcdef…',
  DNAME: 'example.net',
  NAPTR: '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.net!" .',
  URI: '10 1 "https://example.net/"',
  CDS: '12345 13 2 123456789abcdef…',
  CDNSKEY: '257 3 13 base64…',
  CERT: '1 0 0 MIIB…',
  SMIMEA: '3 0 1 123456789abcdef…',
  OPENPGPKEY: 'mQEN…',
  LOC: '52 22 23.0 N 4 53 32.0 E 0m',
  HINFO: '"x86-64" "Linux"',
  RP: 'admin.example.net info.example.net',
  SPF: 'v=spf1 mx -all',
  KEY: '256 3 13 base64…',
} as const satisfies Partial<Readonly<Record<NewRecordType, string>>>;

export const newRecordTypeNames = Object.keys(newRecordTypes) as (keyof typeof newRecordTypes)[];

export const defaultTtlSeconds = 3600;
