// Passkeys (WebAuthn, https://www.w3.org/TR/webauthn-3/): what browsers receive and return, both in the standard's
// JSON, so that a page passes them on unchanged. Other members that browsers add are ignored.
import { Type } from 'typebox';
import { described, text } from './text.ts';

const bytes = (max: number) =>
  Type.String({ minLength: 1, maxLength: max, pattern: '^[A-Za-z0-9_-]+$', description: 'Bytes in base64url' });
const publicKey = Type.Enum(['public-key']);
const Descriptor = Type.Object({ id: text, type: publicKey, transports: Type.Array(text) });

export const PasskeyCreationOptions = Type.Object(
  {
    rp: Type.Object({ id: text, name: text }),
    user: Type.Object({ id: text, name: text, displayName: text }),
    challenge: text,
    pubKeyCredParams: Type.Array(Type.Object({ type: publicKey, alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'In milliseconds' }),
    excludeCredentials: Type.Array(Descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.Enum(['required']),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.Enum(['required']),
    }),
    attestation: Type.Enum(['none']),
  },
  { description: 'For `navigator.credentials.create`' },
);

export const PasskeyRequestOptions = Type.Object(
  {
    rpId: text,
    challenge: text,
    timeout: Type.Integer({ description: 'In milliseconds' }),
    userVerification: Type.Enum(['required']),
    allowCredentials: Type.Array(Descriptor, { description: 'Empty: the browser offers the passkeys that it knows' }),
  },
  { description: 'For `navigator.credentials.get`' },
);

export const Passkey = Type.Object({
  id: text,
  name: text,
  created: described('Time in UTC'),
  lastused: described('Time in UTC; empty for never'),
});

const credential = { id: bytes(1400), rawId: bytes(1400), type: publicKey };

/** Parameter: the browser's response to the options for a new passkey. */
export const RegistrationCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(8192),
      attestationObject: bytes(16_384),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  { 'x-reason': 'must be the credential that the browser created, as JSON' },
);

/** Parameter: the browser's response to the options for signing in. */
export const SignInCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(8192),
      authenticatorData: bytes(8192),
      signature: bytes(8192),
      userHandle: Type.Optional(bytes(128)),
    }),
  },
  { 'x-reason': 'must be the credential that the browser returned, as JSON' },
);
