// Who held each of many addresses at its moment, in few questions.
import type { Queries } from './store.ts';
import type { NetblockHolding } from './netblock-holdings.ts';

export interface HeldAddress {
  /** Text that sorts as addresses count. */
  readonly address: string;
  readonly at: number;
}

/** A compound of more questions than this is refused by SQLite. */
const atOnce = 200;

/** In the order of the addresses; undefined where nobody held one. */
export async function holdersAt(
  queries: Queries,
  addresses: readonly HeldAddress[],
): Promise<(NetblockHolding | undefined)[]> {
  const found: (NetblockHolding | undefined)[] = [];
  for (let from = 0; from < addresses.length; from += atOnce) {
    const asked = addresses.slice(from, from + atOnce);
    const [first, ...others] = asked.map(({ address, at }, index) => newestOf(queries, address, at, index));
    const rows = await others.reduce((all, one) => all.unionAll(one), first!).execute();
    const byIndex = new Map(rows.map(({ question, ...holding }) => [Number(question), holding]));
    found.push(...asked.map((_, index) => byIndex.get(index)));
  }
  return found;
}

function newestOf(queries: Queries, address: string, at: number, question: number) {
  const newest = queries
    .selectFrom('netblock_holdings')
    .selectAll()
    .where('first', '<=', address)
    .where('last', '>=', address)
    .where('held_from', '<=', at)
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '>', at)]))
    .orderBy('id', 'desc')
    .limit(1)
    .as('newest');
  return queries
    .selectFrom(newest)
    .selectAll()
    .select((select) => select.lit(question).as('question'));
}

/** What a service runs on: the name of its server, or the number of its virtual machine. */
export async function devicesOf(queries: Queries, services: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (services.length === 0) return new Map();
  const rows = await queries
    .selectFrom('services')
    .select(['id', 'server', 'vmid'])
    .where('id', 'in', services)
    .execute();
  return new Map(rows.map(({ id, server, vmid }) => [id, server ?? String(vmid ?? '')]));
}
