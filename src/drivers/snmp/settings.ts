// SNMP settings of a device: a community (v2c), or a user with authentication and privacy (v3).
import { type Static, type TProperties, Type } from 'typebox';
import { Choice, Text, Whole } from '#contract/parameters.ts';
import { SiteWaits } from '#contract/site/waits.ts';

const endpoint = {
  address: Text({ max: 253 }),
  port: Type.Optional(Whole(1, 65_535)),
  /** Timeout of one attempt; a request is attempted three times. By default a third of `responseSeconds` in `waits`. */
  timeoutMs: Type.Optional(Whole(50, 60_000)),
  waits: Type.Optional(SiteWaits),
};
const noExtraFields = { additionalProperties: false };
// RFC 3414 requires at least 8 characters.
const secret = { 'x-secret': true };
const Passphrase = { ...Text({ min: 8, max: 255 }), ...secret };

const Authentication = Type.Object(
  { protocol: Choice('SHA', 'SHA256', 'SHA512'), password: Passphrase },
  noExtraFields,
);
/** Neither extension of a key to 256 bits is standard: AES256 is Blumenthal's, AES256C Reeder's, which Cisco uses. */
const Privacy = Type.Object({ protocol: Choice('AES', 'AES256', 'AES256C'), password: Passphrase }, noExtraFields);

/** `more` are the settings that a kind of device has in addition. */
export function snmpSettings<More extends TProperties>(more: More) {
  return Type.Union([
    Type.Object({ ...endpoint, ...more, version: Choice('2c'), community: { ...Text(), ...secret } }, noExtraFields),
    Type.Object(
      {
        ...endpoint,
        ...more,
        version: Choice('3'),
        username: Text({ max: 32 }),
        authentication: Authentication,
        privacy: Privacy,
      },
      noExtraFields,
    ),
  ]);
}

/** `model` is one of `models` in the site file. */
export const SnmpSettings = snmpSettings({ model: Type.Optional(Text({ max: 64 })) });
export type SnmpSettings = Static<typeof SnmpSettings>;
