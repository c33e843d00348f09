// Row types of the tables for operators.
import type { GeneratedAlways } from 'kysely';
import type { OperatorRole } from '#contract/roles.ts';

export interface OperatorTable {
  id: GeneratedAlways<number>;
  name: string;
  role: OperatorRole;
  status: 'Active' | 'Ended';
  password_hash: string | null;
  /** Sealed; null if none is enrolled. */
  totp_secret: string | null;
  /** When a code was first confirmed; null until then. */
  totp_since: number | null;
  /** The time step of the last code used, so that no code works twice. */
  totp_step: number;
  created_at: number;
}
