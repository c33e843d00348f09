// The database's location.

/** The name of the SQLite file in the data folder. */
export const sqliteName = 'hostyard.sqlite';

export interface StoreLocation {
  readonly dataFolder: string;
  readonly database: string | undefined;
}
