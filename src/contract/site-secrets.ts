// How a secret stands in the site file: in clear, or as the one line that says where it is. What is read from the file has the
// secret itself in its place, so to everybody else it is text.
import { Type } from 'typebox';

const closed = { additionalProperties: false };
const words = { minLength: 1, maxLength: 65_536 };

/** Where a secret can be instead of in the file. */
export const secretReferences = {
  env: Type.Object({ env: Type.String(words) }, { ...closed, description: 'A variable of the environment' }),
  file: Type.Object({ file: Type.String(words) }, { ...closed, description: 'A file, read without its last line end' }),
  credential: Type.Object(
    { credential: Type.String({ ...words, pattern: '^[A-Za-z0-9_.@-]+$' }) },
    { ...closed, description: 'A credential that systemd hands to the service' },
  ),
  sealed: Type.Object(
    { sealed: Type.String(words) },
    { ...closed, description: 'Sealed under the key of this installation, as `hostyard seal` prints it' },
  ),
} as const;
export type SecretReference = keyof typeof secretReferences;

export const Secret = Type.Unsafe<string>(
  Type.Union([Type.String(words), ...Object.values(secretReferences)], {
    'x-secret': true,
    'x-reason': 'must be text, or { env: NAME }, { file: PATH }, { credential: NAME } or { sealed: TEXT }',
  }),
);

export type DriverKind = 'bmc' | 'switch' | 'hypervisor' | 'router';

/** What one driver is told, checked by the driver's own schema; whatever stands there may be one of the references above. */
export function DriverSettings(kind: DriverKind) {
  return Type.Record(Type.String(), Type.Unknown(), { 'x-driver': kind });
}
