// What a table means for the person behind an account: what the archive of the account contains, and what erasure does.
import type { Tables } from '../tables.ts';

type TableName = keyof Tables;
type Column<T extends TableName> = keyof Tables[T] & string;

/** How the rows of an account are found. Rows of a table with an account column must also have that account. */
export type Scope = 'account' | 'service' | 'invoice' | 'zone' | 'reload' | 'attack' | 'former account';

export interface ArchiveRule<T extends TableName> {
  readonly file: string;
  /** For the index of the archive. */
  readonly contents: string;
  readonly scope?: Scope;
  /** Unique within the account, in order; the rows of a table without it are few. */
  readonly key?: readonly Column<T>[];
  /** Secrets, what only staff may read, and what is meaningless outside of the database. */
  readonly hidden?: readonly Column<T>[];
  /** Rows with a value in this column are about a member of staff. */
  readonly ofStaff?: Column<T>;
}
export type ErasureRule<T extends TableName> =
  | { readonly do: 'delete'; readonly scope?: Scope }
  | {
      readonly do: 'blank';
      readonly scope?: Scope;
      readonly set: { readonly [C in Column<T>]?: string | number | null };
    }
  /** Kept until tax law no longer requires it, then deleted. */
  | { readonly do: 'keep for taxes' }
  | { readonly do: 'nothing'; readonly because: string };

export interface TableRule<T extends TableName> {
  readonly archive: ArchiveRule<T> | { readonly omittedBecause: string };
  readonly erasure: ErasureRule<T>;
}
export type TableRules = { readonly [T in TableName]: TableRule<T> };

export const remove = { do: 'delete' } as const;
export const keepForTaxes = { do: 'keep for taxes' } as const;
export const nothing = (because: string) => ({ do: 'nothing', because }) as const;
/** For tables that hold nothing about a customer. */
export const unrelated = (because: string) =>
  ({ archive: { omittedBecause: because }, erasure: nothing(because) }) as const;
/** For what exists for minutes and contains secrets. */
export const shortLived = (because: string) => ({ archive: { omittedBecause: because }, erasure: remove }) as const;

export const equipment = unrelated('equipment of the provider');
export const settings = unrelated('settings of the installation');
export const byId = ['id'] as const;
export const numbersOnly = nothing('it names the account by its number only');
