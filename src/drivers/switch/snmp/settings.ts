// How a switch is reached over SNMP: with a community (v2c), or as a user whose messages are signed and encrypted (v3).
import { type Static, Type } from 'typebox';
import { Choice, Text, Whole } from '#contract/parameters.ts';

const place = {
  address: Text({ max: 253 }),
  port: Type.Optional(Whole(1, 65_535)),
  /** How long one try waits for its answer; a request is tried three times. */
  timeoutMs: Type.Optional(Whole(50, 60_000)),
};
const closed = { additionalProperties: false };
// RFC 3414 refuses anything shorter.
const secret = { 'x-secret': true };
const Passphrase = { ...Text({ min: 8, max: 255 }), ...secret };

const Community = Type.Object({ ...place, version: Choice('2c'), community: { ...Text(), ...secret } }, closed);

const User = Type.Object(
  {
    ...place,
    version: Choice('3'),
    username: Text({ max: 32 }),
    authentication: Type.Object({ protocol: Choice('SHA', 'SHA256', 'SHA512'), password: Passphrase }, closed),
    privacy: Type.Object({ protocol: Choice('AES', 'AES256'), password: Passphrase }, closed),
  },
  closed,
);

export const SnmpSettings = Type.Union([Community, User]);
export type SnmpSettings = Static<typeof SnmpSettings>;
