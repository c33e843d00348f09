// One schema change, written once for both engines.
import type { Engine } from '../store.ts';

export interface ColumnTypes {
  /** A key that the database increments and never reuses. */
  readonly id: string;
  /** Whole numbers up to 2^53. */
  readonly integer: string;
  readonly bytes: string;
  /** Text that is compared byte by byte, independent of the database's locale. */
  readonly sortable: string;
}

export interface Migration {
  readonly name: string;
  readonly statements: (types: ColumnTypes, engine: Engine) => readonly string[];
  /**
   * Statements that take something away, by how they begin, and why instances of the previous release keep working: since
   * which released migration nothing has used it, or what they do without it. See docs/decisions/rolling-upgrades.md.
   */
  readonly removes?: Readonly<Record<string, { readonly unusedSince: string } | { readonly harmless: string }>>;
}
