// The table of servers in stock.
import type { GeneratedAlways } from 'kysely';

export interface StockNumberTable {
  id: GeneratedAlways<number>;
  server: string;
}
