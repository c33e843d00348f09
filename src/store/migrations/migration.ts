// One step forward of the schema, said once for both engines.
import type { Engine } from '../store.ts';

export interface ColumnTypes {
  /** A key that the database counts up and never gives twice. */
  readonly id: string;
  /** Whole numbers up to 2^53. */
  readonly integer: string;
  readonly bytes: string;
  /** Text that is compared byte by byte, whatever the language of the database. */
  readonly sortable: string;
}

export interface Migration {
  readonly name: string;
  readonly statements: (types: ColumnTypes, engine: Engine) => readonly string[];
}
