// Columns that hold JSON. Each has one codec, declared beside the queries of its table, so that a value that does not fit is
// reported where it is read and not wherever it first breaks something. Schemas allow additional properties: a row may have been
// written by another release.
import { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/schema';

/** T, but callers may pass readonly lists and objects. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export interface JsonColumn<T> {
  encode(value: DeepReadonly<T>): string;
  /** Throws if the text is not JSON or does not match the column's schema. */
  decode(text: string): T;
}

/** Returns the codec of a column. The name (`table.column`) appears in errors. */
export function jsonColumn<S extends TSchema>(name: string, schema: S): JsonColumn<Static<S>> {
  // Compiled on first use, because a process reads only some of the columns.
  let validator: { Check(value: unknown): boolean } | undefined;
  return {
    encode: (value) => JSON.stringify(value),
    decode(text) {
      const value: unknown = JSON.parse(text);
      validator ??= Compile(schema);
      if (!validator.Check(value)) throw new Error(`${name} holds JSON that does not match its schema`);
      return value as Static<S>;
    },
  };
}
