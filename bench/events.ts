// What telling an event costs: a contact's creation as the API carries it out (transaction, audit entry and all; the hashing
// of its password left out, which would hide everything), with its event and without, on each database. One follows the
// other and medians are compared, since the machine has its moods.
//
//   node bench/events.ts
import { contactCreate, contactRoom, type ContactFields } from '#app/account/contacts.ts';
import type { Answer } from '#app/operation/call.ts';
import { carryOut } from '#app/operation/carry-out.ts';
import { newContact, personColumns } from '#app/account/person-columns.ts';
import type { Caller } from '#app/caller.ts';
import type { Context } from '#app/yard.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import { contactInsert } from '#store/account/contacts.ts';
import type { AccountId } from '#store/tables.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { openTestYard, type TestYard } from '../test/support/yard.ts';
import { median } from './support/load.ts';

const limit = 1.1;
const warmUps = 100;
const rounds = 2000;

const fields: ContactFields = {
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
  idempotencyKey: undefined,
} as const;

/** What contactCreate does, less its event. */
async function createSilently(context: Context): Promise<object> {
  await contactRoom(context);
  const id = await contactInsert(context.queries, context.caller.account, {
    ...personColumns({ ...fields, postcode: fields.zipcode }),
    ...newContact,
    password_hash: fields.password,
    created_at: context.yard.clock.now(),
  });
  return { contactid: String(id) };
}

async function microseconds(yard: TestYard, create: (context: Context) => Promise<object>): Promise<number> {
  const answer = (result: object): Answer => ({ status: 200, type: 'application/json', body: JSON.stringify(result) });
  const work = {
    prepare: async () => {},
    run: async (context: Context) => answer(await create(context)),
    refuse: (fault: Error) => {
      throw fault;
    },
  };
  const began = performance.now();
  await carryOut({ yard: yard.parts, caller, operation, work });
  return (performance.now() - began) * 1000;
}

async function measure(engine: string, yard: TestYard): Promise<void> {
  const runs: { silent: number; told: number }[] = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const silent = await microseconds(yard, createSilently);
    const told = await microseconds(yard, (context) => contactCreate(context, fields));
    if (round >= warmUps) runs.push({ silent, told });
  }
  const silent = median(runs.map((run) => run.silent));
  const told = median(runs.map((run) => run.told));
  const met = told / silent < limit;
  if (!met) process.exitCode = 1;
  console.log(
    `${engine.padEnd(12)} ${silent.toFixed(0)} µs without, ${told.toFixed(0)} µs with its event`.padEnd(60),
    (told / silent).toFixed(3),
    `< ${limit.toFixed(2)}`,
    met ? 'met' : 'not met',
  );
}

{
  await using sqlite = await openTestYard();
  await measure('SQLite', sqlite);
}
await using postgres = await startPostgres();
await using onPostgres = await openTestYard({ database: await postgres.createDatabase() });
await measure('PostgreSQL', onPostgres);
