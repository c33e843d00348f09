// The handover certificate: how a server was erased and checked between two customers. It identifies neither.
import { Type, type Static } from 'typebox';
import { eraseMethods, reclaimStepNames } from '../states/servers.ts';
import { described, text } from './text.ts';

const Time = described('ISO 8601, in UTC');

/** The signed document. Changes only by gaining members. */
export const CertificateDocument = Type.Object({
  certificate: described('Its number'),
  provider: text,
  server: text,
  serial: described('The serial number of the server; empty if unknown'),
  issued: Time,
  previouscustomer: Type.Boolean({ description: 'Whether the server had a previous customer' }),
  erasure: Type.Enum(['erased', 'signedoff', 'waived', 'none'], {
    description:
      '`erased`: every disk was erased and verified. `signedoff`: a member of staff vouches for it. `waived`: the provider does not erase this server. `none`: it had no previous customer',
  }),
  disks: Type.Array(
    Type.Object({
      serial: text,
      bytes: text,
      method: Type.Enum([...eraseMethods]),
      seconds: described('Duration'),
    }),
  ),
  erased: described('When the disks were erased, ISO 8601; empty if they were not'),
  bmcusersremoved: described('Number of BMC users that were removed'),
  bmcusersleft: described('Number of remaining BMC users, which belong to the provider'),
  firmware: Type.Record(Type.String(), Type.String(), { description: 'Firmware versions by component' }),
  ports: described('Number of switch ports that were disabled between the customers'),
  signedoff: Type.Array(Type.Object({ step: Type.Enum([...reclaimStepNames]), by: text, reason: text, at: Time }), {
    description: 'Steps without a result, for which a member of staff vouches',
  }),
});
export type CertificateDocument = Static<typeof CertificateDocument>;

export const certificateKinds = ['handover', 'erasure'] as const;
export type CertificateKind = (typeof certificateKinds)[number];

export const Certificate = Type.Object({
  kind: Type.Enum(certificateKinds, {
    description: '`handover`: the state in which the service got its server. `erasure`: what happened after it ended',
  }),
  document: CertificateDocument,
  signed: described('The same document as a JSON Web Signature (Ed25519, compact form)'),
});

/** The key that verifies certificates, as a JSON Web Key. */
export const CertificateKey = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: text,
  kid: described('The thumbprint of the key (RFC 7638)'),
});
