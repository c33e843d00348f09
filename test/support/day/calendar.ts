// The day's time. A whole process at 100 times speed would only measure the CPU: a deadline of 8 s would be 80 ms. So the
// clocks move ahead in steps, and the clock watch keeps leases as they are. After each step, what waits for a time is made
// due, as it would be if that time had passed: polls, reconcilers, retries.
//
// The processes have an adjustable clock. The database has functions in front of its own: PostgreSQL stops to look for
// deadlocks for up to a minute if its system clock jumps, which would be all day.
import { sql } from 'kysely';
import pg from 'pg';
import type { Store } from '#store/store.ts';
import { createAdjustableClock } from '../adjustable-clock.ts';
import { until } from '../until.ts';

export interface Calendar extends AsyncDisposable {
  /** Environment of processes that live in the day. */
  readonly env: Readonly<Record<string, string>>;
  readonly billingDay: number;
  now(): number;
  /** Lets a database live in the day. It must be new. */
  enter(database: string): Promise<void>;
  /** Lets its job queue live in the day, too, once an instance has created it. */
  enterQueue(): Promise<void>;
  /** Moves the clock to this share of the day, from 0 to 1. */
  moveTo(share: number): Promise<void>;
  /** Lets the clock be wrong by this much, until it is called with 0. */
  deviate(milliseconds: number): Promise<void>;
}

const dayMs = 86_400_000;

/** Starts at noon, so that invoices are issued in the middle of the day, when the 15th begins. */
export async function openCalendar(): Promise<Calendar> {
  const clock = await createAdjustableClock();
  const today = new Date();
  const startAt = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 14, 12);
  let share = 0;
  let movedAt = Date.now();
  let deviationMs = 0;
  let offsetMs = 0;
  let database: string | undefined;
  /** One after the other: a slower change must not end up after a later one. */
  let lastSet: Promise<unknown> = Promise.resolve();
  const set = (): Promise<void> => {
    const done = lastSet.then(apply);
    lastSet = done.catch(() => undefined);
    return done;
  };
  const apply = async (): Promise<void> => {
    const seconds = Math.round((startAt + share * dayMs + deviationMs - movedAt) / 1000);
    if (database !== undefined) await setDatabase(database, seconds);
    await clock.set(seconds);
    offsetMs = seconds * 1000;
  };
  await set();
  return {
    env: clock.env,
    billingDay: 15,
    now: () => Date.now() + offsetMs,
    async enter(url) {
      await execute(url, databaseClock);
      database = url;
      await set();
    },
    enterQueue: () => execute(database!, queueClock),
    async moveTo(next) {
      [share, movedAt] = [next, Date.now()];
      await set();
    },
    async deviate(milliseconds) {
      deviationMs = milliseconds;
      await set();
    },
    [Symbol.asyncDispose]: () => clock[Symbol.asyncDispose](),
  };
}

/** The last schema on the path is that of the functions that these replace. */
const databaseClock = `
  create schema day;
  create table day.clock (ahead interval not null);
  insert into day.clock values ('0');
  create function day.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() + ahead from day.clock';
  create function day.now() returns timestamptz language sql stable as 'select pg_catalog.now() + ahead from day.clock';
  do $$ begin
    execute format('alter database %I set search_path = public, day, pg_catalog', current_database());
  end $$`;

/** pg-boss has its own function for the time, which names the schema of the built-in one. */
const queueClock = `create or replace function pgboss.job_now() returns timestamptz language sql stable as 'select day.now()'`;

/** Repeats the change until a primary has it. */
async function setDatabase(database: string, seconds: number): Promise<void> {
  const change = `update day.clock set ahead = make_interval(secs => ${seconds})`;
  const isDone = (): Promise<boolean> =>
    execute(database, change).then(
      () => true,
      () => false,
    );
  await until(isDone);
}

async function execute(database: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database, connectionTimeoutMillis: 2000, query_timeout: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Times that are waited for. */
const waits = {
  reconcilers: ['run_at'],
  servers: ['next_look_at'],
  switches: ['next_poll_at'],
  nodes: ['next_look_at', 'next_sample_at'],
  machines: ['next_attempt_at'],
  deliveries: ['next_at'],
  payment_methods: ['next_look_at'],
  payment_charges: ['next_look_at'],
  payment_refunds: ['next_look_at'],
  payment_notices: ['next_look_at'],
} as const;
/** For payments these columns are claims too, which last no longer than this. */
const claimMs = 120_000;

/** Makes everything due that waits for a time. */
export async function letTimePass({ queries }: Store, now: number): Promise<void> {
  for (const [table, columns] of Object.entries(waits)) {
    const past = table.startsWith('payment_') ? Math.round(now) + claimMs : 0;
    // Rows that an instance works on are left out, so that nobody waits for the test.
    for (const column of columns)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = 0 where ctid in
        (select ctid from ${sql.table(table)} where ${sql.ref(column)} > ${past} for update skip locked)`.execute(
        queries,
      );
  }
  await sql`update pgboss.job set start_after = now() where state < 'active' and start_after > now()`.execute(queries);
}
