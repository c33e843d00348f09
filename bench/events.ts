// The cost of emitting an event: creating a contact as the API does (transaction and audit entry, but without the
// password hash, which would dominate), with and without its event, on each database. The two alternate and medians are
// compared, because timings on this machine vary.
//
//   node bench/events.ts
import { contactCreate } from '#app/account/contacts.ts';
import type { ApiResponse } from '#app/operations/call.ts';
import { execute } from '#app/operations/execute.ts';
import type { Caller } from '#app/caller.ts';
import type { Context } from '#app/app.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { median, printFigure } from './support/figures.ts';
import type { AccountId } from '#store/account-id.ts';

const limit = 1.1;
const warmUps = 100;
const rounds = 2000;

const fields: Parameters<typeof contactCreate>[1] = {
  firstname: 'Anna',
  lastname: 'Berg',
  email: 'anna@example.net',
  password: '$argon2id$none' as PasswordHash,
  address1: 'Weg 1',
  city: 'Utrecht',
  state: 'Utrecht',
  zipcode: '3511',
  country: 'NL',
};
const caller: Caller = {
  account: 1 as AccountId,
  accountStatus: 'Active',
  key: 1,
  keyKind: 'key',
  contact: undefined,
  scopes: new Set(),
  address: '127.0.0.1',
  requestId: 'bench',
};

const operation = {
  name: 'v2.contactCreate',
  access: 'account:write',
  effect: 'stored',
  method: 'POST',
  path: '/v2/account/contact',
  input: {},
  target: [],
  idempotencyKey: undefined,
} as const;

async function measureMicroseconds(app: TestApp, create: (context: Context) => Promise<object>): Promise<number> {
  const toResponse = (result: object): ApiResponse => ({
    status: 200,
    type: 'application/json',
    body: JSON.stringify(result),
  });
  const work = {
    prepare: async () => {},
    run: async (context: Context) => toResponse(await create(context)),
    reject: (error: Error) => {
      throw error;
    },
  };
  const startMs = performance.now();
  await execute({ app: app.parts, caller, operation, work });
  return (performance.now() - startMs) * 1000;
}

async function measure(engine: string, app: TestApp): Promise<void> {
  const runs: { withoutEvent: number; withEvent: number }[] = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const withoutEvent = await measureMicroseconds(app, (context) =>
      contactCreate({ ...context, emit: () => {} }, fields),
    );
    const withEvent = await measureMicroseconds(app, (context) => contactCreate(context, fields));
    if (round >= warmUps) runs.push({ withoutEvent, withEvent });
  }
  const withoutEvent = median(runs.map((run) => run.withoutEvent));
  const withEvent = median(runs.map((run) => run.withEvent));
  const ratio = withEvent / withoutEvent;
  const label = `${engine}: a contact with its event (${withoutEvent.toFixed(0)} → ${withEvent.toFixed(0)} µs)`;
  printFigure(label, ratio.toFixed(3), `< ${limit.toFixed(2)}`, ratio < limit, 'without its event');
}

{
  await using sqlite = await openTestApp();
  await measure('SQLite', sqlite);
}
await using postgres = await startPostgres();
await using onPostgres = await openTestApp({ database: await postgres.createDatabase() });
await measure('PostgreSQL', onPostgres);
