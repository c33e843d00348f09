// Secrets in the site file: in plain text, or as a reference to where they are. When the file is read, references are
// replaced by the secrets, so that everything else sees text.
import { Type } from 'typebox';

const closed = { additionalProperties: false };
const words = { minLength: 1, maxLength: 65_536 };

/** References to secrets outside the file. */
export const secretReferences = {
  env: Type.Object({ env: Type.String(words) }, { ...closed, description: 'An environment variable' }),
  file: Type.Object({ file: Type.String(words) }, { ...closed, description: 'A file, without its final newline' }),
  credential: Type.Object(
    { credential: Type.String({ ...words, pattern: '^[A-Za-z0-9_.@-]+$' }) },
    { ...closed, description: 'A credential that systemd passes to the service' },
  ),
  sealed: Type.Object(
    { sealed: Type.String(words) },
    { ...closed, description: 'Sealed with the key of this installation, as `hostyard seal` prints it' },
  ),
} as const;
export type SecretReference = keyof typeof secretReferences;

export const Secret = Type.Unsafe<string>(
  Type.Union([Type.String(words), ...Object.values(secretReferences)], {
    'x-secret': true,
    'x-reason': 'must be text, or { env: NAME }, { file: PATH }, { credential: NAME } or { sealed: TEXT }',
  }),
);

export type DriverKind = 'bmc' | 'switch' | 'pdu' | 'hypervisor' | 'router';

/** The settings of a driver, checked against the driver's own schema; any value may be one of the references above. */
export function DriverSettings(kind: DriverKind) {
  return Type.Record(Type.String(), Type.Unknown(), { 'x-driver': kind });
}
