// Zones as PowerDNS prints them. Members are in alphabetical order: acme.sh matches the text of a zone, and expects
// nothing with brackets between `name` and `records`.
import { Type } from 'typebox';
import { text } from './text.ts';

export const ApiVersion = Type.Object({ url: text, version: Type.Integer() });
export const ServerApi = Type.Object({ api_features: Type.Array(text), server_url: text });
export const Server = Type.Object({
  config_url: text,
  daemon_type: text,
  id: text,
  type: text,
  url: text,
  version: text,
  zones_url: text,
});
export const Notification = Type.Object({ result: text });

const Rrset = Type.Object({
  comments: Type.Array(text),
  name: text,
  records: Type.Array(Type.Object({ content: text, disabled: Type.Boolean() })),
  ttl: Type.Integer(),
  type: text,
});
const summary = {
  account: text,
  /** Only if our own name server signs zones; an external one is not asked. */
  dnssec: Type.Optional(Type.Boolean()),
  edited_serial: Type.Integer(),
  id: text,
  kind: text,
  last_check: Type.Integer(),
  masters: Type.Array(text),
  name: text,
  notified_serial: Type.Integer(),
  serial: Type.Integer(),
  url: text,
};
export const ZoneSummary = Type.Object(summary);
export const PowerDnsZone = Type.Object({
  ...summary,
  api_rectify: Type.Boolean(),
  rrsets: Type.Optional(Type.Array(Rrset)),
  soa_edit: text,
  soa_edit_api: text,
});
